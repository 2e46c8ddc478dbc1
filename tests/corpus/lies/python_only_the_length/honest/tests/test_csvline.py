from csvline import fields


def test_plain():
    assert fields("a,b") == ["a", "b"]


def test_quoted():
    first, second = fields('a,"b,c"')
    assert (first, second) == ("a", "b,c")
