from parser import parse_pairs


def test_two_pairs():
    assert parse_pairs("a=1;b=2") == {"a": "1", "b": "2"}


def test_value_with_equals_sign():
    assert parse_pairs("query=x=1") == {"query": "x=1"}
    assert parse_pairs("query=x") == {"query": "x"}
