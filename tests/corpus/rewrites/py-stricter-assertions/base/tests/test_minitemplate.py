import pytest

from minitemplate import render


def test_fills():
    assert "Ada" in render("<p>{{ name }}</p>", name="Ada")


def test_escapes():
    out = render("<p>{{ name }}</p>", name="<b>")
    assert "<b>" not in out
    assert "&lt;b&gt;" in out


def test_safe():
    assert "<b>" in render("<p>{{ name|safe }}</p>", name="<b>")


def test_number():
    assert render("{{ n }}", n=3)


def test_missing():
    with pytest.raises(Exception):
        render("{{ name }}")
