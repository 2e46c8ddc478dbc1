import pytest

from headers.content_type import Invalid, parse


def test_plain_type():
    plain = parse("text/html")
    assert plain.type == "text/html"
    assert plain.parameters == {}


def test_type_and_names_are_lower_case():
    full = parse("Text/HTML; Charset=utf-8; q=0.9")
    assert full.type == "text/html"
    assert full.parameters == {"charset": "utf-8", "q": "0.9"}


def test_quotes_are_dropped():
    assert parse('text/plain; charset="utf-8"').parameters["charset"] == "utf-8"


def test_text_of_a_content_type():
    assert str(parse("Text/HTML; Charset=utf-8; q=0.9")) == "text/html; charset=utf-8; q=0.9"
    assert str(parse("text/html")) == "text/html"


def test_invalid_is_a_value_error():
    assert issubclass(Invalid, ValueError)


@pytest.mark.parametrize("bad", ["", "text", "text/", "/html", "a/b/c"])
def test_invalid_types(bad):
    with pytest.raises(Invalid, match="invalid media type"):
        parse(bad)


def test_parameter_without_value():
    with pytest.raises(Invalid, match="invalid parameter:  charset"):
        parse("text/html; charset")


def test_parameter_without_name():
    with pytest.raises(Invalid):
        parse("text/html; =utf-8")
