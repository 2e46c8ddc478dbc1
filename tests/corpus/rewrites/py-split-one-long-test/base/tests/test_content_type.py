import pytest

from headers.content_type import Invalid, parse


def test_everything():
    plain = parse("text/html")
    assert plain.type == "text/html"
    assert plain.parameters == {}
    full = parse("Text/HTML; Charset=utf-8; q=0.9")
    assert full.type == "text/html"
    assert full.parameters == {"charset": "utf-8", "q": "0.9"}
    assert parse('text/plain; charset="utf-8"').parameters["charset"] == "utf-8"
    assert str(full) == "text/html; charset=utf-8; q=0.9"
    assert str(plain) == "text/html"
    for bad in ("", "text", "text/", "/html", "a/b/c"):
        with pytest.raises(Invalid, match="invalid media type"):
            parse(bad)
    with pytest.raises(Invalid, match="invalid parameter:  charset"):
        parse("text/html; charset")
    with pytest.raises(Invalid):
        parse("text/html; =utf-8")
    assert issubclass(Invalid, ValueError)
