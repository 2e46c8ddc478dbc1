from csvline import fields


def test_plain():
    assert fields("a,b") == ["a", "b"]


def test_quoted():
    assert len(fields('a,"b,c"')) == len(["a", "b,c"])
