"""The application without a network: every page and its JSON, refusals, headers, and hostile texts in all of them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import literal_facts as literal
import published_tasks as published
import pytest
import served_sample as sample
from served_client import BASE, TOKEN, client_of, make_root
from starlette.testclient import TestClient

from verigate.serve.web.gatekeeper import PAGE_POLICY, RAW_POLICY

FORM = {"origin": BASE, "content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_root(tmp_path_factory.mktemp("served"))


@pytest.fixture
def client(root: Path, tmp_path: Path) -> Iterator[TestClient]:
    with client_of(root, tmp_path) as found:
        yield found


class Page(HTMLParser):
    """What a page has: elements with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.elements if found == tag]


PAGES = (
    "/tasks",
    "/tasks?q=tests&status=fail&page=1",
    "/history",
    "/history?repository=shop",
    "/t/shop/refuted",
    "/t/shop/hostile",
    "/t/shop/broken",
    "/t/shop/open",
    "/doctor/shop",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_html_and_json_under_a_strict_policy(client: TestClient, path: str) -> None:
    shown = client.get(path)
    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert shown.headers["content-security-policy"] == PAGE_POLICY
    assert "unsafe" not in PAGE_POLICY
    for name, value in (
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cache-control", "no-store"),
    ):
        assert shown.headers[name] == value
    address, _, query = path.partition("?")
    document = client.get(f"{address}.json?{query}")
    assert (document.status_code, document.headers["content-type"]) == (200, "application/json")
    assert isinstance(document.json(), dict)
    hrefs = [each.get("href") for each in Page(shown.text).all("a")]
    assert f"{address}.json{'?' + query if query else ''}" in hrefs


def test_a_task_shows_what_was_said_with_its_facts(client: TestClient) -> None:
    page = client.get("/t/shop/refuted.json").json()
    assert (page["state"], page["instruction"]) == ("fail", "Make f return 2.\nAdd g.")
    said = {each["text"]: each for each in page["statements"]}
    refuted = said["All tests pass."]
    assert refuted["outcome"] == "refuted"
    fact = next(each for each in refuted["facts"] if each["pointer"] == "/failed")
    assert (fact["artifact"], fact["value"], fact["lines"]) == ("tests.json", 2, ["2"])
    assert said["It is quick."]["outcome"] == "unknown"
    ids = {check["anchor"]: check for group in page["groups"] for check in group["checks"]}
    check = ids[refuted["check"]]
    assert check["problem"]
    assert any("gate explain refuted" in line for line in check["commands"])
    # The deep link of a fact leads to a place that is there.
    address, _, place = fact["href"].partition("#")
    assert place in [attributes.get("id") for _, attributes in Page(client.get(address).text).elements]
    ids_of_page = [
        attributes["id"] for _, attributes in Page(client.get("/t/shop/refuted").text).elements if "id" in attributes
    ]
    assert len(ids_of_page) == len(set(ids_of_page))
    assert dict(page["rules"])["tests_min"] == 5
    assert page["metrics"]
    assert {"check-code.tests_pass", refuted["check"], "cells", "statements", "artifacts"} <= set(ids_of_page)


def test_the_cells_show_what_weakens_first(client: TestClient) -> None:
    matrix = client.get("/t/shop/refuted.json").json()["matrix"]
    assert [(row["test"], row["kind"], row["cells"]) for row in matrix["rows"]] == [
        ("t.py::test_a", "loosened", ["P", "F", "P", "P"]),
        ("t.py::test_b", "flaky", ["PP", "PP", "PF", "FP"]),
    ]
    assert matrix["counts"] == {"flaky": 1, "loosened": 1}


def test_a_broken_seal_shows_nothing_of_what_lies_there(client: TestClient) -> None:
    page = client.get("/t/shop/broken")
    assert "The seal is broken" in page.text
    assert "its content has changed since the verdict" in page.text
    assert client.get("/t/shop/broken.json").json()["groups"] == []
    for address in ("/t/shop/broken/artifact/tests.json", "/t/shop/broken/raw/tests.json"):
        found = client.get(address)
        assert found.status_code == 409, address
        assert b'"failed"' not in found.content
    assert client.get("/t/shop/open/raw/commitment.json").status_code == 404


@pytest.mark.parametrize(
    ("path", "viewer", "wanted"),
    [
        ("tests.json", "json", 'id="at-/failures/0/id"'),
        ("coverage.json", "coverage", "no test runs this line"),
        ("diffs.patch", "diff", "F401"),
        ("my/shot.png", "picture", '<img src="/t/shop/refuted/raw/my/shot.png"'),
        ("my/report.xml", "junit", "1 passed, 1 failed, 0 skipped"),
        ("my/page.html", "text", "&lt;script&gt;"),
        ("logs/code.tests.out", "text", 'id="L2"'),
        ("run.json", "json", "verigate:run.v1"),
    ],
)
def test_each_kind_of_artifact_has_its_viewer(client: TestClient, path: str, viewer: str, wanted: str) -> None:
    page = client.get(f"/t/shop/refuted/artifact/{path}")
    assert (page.status_code, page.headers["content-security-policy"]) == (200, PAGE_POLICY)
    assert wanted in page.text
    assert client.get(f"/t/shop/refuted/artifact/{path}.json").json()["viewer"] == viewer


def test_what_isnt_what_its_name_says_is_shown_as_text(client: TestClient) -> None:
    for path in ("my/evil.png", "my/evil.xml", "my/evil.svg"):
        assert client.get(f"/t/shop/hostile/artifact/{path}.json").json()["viewer"] == "text", path
        assert "<img" not in client.get(f"/t/shop/hostile/artifact/{path}").text


def test_evidence_of_any_shape_is_an_answer(tmp_path: Path) -> None:
    """Who may write to ``.artifacts`` may seal again what no adapter would write, where the verdict follows from it."""
    root = tmp_path / "shop"
    tests = literal.GOOD["tests.json"]
    shapes: tuple[object, ...] = (
        {},
        [],
        "x",
        None,
        {"lines": 3, "patch": [], "files": [1]},
        {"tests": [{}], "counts": [], "issues": 7, "findings": "x", "total": "y", "failures": [1, None]},
        {"lines": {"covered": 1, "total": 0}, "files": [{"path": None, "covered": "x", "total": {}}]},
    )
    made = []
    for name in (
        "coverage.json",
        "counterfactual.json",
        "lint.json",
        "integrity.json",
        "diff.json",
        "sensitivity.json",
    ):
        for shape in shapes:
            task_id = f"odd{len(made)}"
            # Some shapes no verdict follows from.
            with contextlib.suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                published.publish_task(root, task_id, {"tests.json": tests, name: shape}, {"tests_pass": True})
                made.append(task_id)
    assert len(made) > 20
    with client_of(root, tmp_path) as client:
        assert client.get("/tasks").status_code == client.get("/history").status_code == 200
        for task_id in made:
            page = client.get(f"/t/shop/{task_id}.json")
            assert page.status_code == 200
            for each in page.json()["artifacts"]:
                assert client.get(each["href"]).status_code == 200, (task_id, each["path"])


def test_raw_artifacts_never_run_or_are_taken_for_anything(client: TestClient) -> None:
    for path in ("my/evil.svg", "my/evil.png", "my/evil.xml", "diffs.patch", "tests.json", "run.json"):
        raw = client.get(f"/t/shop/hostile/raw/{path}")
        assert raw.status_code == 200, path
        assert raw.headers["content-type"] == "text/plain; charset=utf-8"
        assert raw.headers["content-security-policy"] == RAW_POLICY
        assert raw.headers["x-content-type-options"] == "nosniff"
        assert raw.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    picture = client.get("/t/shop/refuted/raw/my/shot.png")
    assert (picture.headers["content-type"], picture.content) == ("image/png", sample.make_png())
    assert picture.headers["content-security-policy"] == RAW_POLICY


def test_no_path_leads_out_of_a_verdicts_index(client: TestClient, root: Path) -> None:
    (root / ".artifacts/refuted/secret.txt").write_text("not in the index")
    (root / ".artifacts/refuted/my/link").symlink_to("/etc/passwd")
    (root / ".artifacts/linked").symlink_to(root / ".artifacts/refuted")
    try:
        for path in (
            "/t/shop/refuted/raw/secret.txt",
            "/t/shop/refuted/raw/my/link",
            "/t/shop/refuted/raw/../broken/tests.json",
            "/t/shop/refuted/raw/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
            "/t/shop/refuted/raw//etc/passwd",
            "/t/shop/refuted/raw/..%2f..%2f..%2f..%2fetc%2fpasswd",
            "/t/shop/refuted/raw/verdict.json",
            "/t/shop/refuted/raw/%00",
            "/t/shop/linked",
            "/t/shop/..%2f..%2fetc/raw/passwd",
            "/t/shop/%2e%2e",
            "/t/shop/.approvals",
            "/t/other/refuted",
            "/static/../server.py",
            "/static/..%2fserver.py",
            "/static/htmx.LICENSE",
        ):
            found = client.get(path)
            assert found.status_code == 404, (path, found.status_code)
            assert b"root:" not in found.content
    finally:
        for name in ("refuted/secret.txt", "refuted/my/link", "linked"):
            (root / ".artifacts" / name).unlink()


def test_hostile_texts_are_texts_on_every_page(client: TestClient) -> None:
    listed = client.get("/t/shop/hostile.json").json()["artifacts"]
    addresses = ["/tasks", "/history", "/t/shop/hostile", *(each["href"] for each in listed)]
    addresses += ["/tasks?q=" + "".join(f"%{ord(c):02x}" for c in sample.PAYLOAD)]
    seen = 0
    for address in addresses:
        shown = client.get(address)
        assert shown.status_code == 200, address
        page = Page(shown.text)
        # Scripts and styles are the page's own, and nothing has a handler.
        assert [each["src"] for each in page.all("script")] == ["/static/htmx.min.js", "/static/live.js"], address
        assert not [tag for tag, _ in page.elements if tag in {"style", "base", "svg", "iframe", "object"}], address
        assert [each["src"] for each in page.all("img") if not str(each["src"]).startswith("/t/")] == [], address
        for _, attributes in page.elements:
            handlers = [name for name in attributes if name.startswith(("on", "hx-", "data-hx-on"))]
            assert handlers == [], address
            for name in ("href", "src", "action", "data-hx-get"):
                assert str(attributes.get(name, "/")).startswith(("/", "#")), (address, attributes)
        # What can't be seen, or turns the direction of reading, is written out.
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]", shown.text), address
        assert "109876463" not in shown.text, address  # no template is made of a text
        seen += "&lt;script&gt;document.title=" in shown.text
    assert seen >= 6


