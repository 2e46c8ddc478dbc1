from globs import matches


def test_alone():
    assert matches("*", "")
    assert matches("*", "anything")


def test_middle():
    assert matches("a*c", "abbbc")
    assert not matches("a*c", "abbb")


def test_no_match_is_false():
    assert matches("*.py", "a.txt") is False
