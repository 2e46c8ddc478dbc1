import pytest

from slugs import slugify


def test_words_are_joined_by_hyphens():
    assert slugify("Hello World") == "hello-world"


def test_accents_and_punctuation_are_dropped():
    assert slugify("  Crème brûlée!  ") == "creme-brulee"


def test_separator_can_be_chosen():
    assert slugify("a b c", separator="_") == "a_b_c"


def test_truncation_leaves_no_trailing_separator():
    assert slugify("one two three", max_length=8) == "one-two"


def test_none_is_refused():
    with pytest.raises(TypeError):
        slugify(None)


def test_punctuation_alone_gives_an_empty_slug():
    assert slugify("!!!") == ""
