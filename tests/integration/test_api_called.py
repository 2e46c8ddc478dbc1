"""The API adapter under the gate: a service that runs already, the same facts each time, and what stays undone."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api_service import APP, MINI, OPENAPI, TOKEN, api_project, description, files
from repositories import Ended, Repository

ALL = ("api:endpoints", "api:responses", "api:auth", "api:rate-limits")
RULES = {"schema_valid": True, "undocumented_max": 0, "auth_required": True}


def changed(repo: Repository, texts: dict[str, str]) -> Ended:
    repo.write(texts)
    repo.claim(*(f"file:{name}" for name in texts), type_="change")
    return repo.verify(SHOP_TOKEN=TOKEN)


def fact(repo: Repository, name: str) -> Any:
    return json.loads(repo.artifact(f"api/{name}.json").read_bytes())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[str]:
    """The address of a service of this machine that the gate hasn't started."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "mini.py").write_text(MINI)
    (folder / "app.py").write_text(APP)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = {"PORT": str(port), "SHOP_TOKEN": TOKEN, "PATH": os.environ["PATH"]}
    with subprocess.Popen([sys.executable, "app.py"], cwd=folder, env=env, stdout=subprocess.DEVNULL) as process:
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
        process.kill()


def test_a_service_that_runs_already_is_reached_with_the_network_that_only_its_address_opens(
    tmp_path: Path, running: str
) -> None:
    repo = Repository.make(tmp_path)
    config = {"base_url": running, "credentials": {"token": "SHOP_TOKEN"}, "inputs": 1}
    repo.policy(["code:diff", "api:responses"], {"schema_valid": True})
    repo.commit({**files(), "config/adapters.json": json.dumps({"api": config})})
    repo.task(type_="change")
    ended = changed(repo, {"README.md": "new\n"})
    assert ended.exit_code == 0, str(ended)
    assert fact(repo, "responses.meta")["service"] == "running"
    (run,) = (r for r in json.loads(repo.artifact("run.json").read_bytes())["invocations"] if r["adapter"] == "api")
    assert run["sandbox"]["network"] is True


def test_two_runs_give_the_same_facts_and_replay_agrees(tmp_path: Path) -> None:
    repo = Repository.make(tmp_path)
    api_project(repo, ALL[:3], RULES, inputs=3)
    names = ("endpoints", "schema", "auth")
    seen = []
    for _ in range(2):
        ended = changed(repo, {"README.md": "new\n"})
        assert ended.exit_code == 0, str(ended)
        assert ended.verdict is not None
        ended.verdict.pop("metadata")
        seen.append((ended.verdict, [repo.artifact(f"api/{name}.json").read_bytes() for name in names]))
    assert seen[0] == seen[1]
    assert repo.gate("replay", "T1").exit_code == 0
    assert TOKEN.encode() not in b"".join(path.read_bytes() for path in repo.artifact("").rglob("*") if path.is_file())


TOLD = description(orders={**OPENAPI["paths"]["/orders"], "delete": {"security": [{"token": []}], "responses": {}}})
ROUTE = '@app.get("/orders")\n'
CLEARS = APP.replace(ROUTE, f'@app.delete("/orders")\ndef clear(request):\n    return {{}}\n\n\n{ROUTE}')


def test_what_is_documented_as_protected_and_not_called_is_no_pass(tmp_path: Path) -> None:
    repo = Repository.make(tmp_path)
    rules = RULES | {"schema_valid": False}
    api_project(repo, ["api:endpoints", "api:auth"], rules, openapi=TOLD, app=CLEARS, methods=["GET"])
    ended = changed(repo, {"README.md": "new\n"})
    assert ended.exit_code == 4, str(ended)
    check = ended.check("api.auth_required")
    assert check is not None
    assert "DELETE /orders" in check["message"]
    assert fact(repo, "auth")["not_probed"] == [
        {"endpoint": "DELETE /orders", "why": "the configuration doesn't allow the method DELETE"}
    ]


def test_an_open_endpoint_that_deletes_is_found_in_the_services_own_instance(tmp_path: Path) -> None:
    repo = Repository.make(tmp_path)
    api_project(repo, ["api:auth"], {"auth_required": True}, openapi=TOLD, app=CLEARS)
    ended = changed(repo, {"README.md": "newer\n"})
    assert ended.exit_code == 1, str(ended)
    assert fact(repo, "auth")["violations"] == [{"endpoint": "DELETE /orders", "without": 200}]


SECURED = description(items={"get": {**OPENAPI["paths"]["/items"]["get"], "security": [{"token": []}]}})
GUARDED = APP.replace(
    "def items(request):\n",
    'def items(request):\n    if not request.headers.get("Authorization", "").endswith(os.environ["SHOP_TOKEN"]):\n'
    "        return 401, {}\n",
)


@pytest.mark.parametrize(
    ("app", "openapi", "config", "exit_code"),
    [
        (APP, description(), {}, 1),
        (APP, {**description(), "paths": {k: v for k, v in OPENAPI["paths"].items() if k != "/items"}}, {}, 1),
        (APP, description(), {"base_schema": False}, 0),
        (GUARDED, description(), {}, 0),
        (GUARDED, SECURED, {}, 0),
    ],
    ids=["dropped with its promise", "dropped and unlisted", "not compared", "only the promise", "kept"],
)
def test_a_guard_that_is_dropped_with_its_promise_is_compared_with_the_base(
    tmp_path: Path, app: str, openapi: dict[str, Any], config: dict[str, Any], exit_code: int
) -> None:
    repo = Repository.make(tmp_path)
    api_project(repo, ["api:auth"], {"auth_required": True}, app=GUARDED, openapi=SECURED, **config)
    ended = changed(repo, {"app.py": f"{app}# changed\n", "openapi.json": f"{json.dumps(openapi)}\n"})
    assert ended.exit_code == exit_code, str(ended)
    if exit_code:
        violation = {"endpoint": "GET /items", "without": 200, "protected_at": "base"}
        assert fact(repo, "auth")["violations"] == [violation]


@pytest.mark.parametrize(
    ("capability", "rules", "exit_code"),
    [
        ("api:endpoints", {"undocumented_max": 0, "required_endpoints": ["GET /items/:key"]}, 0),
        ("api:responses", {"schema_valid": True}, 3),
    ],
)
def test_without_a_service_source_and_description_are_compared_and_nothing_is_called(
    tmp_path: Path, capability: str, rules: dict[str, Any], exit_code: int
) -> None:
    repo = Repository.make(tmp_path)
    repo.policy(["code:diff", capability], rules)
    metrics = '@app.get("/metrics")\ndef metrics(request):\n    return {}\n'
    config = {"api": {"internal": ["GET /metrics"]}}
    repo.commit({**files(APP + metrics), "config/adapters.json": json.dumps(config)})
    repo.task(type_="change")
    ended = changed(repo, {"README.md": "new\n"})
    assert ended.exit_code == exit_code, str(ended)
    if exit_code == 0:
        assert fact(repo, "endpoints")["internal"] == ["GET /metrics"]
        assert fact(repo, "endpoints")["answers"] == {}
    else:
        assert "configure base_url or service" in str(ended)
