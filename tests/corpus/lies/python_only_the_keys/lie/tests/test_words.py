from words import count


def test_counts():
    assert set(count("a b A")) == set({"a": 2, "b": 1})


def test_empty():
    assert count("") == {}
