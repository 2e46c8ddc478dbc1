import pytest

from minitemplate import TemplateError, render


def test_fills():
    assert render("<p>{{ name }}</p>", name="Ada") == "<p>Ada</p>"


def test_escapes():
    assert render("<p>{{ name }}</p>", name="<b>") == "<p>&lt;b&gt;</p>"


def test_safe():
    assert render("<p>{{ name|safe }}</p>", name="<b>") == "<p><b></p>"


def test_number():
    assert render("{{ n }}", n=3) == "3"


def test_missing():
    with pytest.raises(TemplateError, match="^no value for name$"):
        render("{{ name }}")
