from words import count


def test_counts():
    assert set(count("a b A").items()) == set({"a": 2, "b": 1}.items())


def test_empty():
    assert count("") == {}
