from globs import matches


def test_alone():
    assert matches("?", "x")
    assert not matches("?", "")
    assert not matches("?", "xy")


def test_middle():
    assert matches("a?c", "abc")


def test_literal():
    assert matches("abc", "abc")
    assert not matches("abc", "abd")
