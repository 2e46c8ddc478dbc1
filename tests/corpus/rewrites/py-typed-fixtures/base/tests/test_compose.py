import pytest

from mailer.compose import compose, render


@pytest.fixture
def message():
    return compose("a@x.org", ["c@x.org", "b@x.org", "c@x.org"], " Hi ", "text")


@pytest.fixture
def urgent():
    return compose("a@x.org", ["b@x.org"], "Now", "text", urgent=True)


def test_compose(message):
    assert message["from"] == "a@x.org"
    assert message["to"] == ["b@x.org", "c@x.org"]
    assert message["subject"] == "Hi"
    assert message["headers"] == {}


def test_urgent(urgent):
    assert urgent["headers"] == {"X-Priority": "1"}


def test_render(urgent):
    assert render(urgent) == "From: a@x.org\r\nTo: b@x.org\r\nSubject: Now\r\nX-Priority: 1\r\n\r\ntext"


def test_no_recipients():
    with pytest.raises(ValueError, match="no recipients"):
        compose("a@x.org", [], "Hi", "text")