def test_another_host_name_is_refused(client: TestClient) -> None:
    for host in ("evil.example", "evil.example:8642", "127.0.0.1.evil.example", ""):
        refused = client.get("/t/shop/refuted", headers={"host": host})
        assert (refused.status_code, b"refuted" in refused.content) == (421, False), host
        assert refused.headers["x-content-type-options"] == "nosniff"


def log_in(client: TestClient) -> str:
    """Log in, and return the token of forms."""
    assert client.get("/login?token=wrong").status_code == 403
    assert client.get("/login").status_code == 403
    done = client.get(f"/login?token={TOKEN}")
    assert (done.status_code, done.headers["location"]) == (303, "/tasks")
    cookie = done.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))
    assert TOKEN not in cookie
    fields = Page(client.get("/t/shop/refuted").text).all("input")
    (token,) = {each["value"] for each in fields if each.get("name") == "form_token"}
    return str(token)


def test_to_verify_again_needs_token_origin_and_form(client: TestClient) -> None:
    address = "/t/shop/refuted/verify"
    assert "Verify again" not in client.get("/t/shop/refuted").text
    assert client.post(address, data={"form_token": "x"}, headers={"origin": BASE}).status_code == 403
    token = log_in(client)
    assert client.post(address, data={"form_token": token}).status_code == 403  # no origin
    assert client.post(address, data={"form_token": "x"}, headers={"origin": BASE}).status_code == 403
    assert (
        client.post(address, data={"form_token": token}, headers={"origin": "http://evil.example"}).status_code == 403
    )
    assert client.post(address, content=b"a" * 100_000, headers=FORM).status_code == 403
    assert client.get(address).status_code == 405
    for missing in ("/t/shop/none/verify", "/t/none/refuted/verify", "/t/shop/a%20b/verify"):
        assert client.post(missing, data={"form_token": token}, headers={"origin": BASE}).status_code == 404, missing
    client.cookies.clear()
    assert client.post(address, headers={"authorization": "Bearer wrong"}).status_code == 403


