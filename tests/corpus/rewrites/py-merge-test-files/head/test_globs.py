from globs import matches


def test_literal():
    assert matches("abc", "abc")
    assert not matches("abc", "abd")


def test_star_alone():
    assert matches("*", "")
    assert matches("*", "anything")


def test_star_in_the_middle():
    assert matches("a*c", "abbbc")
    assert not matches("a*c", "abbb")


def test_no_match_is_false():
    assert matches("*.py", "a.txt") is False


def test_question_mark_alone():
    assert matches("?", "x")
    assert not matches("?", "")
    assert not matches("?", "xy")


def test_question_mark_in_the_middle():
    assert matches("a?c", "abc")
