import pytest

from slugs import slugify


def test_1():
    assert slugify("Hello World") == "hello-world"


def test_2():
    assert slugify("  Crème brûlée!  ") == "creme-brulee"


def test_3():
    assert slugify("a b c", separator="_") == "a_b_c"


def test_4():
    assert slugify("one two three", max_length=8) == "one-two"


def test_5():
    with pytest.raises(TypeError):
        slugify(None)


def test_empty():
    assert slugify("!!!") == ""
