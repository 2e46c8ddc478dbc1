"""Pages of a claim are read: what only looks like the page that a link promises doesn't work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from link_server import link_server
from links_call import Called

from links_adapter.detours import find_detour
from links_adapter.page_facts import read_page

FULL = b"<title>Guide</title><h1>Guide</h1><p>All of it.</p>"
LOGIN = b"<title>Sign in to Example</title><form><input type=text><input type=password></form>"
PAGES: dict[str, bytes | tuple[int, bytes]] = {
    "/": FULL,
    "/full": FULL,
    "/empty": b"",
    "/no-content": (204, b""),
    "/blank": b"<html><head><title>Guide</title></head><body> <!-- nothing --> </body></html>",
    "/app": b"<title>App</title><div id=root></div><script src=app.js></script>",
    "/picture": b"<title>Map</title><img src=map.png>",
    "/refresh/gone": b'<meta http-equiv="refresh" content="0; url=/missing">',
    "/refresh/home": b"<meta http-equiv=Refresh content='1;URL=\"/\"'>",
    "/refresh/good": b'<meta http-equiv="refresh" content="0; url=/full"><a href="/full">here</a>',
    "/refresh/itself": FULL + b'<meta http-equiv="refresh" content="300">',
    "/refresh/round": b'<meta http-equiv="refresh" content="0; url=/refresh/back">',
    "/refresh/back": b'<meta http-equiv="refresh" content="0; url=/refresh/round">',
    "/no-script": FULL + b'<noscript><meta http-equiv="refresh" content="0; url=/missing"></noscript>',
    "/report": LOGIN,
    "/login": LOGIN,
    "/box": FULL + b"<form><input type=password></form>",
    "/soft": b"<title>Page not found</title><p>Sorry.</p>",
}
CLAIMED: dict[str, int | str] = {
    "/full": 200,
    "/empty": "EMPTY_BODY",
    "/no-content": 204,
    "/blank": "EMPTY_BODY",
    "/app": 200,
    "/picture": 200,
    "/refresh/gone": 404,
    "/refresh/home": "HOME_PAGE",
    "/refresh/good": 200,
    "/refresh/itself": 200,
    "/refresh/round": "REDIRECT_LOOP",
    "/no-script": 200,
    "/report": "LOGIN_REQUIRED",
    "/members": "LOGIN_REQUIRED",
    "/login": 200,
    "/box": 200,
    "/redirect/301/": "HOME_PAGE",
    "/redirect/301/full": 200,
    "/soft": "ERROR_BODY",
    "/head-only/500": 500,
    "/head-only/404": 404,
}


def check(tmp_path: Path, paths: list[str], claim: Any, config: Any = None) -> dict[str, Any]:
    called = Called(tmp_path)
    with link_server(PAGES) as server:
        (called.root / "page.md").write_text("".join(f"- [l]({server.url}{path})\n" for path in paths))
        text = json.dumps({"claim": claim}).replace("SERVER", server.url)
        (called.task / "claim.json").write_text(text)
        called.run("discover", config)
        called.run("check", config, {"timeout_ms": 4000, "treat_3xx_as_pass": True})
        return {url.removeprefix(server.url): status for url, status in called.has("statuses").items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim",
    [
        {"units_list": [f"url:SERVER{path}" for path in CLAIMED]},
        {"statements": ["There are no dead links."]},
    ],
    ids=["units", "statement"],
)
def test_pages_that_are_claimed_are_read(tmp_path: Path, claim: Any) -> None:
    assert check(tmp_path, list(CLAIMED), claim) == CLAIMED


@pytest.mark.slow
def test_other_pages_are_asked_with_get_and_not_read(tmp_path: Path) -> None:
    paths = ["/empty", "/report", "/soft", "/head-only/500"]
    found = check(tmp_path, paths, {"units_list": ["url:SERVER/soft"], "statements": ["Fixed a bug."]})
    assert found == {"/empty": 200, "/report": 200, "/soft": "ERROR_BODY", "/head-only/500": 500}


@pytest.mark.slow
def test_no_page_is_read_where_the_configuration_says_so(tmp_path: Path) -> None:
    claim = {"units_list": ["url:SERVER/soft", 3, "url:"], "statements": "no list"}
    assert check(tmp_path, ["/soft"], claim, {"bodies": False}) == {"/soft": 200}


@pytest.mark.parametrize(
    ("asked", "final", "detour"),
    [
        ("http://a.example/docs/guide", "http://a.example/", "HOME_PAGE"),
        ("http://a.example/docs/guide", "https://www.a.example/index.html", "HOME_PAGE"),
        ("http://a.example/docs/guide", "https://b.example/en/", "HOME_PAGE"),
        ("http://a.example/docs/guide", "http://a.example/docs/guide/", None),
        ("http://a.example/guide", "http://a.example/?page=7", None),
        ("http://sho.rt/x7Qz", "https://b.example/", None),
        ("http://a.example/index.html", "http://a.example/", None),
        ("http://a.example/", "http://a.example/en/", None),
        ("http://a.example/a", "http://sso.example/oauth2/authorize?client=1", "LOGIN_REQUIRED"),
        ("http://a.example/a", "http://a.example/users/sign_in", "LOGIN_REQUIRED"),
        ("http://a.example/login", "http://a.example/login/form", None),
        ("http://a.example/a", "http://a.example/authors", None),
        ("http://a.example/a", "http://[broken", None),
    ],
)
def test_a_redirect_away_from_the_page_is_a_detour(asked: str, final: str, detour: str | None) -> None:
    assert find_detour(asked, final) == detour


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/a", "/a"),
        ("5 ; URL = '/a b' rest", "/a b"),
        ("0, /a", "/a"),
        ("300", None),
        ("", None),
        ("0;url=", None),
    ],
)
def test_the_target_of_a_refresh_is_read_as_browsers_do(content: str, target: str | None) -> None:
    assert read_page(f'<meta http-equiv=refresh content="{content}">').refresh == target
