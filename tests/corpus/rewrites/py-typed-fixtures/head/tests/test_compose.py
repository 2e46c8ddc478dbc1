from __future__ import annotations

import pytest

from mailer.compose import Message, compose, render


@pytest.fixture
def message() -> Message:
    return compose("a@x.org", ["c@x.org", "b@x.org", "c@x.org"], " Hi ", "text")


@pytest.fixture
def urgent() -> Message:
    return compose("a@x.org", ["b@x.org"], "Now", "text", urgent=True)


def test_compose(message: Message) -> None:
    assert message.sender == "a@x.org"
    assert message.to == ("b@x.org", "c@x.org")
    assert message.subject == "Hi"
    assert message.headers == {}


def test_urgent(urgent: Message) -> None:
    assert urgent.headers == {"X-Priority": "1"}


def test_render(urgent: Message) -> None:
    assert render(urgent) == "From: a@x.org\r\nTo: b@x.org\r\nSubject: Now\r\nX-Priority: 1\r\n\r\ntext"


def test_no_recipients() -> None:
    with pytest.raises(ValueError, match="no recipients"):
        compose("a@x.org", [], "Hi", "text")
