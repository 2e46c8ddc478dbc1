from csvline import fields


def test_plain():
    assert fields("a,b") == ["a", "b"]


def test_quoted():
    assert fields('a,"b,c"') == ["a", "b,c"]
