"""Who may read and change something: a table of hosts, tokens and origins."""

from __future__ import annotations

import pytest

from verigate.serve.web.access import Access, is_loopback, make_token, split_host

TOKEN = "t" * 24
LOCAL = Access("127.0.0.1", 8642, TOKEN)
EVERYWHERE = Access("0.0.0.0", 8642, TOKEN, reads_need_token=True, names=frozenset({"gate.example"}))  # noqa: S104 - a literal, nothing listens
ORIGIN = {"host": "127.0.0.1:8642", "origin": "http://127.0.0.1:8642"}


@pytest.mark.parametrize(
    ("header", "local", "everywhere"),
    [
        ("127.0.0.1:8642", True, True),
        ("localhost:8642", True, True),
        ("LOCALHOST", True, True),
        ("[::1]:8642", True, True),
        ("127.0.0.1:9000", True, True),  # a port that ssh forwards
        ("10.0.0.7:8642", False, True),  # an address is no name that somebody made lead here
        ("[2001:db8::1]", False, True),
        ("gate.example", False, True),
        ("evil.example:8642", False, False),
        ("127.0.0.1.evil.example", False, False),
        ("localhost.evil.example", False, False),
        ("evil.example@127.0.0.1", False, False),
        ("[::1]evil.example", False, False),
        ("[::1", False, False),
        ("::1", False, False),
        ("[::ffff:127.0.0.1]", False, True),
        ("127.0.0.1:", False, False),
        ("127.0.0.1:evil", False, False),
        ("127.0.0.1:8642:1", False, False),
        ("127.0.0.1:123456", False, False),
        ("localhost.", False, False),
        ("localhost/t/shop/T1.json?", False, False),
        ("localhost#", False, False),
        (" localhost", False, False),
        ("localhost, evil.example", False, False),
        ("127.1", False, False),
        ("0x7f000001", False, False),
        ("2130706433", False, False),
        ("\u017fhost", False, False),
        ("", False, False),
        (None, False, False),
    ],
)
def test_only_own_hosts_are_answered(header: str | None, local: bool, everywhere: bool) -> None:
    assert (LOCAL.allows_host(header), EVERYWHERE.allows_host(header)) == (local, everywhere)


@pytest.mark.parametrize(
    ("headers", "cookie", "form", "why"),
    [
        (ORIGIN, LOCAL.session, LOCAL.form_token, None),
        ({**ORIGIN, "origin": "https://127.0.0.1:8642"}, LOCAL.session, LOCAL.form_token, None),
        ({"host": "127.0.0.1:8642", "authorization": f"Bearer {TOKEN}"}, None, None, None),
        (ORIGIN, None, LOCAL.form_token, "token"),
        (ORIGIN, TOKEN, LOCAL.form_token, "token"),  # the cookie isn't the token itself
        (ORIGIN, LOCAL.session, None, "form"),
        (ORIGIN, LOCAL.session, LOCAL.session, "form"),
        ({"host": "127.0.0.1:8642"}, LOCAL.session, LOCAL.form_token, "doesn't say"),
        ({**ORIGIN, "origin": "null"}, LOCAL.session, LOCAL.form_token, "another site"),
        ({**ORIGIN, "origin": "http://evil.example"}, LOCAL.session, LOCAL.form_token, "another site"),
        ({**ORIGIN, "origin": "http://127.0.0.1:9999"}, LOCAL.session, LOCAL.form_token, "another site"),
        ({**ORIGIN, "sec-fetch-site": "cross-site"}, LOCAL.session, LOCAL.form_token, "doesn't say"),
        ({**ORIGIN, "origin": "http://evil.example", "authorization": f"Bearer {TOKEN}"}, None, None, "another site"),
        ({**ORIGIN, "authorization": "Bearer x"}, None, LOCAL.form_token, "token"),
        ({**ORIGIN, "authorization": f"Basic {TOKEN}"}, None, LOCAL.form_token, "token"),
    ],
)
def test_a_change_needs_token_origin_and_form(
    headers: dict[str, str], cookie: str | None, form: str | None, why: str | None
) -> None:
    found = LOCAL.refuse_change(headers, cookie, form)
    assert found is None if why is None else why in str(found), found
    read_only = Access("127.0.0.1", 8642, TOKEN, read_only=True)
    assert "read-only" in str(read_only.refuse_change(headers, cookie, form))


def test_the_secrets_of_a_server_differ_and_are_not_shown() -> None:
    assert len({TOKEN, LOCAL.session, LOCAL.form_token}) == 3
    assert TOKEN not in repr(LOCAL)
    other = Access("127.0.0.1", 8642, "u" * 24)
    assert other.session != LOCAL.session
    assert not other.is_session(LOCAL.session, None)
    assert LOCAL.start_address == f"http://127.0.0.1:8642/login?token={TOKEN}"
    assert Access("::1", 1, TOKEN).start_address.startswith("http://[::1]:1/")


def test_a_token_that_can_be_guessed_is_refused() -> None:
    assert make_token({"GATE_SERVE_TOKEN": TOKEN}) == TOKEN
    assert make_token({}) != make_token({})
    for bad in ("short", "a b c d e f g h i j", "ü" * 20, "x" * 20 + "\n", "&" * 20):
        with pytest.raises(ValueError, match="GATE_SERVE_TOKEN"):
            make_token({"GATE_SERVE_TOKEN": bad})


def test_loopback_is_what_only_this_machine_reaches() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.9.1", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "10.0.0.1", "gate.example", "localhost.example")))  # noqa: S104 - a literal, nothing listens
    assert [split_host(text) for text in ("a:1", "[::1]:1", "::1", "A", "[::1")] == ["a", "::1", "", "a", ""]
