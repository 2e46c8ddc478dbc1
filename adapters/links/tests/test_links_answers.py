"""Every way in which a server can answer, asked of a real one by the adapter as the gate starts it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from link_server import LinkServer, link_server, write_certificate
from links_call import Called

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[LinkServer]:
    with link_server() as running:
        yield running


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, LinkServer]]:
    folder = tmp_path_factory.mktemp("certificates")
    good = write_certificate(folder / "self.pem")
    old = write_certificate(folder / "old.pem", days=-5)
    with link_server(certificate=good) as first, link_server(certificate=old) as second:
        yield {"self-signed": first, "expired": second}


ANSWERS: dict[str, Any] = {
    "/ok": 200,
    "/ok?x=1&y=2": 200,
    "/ok#there": 200,
    "/ok#nowhere": "FRAGMENT_NOT_FOUND",
    "/redirect/301/ok": 200,
    "/redirect/302/ok": 200,
    "/redirect/307/ok": 200,
    "/redirect/308/redirect/301/ok": 200,
    "/redirect/301/missing": 404,
    "/redirect/302/closing": "CONNECTION_CLOSED",
    "/nowhere": "BAD_REDIRECT",
    "/loop": "REDIRECT_LOOP",
    "/refuses-head/403": 200,
    "/refuses-head/405": 200,
    "/refuses-head/501": 200,
    "/refuses-head/404": 200,
    "/status/403": 403,
    "/missing": 404,
    "/status/410": 410,
    "/status/500": 500,
    "/status/204": 204,
    "/slow": "TIMEOUT",
    "/endless": 200,
    "/closing": "CONNECTION_CLOSED",
    "/no-http": "BAD_RESPONSE",
    "/gzip-broken": 200,
    "/error-page": 200,
}


@pytest.fixture(scope="module")
def checked(server: LinkServer, secure: dict[str, LinkServer], tmp_path_factory: pytest.TempPathFactory) -> Called:
    called = Called(tmp_path_factory.mktemp("answers"))
    links = [f"{server.url}{path}" for path in ANSWERS]
    links += [f"{server.url}/redirect/302/redirect/302/redirect/302/redirect/302/redirect/302/redirect/302/ok"]
    links += [f"{running.url}/ok" for running in secure.values()]
    links += [
        "http://127.0.0.1:9/",
        "http://no-such-host.invalid/",
        "mailto:me@a.example",
        "ftp://a.example/x",
        "http://",
    ]
    (called.root / "page.md").write_text("".join(f"- [l]({link})\n" for link in links))
    called.run("discover")
    called.run("check", {"max_redirects": 5, "method": "head"}, {"timeout_ms": 1000, "treat_3xx_as_pass": True})
    return called


@pytest.mark.parametrize(("path", "status"), ANSWERS.items())
def test_an_answer_has_its_status_or_the_name_of_its_error(
    checked: Called, server: LinkServer, path: str, status: int | str
) -> None:
    assert checked.has("statuses")[f"{server.url}{path}"] == status


def test_every_link_has_a_status(checked: Called) -> None:
    assert sorted(checked.has("statuses")) == checked.has("urlset")
    meta = checked.has("check.meta")
    assert (meta["missing"], meta["checked"], meta["links"]) == ([], len(ANSWERS) + 8, len(ANSWERS) + 8)


def test_errors_that_are_no_answer_have_names(checked: Called, secure: dict[str, LinkServer]) -> None:
    statuses = checked.has("statuses")
    assert {
        url: status for url, status in statuses.items() if not url.startswith("http://127.0.0.1:") or ":9/" in url
    } == {
        f"{secure['self-signed'].url}/ok": "TLS_SELF_SIGNED",
        f"{secure['expired'].url}/ok": "TLS_SELF_SIGNED",
        "http://127.0.0.1:9/": "CONNECTION_REFUSED",
        "http://no-such-host.invalid/": "DNS_FAILED",
        "mailto:me@a.example": "NOT_FETCHED",
        "ftp://a.example/x": "UNSUPPORTED_SCHEME",
        "http://": "INVALID_URL",
    }


def test_redirects_have_their_chain(checked: Called, server: LinkServer) -> None:
    details = checked.has("details")
    assert details[f"{server.url}/redirect/308/redirect/301/ok"] == {
        "method": "HEAD",
        "redirects": [
            {"url": f"{server.url}/redirect/308/redirect/301/ok", "status": 308},
            {"url": f"{server.url}/redirect/301/ok", "status": 301},
        ],
        "final_status": 200,
        "final_url": f"{server.url}/ok",
    }
    long = f"{server.url}/redirect/302/redirect/302/redirect/302/redirect/302/redirect/302/redirect/302/ok"
    assert checked.has("statuses")[long] == "TOO_MANY_REDIRECTS"


def test_a_refused_head_is_reported(checked: Called, server: LinkServer) -> None:
    details = checked.has("details")
    assert details[f"{server.url}/refuses-head/405"] == {"method": "GET", "refused": 405}
    assert f"{server.url}/ok" not in details
    assert server.asked["GET", "/ok"] == 1, "for the anchors; the others by HEAD"


def test_a_host_that_asks_for_patience_gets_it_up_to_a_bound(tmp_path: Path) -> None:
    called = Called(tmp_path)
    with link_server() as server:
        patient, long = f"{server.url}/limited/1/2", f"{server.url}/limited/2/9"
        (called.root / "page.md").write_text(f"<{patient}> <{long}>\n")
        called.run("discover")
        called.run("check", {"retry_after_max_s": 1})
    assert called.has("statuses") == {patient: 200, long: 429}
    assert called.has("details") == {
        patient: {"method": "GET", "waited": ["1"]},
        long: {"method": "GET", "retry_after": "2"},
    }
