import pytest

from wrapline import wrap


def test_long_word_stands_alone():
    assert wrap("a incomprehensible b", 5) == ["a", "incomprehensible", "b"]


def test_empty_text_has_no_lines():
    assert wrap("", 5) == []


def test_spaces_are_collapsed():
    assert wrap("  a   b  ", 5) == ["a b"]


def test_width_must_be_positive():
    with pytest.raises(ValueError, match="^width must be positive$"):
        wrap("a", 0)
