"""Reports of false blocks: from a page with token and form, by the API, and listed where people look."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import served_sample as sample
from served_client import BASE, TOKEN, client_of, make_root
from starlette.testclient import TestClient

PAGE = "/t/shop/refuted"
FORM = f"{PAGE}/false-block"
API = "/api/v1/repositories/shop/tasks/refuted/false-blocks"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_root(tmp_path_factory.mktemp("served"))


@pytest.fixture
def client(root: Path, tmp_path: Path) -> Iterator[TestClient]:
    with client_of(root, tmp_path) as found:
        yield found


def log_in(client: TestClient) -> str:
    client.get(f"/login?token={TOKEN}")
    shown = client.get(PAGE).text
    return shown.partition('name="form_token" value="')[2].partition('"')[0]


def send(client: TestClient, **fields: Any) -> Any:
    return client.post(FORM, data=fields, headers={"origin": BASE})


def folder_digest(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        digest.update(f"{path}".encode() + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()


def test_a_person_with_the_token_reports_one_and_the_verdict_stays(client: TestClient, root: Path) -> None:
    before, page = folder_digest(root), client.get(f"{PAGE}.json").json()
    assert "Report it" not in client.get(PAGE).text
    token = log_in(client)
    assert "Report it" in client.get(PAGE).text
    wrong = page["blocking"][0]
    done = send(client, form_token=token, reason=" It is flaky here. ", by="alice", finding=[wrong])
    assert (done.status_code, done.headers["location"]) == (303, f"{PAGE}#false-blocks")
    after = client.get(f"{PAGE}.json").json()
    (report,) = after.pop("false_blocks")
    page.pop("false_blocks")
    assert (report["reason"], report["by"], report["findings"]) == ("It is flaky here.", "alice", [wrong])
    assert (
        report["verdict"]
        == f"sha256:{hashlib.sha256((root / '.artifacts/refuted/verdict.json').read_bytes()).hexdigest()}"
    )
    # Nothing that is judged, sealed or shown of the verdict is another.
    assert after == page
    assert folder_digest(root) == before
    history = client.get("/history.json").json()["false_blocks"]
    assert history["reports"] == [report]
    assert dict(history["codes"]) == dict.fromkeys(report["reasons"], 1)
    assert client.get("/api/v1/false-blocks?repository=shop").json() == history
    assert "It is flaky here." in client.get("/history").text
    # Said again it is the same report.
    assert send(client, form_token=token, reason="It is flaky here.", finding=[wrong]).status_code == 303
    assert len(client.get("/history.json").json()["false_blocks"]["reports"]) == 1


def test_who_has_no_token_or_no_form_reports_nothing(client: TestClient) -> None:
    assert send(client, form_token="x", reason="why").status_code == 403
    token = log_in(client)
    assert send(client, form_token="x", reason="why").status_code == 403
    assert client.post(FORM, data={"form_token": token, "reason": "why"}).status_code == 403
    foreign = client.post(FORM, data={"form_token": token, "reason": "why"}, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    # The API takes the token in a header, and no cookie.
    assert client.post(API, json={"reason": "why"}, headers={"origin": BASE}).status_code == 401
    assert client.get("/history.json").json()["false_blocks"]["reports"] == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "a reason has a word"),
        ({"reason": " … "}, "a reason has a word"),
        ({"reason": "a\u202eb"}, "can&#39;t be seen"),
        ({"reason": "why " * 400}, "at most 1000"),
        ({"reason": "why", "by": "a\nb"}, "a name is one line"),
        ({"reason": "why", "finding": "code.tests_pas"}, "did you mean"),
        ({"reason": "why", "finding": sample.PAYLOAD}, "no check"),
    ],
)
def test_what_cant_be_taken_is_refused_in_words(client: TestClient, fields: dict[str, str], said: str) -> None:
    done = send(client, form_token=log_in(client), **fields)
    assert (done.status_code, said in done.text) == (400, True), done.text
    assert "<script>document" not in done.text


def test_only_a_verdict_that_blocked_can_be_reported(client: TestClient) -> None:
    token = log_in(client)
    for task, status in (("broken", 409), ("open", 409), ("none", 404)):
        done = client.post(
            f"/t/shop/{task}/false-block", data={"form_token": token, "reason": "a"}, headers={"origin": BASE}
        )
        assert done.status_code == status, (task, done.text)


def test_a_program_reports_one(client: TestClient) -> None:
    done = client.post(API, json={"reason": "It is flaky.", "by": "ci"}, headers=BEARER)
    assert done.status_code == 201
    made = done.json()
    assert made["findings"] == client.get(f"{PAGE}.json").json()["blocking"]
    assert client.post(API, json={"reason": "It is flaky."}, headers=BEARER).status_code == 200
    assert client.get("/api/v1/false-blocks").json()["reports"] == [made]
    assert client.get("/api/v1/false-blocks?repository=none").status_code == 404
    for body, status in (
        (b"", 422), (b"[]", 422), (b'{"reason": ""}', 422), (b'{"reason": 1}', 422),
        (b'{"reason": "a", "more": 1}', 422),
        (b'{"reason": "a", "findings": ["no.such"]}', 422), (b"[" * 400_000, 422), (b" " * 600_000, 413),
    ):  # fmt: skip
        refused = client.post(API, content=body, headers={**BEARER, "content-type": "application/json"})
        assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json"), body[:40]
    assert client.post(API, content=b"reason=a", headers=BEARER).status_code == 415


def test_hostile_texts_of_a_report_are_texts(client: TestClient) -> None:
    reason = sample.PAYLOAD
    assert client.post(API, json={"reason": reason, "by": '"><img src=x>'}, headers=BEARER).status_code == 201
    for page in ("/history", PAGE):
        shown = client.get(page).text
        assert "&lt;script&gt;document.title" in shown
        assert "<img src=x" not in shown
    assert client.get("/history.json").json()["false_blocks"]["reports"][0]["reason"] == reason
