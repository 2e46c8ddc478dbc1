from words import count


def test_counts():
    assert count("a b A") == {"a": 2, "b": 1}


def test_empty():
    assert count("") == {}