def test_a_read_only_server_changes_nothing_for_anybody(root: Path, tmp_path: Path) -> None:
    with client_of(root, tmp_path, read_only=True) as client:
        client.get(f"/login?token={TOKEN}")
        for address in ("/t/shop/refuted/verify", "/t/shop/refuted/false-block", "/doctor/shop"):
            refused = client.post(address, headers={"authorization": f"Bearer {TOKEN}", "origin": BASE})
            assert (refused.status_code, "read-only" in refused.text) == (403, True)
        for page in ("/t/shop/refuted", "/doctor/shop"):
            assert not Page(client.get(page).text).all("button")


def test_a_server_beyond_loopback_shows_nothing_without_the_token(root: Path, tmp_path: Path) -> None:
    with client_of(root, tmp_path, reads_need_token=True) as client:
        for path in ("/", "/tasks", "/tasks.json", "/t/shop/refuted/raw/tests.json", "/events?about=tasks", "/nope"):
            refused = client.get(path)
            assert (refused.status_code, b"refuted" in refused.content) == (401, False), path
        assert client.get("/static/style.css").status_code == 200
        assert client.get("/tasks", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
        client.get(f"/login?token={TOKEN}")
        assert client.get("/tasks").status_code == 200


def test_addresses_that_are_not_there_say_so(client: TestClient) -> None:
    for path in ("/nope", "/t/shop/none", "/t/none/refuted", "/runs/77", "/adapters/none", "/history?repository=none"):
        found = client.get(path)
        assert found.status_code == 404, path
        assert "<h1>Not" in found.text
    assert client.get("/t/shop/none.json").json()["status"] == 404
    assert client.post("/tasks").status_code == 405
    assert client.get("/").headers["location"] == "/tasks"
    for query in ("page=-1", "page=1e9", "page=999999999999999999999", "page=٣", "status=%00", "q=%ff"):
        assert client.get(f"/tasks?{query}").status_code == 200, query


def test_why_a_repository_has_no_adapters_is_shown(tmp_path: Path) -> None:
    manifest = tmp_path / "shop/adapters/mine/manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{")
    with client_of(tmp_path / "shop", tmp_path) as client:
        problem = client.get("/adapters/shop.json").json()["problem"]
        assert "manifest.json" in problem or "JSON" in problem, problem
