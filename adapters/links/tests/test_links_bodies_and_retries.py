"""What shows only in bodies, and what a second try gives."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from link_server import link_server
from links_call import Called

BODIES = {
    "/ok": 200,
    "/gzip-broken": "BAD_ENCODING",
    "/cut": "INCOMPLETE_BODY",
    "/error-page": "ERROR_BODY",
    "/error-json": "ERROR_BODY",
    "/endless": 200,
    "/status/500": 500,
    "/ok#nowhere": "FRAGMENT_NOT_FOUND",
    "/error-page#x": "FRAGMENT_NOT_FOUND",
}


@pytest.mark.slow
def test_bodies_are_read_where_that_is_asked_for(tmp_path: Path) -> None:
    called = Called(tmp_path)
    with link_server() as server:
        (called.root / "page.md").write_text("".join(f"<{server.url}{path}>\n" for path in BODIES))
        called.run("discover")
        called.run("check", {"bodies": True}, {"timeout_ms": 10_000, "treat_3xx_as_pass": True})
        found = {url.removeprefix(server.url): status for url, status in called.has("statuses").items()}
        details = called.has("details")
        assert details[f"{server.url}/error-page"]["note"] == "404 Not Found"
        assert details[f"{server.url}/error-json"]["note"] == "status 404"
    assert found == BODIES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "statuses"),
    [
        ({"treat_3xx_as_pass": True}, {"/redirect/301/ok": 200, "/redirect/302/missing": 404}),
        ({"treat_3xx_as_pass": False}, {"/redirect/301/ok": 301, "/redirect/302/missing": 302}),
        ({"failures_max": 0}, {"/redirect/301/ok": 301, "/redirect/302/missing": 302}),
    ],
)
def test_the_profile_says_whether_the_first_or_the_final_answer_counts(
    tmp_path: Path, rules: dict[str, object], statuses: dict[str, int]
) -> None:
    called = Called(tmp_path)
    with link_server() as server:
        (called.root / "page.md").write_text("".join(f"<{server.url}{path}>\n" for path in statuses))
        called.run("discover")
        called.run("check", rules=rules)
        found = {url.removeprefix(server.url): status for url, status in called.has("statuses").items()}
        finals = {url.removeprefix(server.url): told["final_status"] for url, told in called.has("details").items()}
    assert found == statuses
    assert finals == {"/redirect/301/ok": 200, "/redirect/302/missing": 404}


@pytest.mark.slow
def test_only_failures_are_tried_again_and_a_flaky_one_is_said_to_be(tmp_path: Path) -> None:
    called = Called(tmp_path)
    with link_server() as server:
        links = [f"{server.url}{path}" for path in ("/ok", "/status/500", "/flaky/2/a", "/ok#nowhere")]
        text = "".join(f"<{link}>\n" for link in links)
        (called.root / "page.md").write_text(f"{text}[gone](gone.md) <mailto:a@b.example>\n")
        called.run("discover")
        called.run("check")
        before = (called.task / "links" / "statuses.json").read_bytes()
        asked = Counter(server.asked)
        called.run("resample", {"resample_attempts": 3, "resample_wait_ms": 20})
        assert (called.task / "links" / "statuses.json").read_bytes() == before
        assert called.has("resample") == {
            f"{server.url}/flaky/2/a": {
                "first": 503,
                "attempts": [
                    {"attempt": 1, "status": 503, "waited_ms": 0},
                    {"attempt": 2, "status": 200, "waited_ms": 20},
                    {"attempt": 3, "status": 200, "waited_ms": 40},
                ],
                "answered": 2,
                "flaky": True,
            },
            f"{server.url}/status/500": {
                "first": 500,
                "attempts": [{"attempt": n, "status": 500, "waited_ms": ms} for n, ms in ((1, 0), (2, 20), (3, 40))],
                "answered": 0,
                "flaky": False,
            },
        }
        meta = called.has("resample.meta")
        assert (meta["links"], meta["failed"], meta["tried_again"]) == (6, 4, 2)
        assert meta["flaky"] == [f"{server.url}/flaky/2/a"]
        assert meta["not_tried"] == sorted(["gone.md", f"{server.url}/ok#nowhere"])
        assert server.asked - asked == Counter({("GET", "/flaky/2/a"): 3, ("GET", "/status/500"): 3})


@pytest.mark.slow
@pytest.mark.parametrize("by", ["configuration", "manifest"])
def test_nothing_is_asked_where_the_network_is_forbidden(tmp_path: Path, by: str) -> None:
    called = Called(tmp_path, network_in_manifest=by != "manifest")
    config = {"network": by != "configuration"}
    with link_server() as server:
        (called.root / "page.md").write_text(f"<{server.url}/ok> [here](page.md)\n")
        web = {"start_urls": [f"{server.url}/start"], "sitemaps": [f"{server.url}/sitemap.xml"]}
        called.run("discover", {**config, **web})
        called.run("check", config)
        called.run("resample", config)
        assert not server.asked
        assert called.has("statuses") == {
            "page.md": 200,
            f"{server.url}/ok": "NETWORK_FORBIDDEN",
            f"{server.url}/start": "NETWORK_FORBIDDEN",
        }
        for name in ("discover.meta", "check.meta", "resample.meta"):
            assert called.has(name)["network"] == {"used": False, "forbidden_by": by}
        assert called.has("discover.meta")["sitemaps"][f"{server.url}/sitemap.xml"]["status"] == "NETWORK_FORBIDDEN"
        assert called.has("resample") == {}
