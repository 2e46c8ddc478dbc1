from yamlish import dump


def same(actual, expected):
    return actual.splitlines() == expected.splitlines()


def test_nested():
    assert same(dump({"a": {"b": 1}}), "a:\n  b: 1\n")


def test_flat():
    assert same(dump({"a": 1, "b": 2}), "a: 1\nb: 2\n")
