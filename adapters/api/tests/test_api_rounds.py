"""Which endpoints are called, how often and in which order, in a service that is started for the call."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from api_service import MINI

from api_adapter.responses import run
from api_adapter.service import run_service
from api_adapter.settings import read_settings
from verigate.sdk import Request

ITEM = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
GOOD = {"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": ITEM}}}}}
WRITES = {**GOOD, "requestBody": {"required": True, "content": {"application/json": {"schema": ITEM}}}}
ONE = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}], **GOOD}
PATHS: Mapping[str, Any] = {"/items": {"get": GOOD, "post": WRITES}, "/items/{id}": {"get": ONE, "delete": ONE}}
APP = """
from mini import Mini

app = Mini()
CALLS = []


def answer(method):
    def call(request, *key):
        CALLS.append(method)
        BODY
        return {"id": 1}
    return call


for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
    app.get("/items", method)(answer(method))
    app.get("/items/{id}", method)(answer(method))
app.run()
"""


def request_for(folder: Path, body: str, paths: Mapping[str, Any], **config: Any) -> Request:
    root, task = folder / "repository", folder / "T1"
    for made in (root, task):
        made.mkdir(exist_ok=True)
    (root / "mini.py").write_text(MINI)
    (root / "app.py").write_text(APP.replace("BODY", body))
    (root / "openapi.json").write_text(json.dumps({"openapi": "3.0.3", "paths": paths}))
    service = {} if "base_url" in config else {"service": {"command": [sys.executable, "app.py"]}}
    return Request("api:responses", task, repo_root=root, config={**service, **config}, environ=dict(os.environ))


def facts(folder: Path, body: str = "pass", paths: Mapping[str, Any] = PATHS, **config: Any) -> tuple[Any, Any]:
    """The artifacts responses.json and schema.json."""
    run(request_for(folder, body, paths, **config))
    responses, schema = ((folder / "T1" / "api" / f"{name}.json").read_bytes() for name in ("responses", "schema"))
    return json.loads(responses), json.loads(schema)


def test_what_writes_is_called_too_and_what_deletes_last(tmp_path: Path) -> None:
    late = 'if "DELETE" in CALLS and method != "DELETE": return 500, {}'
    responses, schema = facts(tmp_path, late)
    assert {name: entry["status"] for name, entry in responses.items()} == {
        "DELETE /items/{id}": 200,
        "GET /items": 200,
        "GET /items/{id}": 200,
        "POST /items": 200,
    }
    assert (schema["ok"], schema["not_called"], schema["refused"]) == (True, [], [])


def test_a_write_that_fails_is_a_violation(tmp_path: Path) -> None:
    responses, schema = facts(tmp_path, 'if method == "POST": return 500, {}')
    assert responses["POST /items"]["status"] == 500
    assert [(error["endpoint"], error["keyword"]) for error in schema["errors"]] == [("POST /items", "status")]


def test_a_write_that_refuses_generated_input_is_reported_and_not_unexercised(tmp_path: Path) -> None:
    refuses = 'if method == "POST": return 404, {}'
    _, schema = facts(tmp_path, refuses)
    assert (schema["ok"], schema["unexercised"]) == (True, [])
    assert [entry["endpoint"] for entry in schema["refused"]] == ["POST /items"]
    _, schema = facts(tmp_path, refuses, methods=["GET", "POST", "DELETE"])
    assert [entry["endpoint"] for entry in schema["unexercised"]] == ["POST /items"]


def test_a_service_that_runs_already_is_not_written_to_unless_asked(tmp_path: Path) -> None:
    started = request_for(tmp_path, "pass", PATHS)
    with run_service(read_settings(started), started) as service:
        responses, schema = facts(tmp_path, base_url=service.base_url)
        assert sorted(responses) == ["GET /items", "GET /items/{id}"]
        assert {entry["endpoint"] for entry in schema["not_called"]} == {"POST /items", "DELETE /items/{id}"}
        responses, _ = facts(tmp_path, base_url=service.base_url, methods=["POST"])
        assert sorted(responses) == ["POST /items"]


@pytest.mark.parametrize(
    ("body", "config", "failing"),
    [
        ("if len(CALLS) > 12: return 500, {}", {}, ["GET /items"]),
        ("if len(CALLS) > 12: return 500, {}", {"rounds": 1}, []),
        ("if len(CALLS) > 15: return 500, {}", {}, []),
    ],
)
def test_an_endpoint_that_fails_after_some_calls(
    tmp_path: Path, body: str, config: dict[str, Any], failing: list[str]
) -> None:
    responses, _ = facts(tmp_path, body, {"/items": {"get": GOOD}}, **config)
    assert [name for name, entry in responses.items() if entry["status"] == 500] == failing


def test_a_read_that_fails_after_a_write_is_seen(tmp_path: Path) -> None:
    responses, _ = facts(tmp_path, 'if method == "GET" and "POST" in CALLS: return 500, {}')
    assert responses["GET /items"]["statuses"] == {"200": 5, "500": 10}
