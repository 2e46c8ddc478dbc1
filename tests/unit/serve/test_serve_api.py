"""The HTTP API without a network: values, problems, the document, who may change something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from served_client import BASE, TOKEN, client_of, make_root
from starlette.testclient import TestClient

from verigate.serve.web.gatekeeper import PAGE_POLICY, RAW_POLICY

API = "/api/v1"
TASK = f"{API}/repositories/shop/tasks"
BEARER = {"authorization": f"Bearer {TOKEN}"}
CHANGES = (
    f"{TASK}/refuted/verify",
    f"{TASK}/refuted/false-blocks",
    f"{API}/repositories/shop/doctor",
    f"{API}/repositories/shop/adapters/reload",
    f"{API}/repositories/shop/engines/claude-cli/test",
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_root(tmp_path_factory.mktemp("served"))


@pytest.fixture
def client(root: Path, tmp_path: Path) -> Iterator[TestClient]:
    with client_of(root, tmp_path) as found:
        yield found


def document_of(client: TestClient) -> Any:
    return client.get(f"{API}/openapi.json").json()


def test_values_are_those_of_the_pages(client: TestClient) -> None:
    for path, page in (
        (f"{TASK}/refuted", "/t/shop/refuted.json"),
        (f"{TASK}/broken", "/t/shop/broken.json"),
        (f"{TASK}/open", "/t/shop/open.json"),
        (f"{API}/stats", "/history.json"),
        (f"{API}/stats?repository=shop", "/history.json?repository=shop"),
        (f"{API}/repositories/shop/doctor", "/doctor/shop.json"),
    ):
        assert client.get(path).json() == client.get(page).json(), path
    query = "status=fail&q=tests"
    assert client.get(f"{API}/tasks?{query}").json() == client.get(f"/tasks.json?{query}").json()["queue"]
    (only,) = client.get(f"{API}/repositories").json()["repositories"]
    assert client.get(only["tasks_href"]).json()["total"] == 4


def test_parts_are_of_a_genuine_verdict_or_refused(client: TestClient) -> None:
    page = client.get(f"{TASK}/refuted").json()
    for part, key in (
        ("units", "units"),
        ("statements", "statements"),
        ("checks", "groups"),
        ("runs", "runs"),
        ("artifacts", "artifacts"),
    ):
        found = client.get(f"{TASK}/refuted/{part}").json()
        assert found[key] == page[key]
        assert (found["task_id"], found["state"]) == ("refuted", "fail")
        for task, status in (("broken", 409), ("open", 404), ("none", 404)):
            refused = client.get(f"{TASK}/{task}/{part}")
            assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json")
            assert key not in refused.json()
    assert client.get(f"{TASK}/refuted/metrics").json()["rules"]["tests_min"] == 5


def test_bytes_of_artifacts_are_sent_as_pages_send_them(client: TestClient) -> None:
    for path in ("tests.json", "my/shot.png", "my%2Fshot.png"):
        sent, raw = client.get(f"{TASK}/refuted/artifacts/{path}"), client.get(f"/t/shop/refuted/raw/{path}")
        assert (sent.status_code, sent.content) == (200, raw.content)
        for name in ("content-type", "content-disposition", "content-security-policy", "x-content-type-options"):
            assert sent.headers[name] == raw.headers[name]
        assert sent.headers["content-security-policy"] == RAW_POLICY
    for path in ("verdict.json", "..%2f..%2f..%2fetc%2fpasswd", "%00", "my/none"):
        refused = client.get(f"{TASK}/refuted/artifacts/{path}")
        assert (refused.status_code, refused.headers["content-type"]) == (404, "application/problem+json"), path
    assert client.get(f"{TASK}/broken/artifacts/tests.json").status_code == 409


def test_what_is_asked_is_read_strictly(client: TestClient) -> None:
    for query, said in (
        ("status=failed", "Invalid enum value"),
        ("statuss=fail", "there is no parameter 'statuss'"),
        ("page=0", ">= 1"),
        ("page=x", "int"),
        ("page=1&page=2", "twice"),
        ("age=year", "Invalid enum value"),
        ("ended=maybe", "bool"),
        (f"q={'a' * 201}", "200"),
    ):
        refused = client.get(f"{API}/tasks?{query}")
        problem = refused.json()
        assert (refused.status_code, problem["status"], problem["where"]) == (400, 400, f"{API}/tasks"), query
        assert said in problem["detail"], problem
        assert problem["hint"], problem
    assert "status" in client.get(f"{API}/tasks?statuss=fail").json()["hint"]
    assert client.get(f"{TASK}/refuted?x=1").status_code == 400
    last = client.get(f"{API}/tasks?page=7").json()
    assert (last["rows"], last["page"], last["pages"]) == ([], 7, 1)


def test_errors_are_problems_that_say_where(client: TestClient) -> None:
    for path, status in ((f"{API}/nope", 404), (f"{TASK}/none", 404), (f"{API}/runs/7", 404), (f"{API}/", 404)):
        refused = client.get(path)
        assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json"), path
        assert refused.json()["where"] == path
        assert refused.headers["content-security-policy"] == PAGE_POLICY
    wrong = client.put(f"{API}/repositories/shop/doctor")
    assert (wrong.status_code, set(wrong.headers["allow"].split(", "))) == (405, {"GET", "HEAD", "POST"})
    named = client.get(f"{API}/tasks", headers={"host": "evil.example"})
    assert (named.status_code, named.headers["content-type"]) == (421, "application/problem+json")


def test_changes_need_the_token_itself(client: TestClient) -> None:
    client.get(f"/login?token={TOKEN}")
    shown = client.get("/t/shop/refuted").text
    form = re.search(r'name="form_token" value="([^"]+)"', shown)
    assert form is not None
    for path in (*CHANGES, f"{TASK}/none/verify", f"{API}/repositories/none/doctor"):
        # The cookie and the form of a page are not enough, nor is another token.
        for headers in ({}, {"origin": BASE}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
            refused = client.post(path, data={"form_token": form[1]}, headers=headers)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer"), (path, headers)
        assert client.post(path, headers={**BEARER, "origin": "http://evil.example"}).status_code == 403
    for path in (f"{TASK}/none/verify", f"{API}/repositories/none/doctor"):
        assert client.post(path, headers=BEARER).status_code == 404


def test_a_read_only_server_has_no_path_that_changes(root: Path, tmp_path: Path) -> None:
    with client_of(root, tmp_path, read_only=True) as client:
        document = document_of(client)
        assert {method for path in document["paths"].values() for method in path} == {"get"}
        assert client.get(f"{API}/repositories").json()["read_only"]
        for path in CHANGES:
            refused = client.post(path, headers=BEARER)
            assert (refused.status_code, "read-only" in refused.json()["detail"]) == (403, True)


def test_beyond_loopback_all_needs_the_token(root: Path, tmp_path: Path) -> None:
    with client_of(root, tmp_path, reads_need_token=True) as client:
        for path in (f"{API}/tasks", f"{API}/openapi.json", f"{API}/events", f"{API}/nope"):
            refused = client.get(path)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer"), path
            assert refused.json()["hint"]
        document = client.get(f"{API}/openapi.json", headers=BEARER).json()
        for path in document["paths"].values():
            for operation in path.values():
                assert operation["security"] == [{"token": []}]
                assert "401" in operation["responses"]


def test_the_document_is_whole(client: TestClient) -> None:
    document = document_of(client)
    assert document["openapi"].startswith("3.1.")
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))
    references = set(re.findall(r"#/components/schemas/(\w+)", client.get(f"{API}/openapi.json").text))
    schemas = document["components"]["schemas"]
    # What is referred to is there, and nothing else.
    assert references == schemas.keys()
    sent = {"FalseBlockWanted"}
    assert sent < schemas.keys()
    for name, schema in ((name, schema) for name, schema in schemas.items() if name not in sent):
        assert schema.get("required", []) == sorted(schema.get("properties", {})), name
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            needs = operation["security"] == [{"token": []}]
            assert needs == (method != "get"), path
            assert operation["responses"]["default"]["content"].keys() == {"application/problem+json"}
