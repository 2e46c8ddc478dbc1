"""Real services of three frameworks, and one that lies in every way, started by the adapter in its sandbox.

The sandbox has no network: what it calls on 127.0.0.1 is in a network namespace of its own, where nothing else listens.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import npm_tools
import pytest
from repositories import Ended, Repository

RULES: dict[str, dict[str, Any]] = {
    "api:endpoints": {"undocumented_max": 0},
    "api:responses": {"schema_valid": True, "samples": 3},
    "api:auth": {"auth_required": True},
    "api:rate-limits": {"rate_limit_required": True},
}
TOKEN = "correct-horse-battery"
ITEM = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
}

FASTAPI = """
import os, time
import uvicorn
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel

app = FastAPI()
shop = APIRouter()
CALLS = []


class Item(BaseModel):
    id: int
    name: str


def known(given=Depends(HTTPBearer())):
    if given.credentials != os.environ["SHOP_TOKEN"]:
        raise HTTPException(401)


@shop.get("/items/{item_id}")
def item(item_id: int, tag: str | None = None) -> Item:
    if item_id != 1:
        raise HTTPException(404)
    return Item(id=1, name="tea")


@shop.post("/items")
def add(new: Item) -> Item:
    return new


@app.get("/orders", dependencies=[Depends(known)])
def orders(response: Response) -> list[Item]:
    CALLS.append(1)
    response.headers["RateLimit-Policy"] = '"default";q=20;w=60'
    response.headers["RateLimit"] = f'"default";r={max(20 - len(CALLS), 0)};t=60'
    if len(CALLS) > 20:
        raise HTTPException(429, headers={"Retry-After": "60"})
    return [Item(id=7, name="order")]


app.include_router(shop, prefix="/shop")
"""
SERVE = '\nif __name__ == "__main__":\n    uvicorn.run(app, port=int(os.environ["PORT"]), log_level="info")\n'

FLASK = """
import os
from flask import Blueprint, Flask, jsonify, request

app = Flask(__name__)
shop = Blueprint("shop", __name__, url_prefix="/shop")
calls = []


@shop.route("/items/<int:key>")
def item(key):
    return jsonify(id=1, name="tea") if key == 1 else (jsonify(detail="none"), 404)


@shop.route("/items", methods=["POST"])
def add():
    return jsonify(request.get_json())


@app.get("/orders")
def orders():
    if request.headers.get("Authorization") != os.environ["BEARER"]:
        return jsonify(detail="who?"), 401
    calls.append(1)
    if len(calls) > 20:
        return jsonify(detail="slower"), 429, {"X-RateLimit-Limit": "20", "X-RateLimit-Remaining": "0"}
    return jsonify([{"id": 7, "name": "order"}])


app.register_blueprint(shop)
app.run(port=int(os.environ["PORT"]), threaded=False)
"""
SWAGGER = f"""
swagger: "2.0"
info: {{title: shop, version: "1"}}
produces: [application/json]
securityDefinitions: {{bearer: {{type: apiKey, in: header, name: Authorization}}}}
paths:
  /shop/items/{{id}}:
    get:
      parameters: [{{name: id, in: path, required: true, type: integer}}]
      responses: {{200: {{description: ok, schema: {json.dumps(ITEM)}}}, 404: {{description: none}}}}
  /shop/items:
    post:
      parameters: [{{name: item, in: body, required: true, schema: {json.dumps(ITEM)}}}]
      responses: {{200: {{description: ok, schema: {json.dumps(ITEM)}}}}}
  /orders:
    get:
      security: [{{bearer: []}}]
      responses: {{200: {{description: ok, schema: {{type: array, items: {json.dumps(ITEM)}}}}}}}
"""

EXPRESS = """
const express = require('express');
const app = express();
const shop = express.Router();
let calls = 0;

shop.get('/items/:id', (request, response) => {
  if (request.params.id !== '1') return response.status(404).json({ detail: 'none' });
  response.json({ id: 1, name: 'tea' });
});
shop.post('/items', express.json(), (request, response) => response.json(request.body));
app.get('/orders', (request, response) => {
  if (request.get('Authorization') !== 'Bearer ' + process.env.SHOP_TOKEN) return response.status(401).json({});
  calls += 1;
  if (calls > 20) return response.status(429).set('Retry-After', '60').json({});
  response.json([{ id: 7, name: 'order' }]);
});
app.use('/shop', shop);
app.listen(process.env.PORT, '127.0.0.1');
"""


def _ok(schema: Any) -> dict[str, Any]:
    return {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}


OPENAPI = {
    "openapi": "3.0.3",
    "info": {"title": "shop", "version": "1"},
    "paths": {
        "/shop/items/{id}": {
            "get": {
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": _ok(ITEM),
            }
        },
        "/shop/items": {
            "post": {
                "requestBody": {"required": True, "content": {"application/json": {"schema": ITEM}}},
                "responses": _ok(ITEM),
            }
        },
        "/orders": {"get": {"security": [{"bearer": []}], "responses": _ok({"type": "array", "items": ITEM})}},
    },
    "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
}


def verified(
    repo: Repository, config: dict[str, Any], files: dict[str, str], order: Sequence[str] = tuple(RULES), **rules: Any
) -> Ended:
    """Commit the policy, change the source, claim it, and verify it with the capabilities ``order`` and their rules."""
    asked = {key: value for name in order for key, value in RULES[name].items()}
    repo.policy(["code:diff", *order], {**asked, **rules})
    config = {"rate_limits": {"requests": 30, "seconds": 20, "endpoints": ["GET /orders"]}, **config}
    repo.commit({"config/adapters.json": json.dumps({"api": config}), ".gitignore": "node_modules\n"})
    repo.task(type_="change")
    repo.write(files)
    repo.claim(*(f"file:{name}" for name in files), type_="change")
    return repo.verify(SHOP_TOKEN=TOKEN)


def facts(repo: Repository) -> dict[str, Any]:
    folder = repo.artifact("api")
    return {path.name: json.loads(path.read_bytes()) for path in folder.iterdir() if path.suffix == ".json"}


def service(*command: str) -> dict[str, Any]:
    return {"command": list(command), "pass_credentials": True}


FRAMEWORKS: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "fastapi": (
        {"service": service(sys.executable, "app.py"), "credentials": {"HTTPBearer": "SHOP_TOKEN"}},
        {"app.py": FASTAPI + SERVE},
    ),
    "flask": (
        {"service": service(sys.executable, "app.py"), "credentials": {"bearer": "BEARER"}, "methods": ["GET", "POST"]},
        {"app.py": FLASK, "docs/swagger.yaml": SWAGGER},
    ),
    "express": (
        {
            "service": {**service("node", "server.js"), "health": "/shop/items/1"},
            "credentials": {"bearer": "SHOP_TOKEN"},
            "methods": ["GET", "POST"],
        },
        {"server.js": EXPRESS, "package.json": "{}", "openapi.json": json.dumps(OPENAPI)},
    ),
}
DOCUMENTED = ["GET /orders", "GET /shop/items/{id}", "POST /shop/items"]


def honest(name: str, folder: Path, *order: str) -> dict[str, Any]:
    """The facts on an honest service, which must pass; it was called in a sandbox that has no network."""
    repo = Repository.make(folder)
    repo.environ["BEARER"] = f"Bearer {TOKEN}"
    (repo.root / "node_modules").symlink_to(npm_tools.services())
    config, files = FRAMEWORKS[name]
    ended = verified(repo, config, files, order)
    assert ended.exit_code == 0, str(ended)
    found = facts(repo)
    assert TOKEN not in json.dumps(found)
    run = json.loads(repo.artifact("run.json").read_bytes())
    mine = [entry for entry in run["invocations"] if entry["capability"].startswith("api:")]
    assert [entry["capability"] for entry in mine] == list(order)
    assert all(entry["sandbox"]["mechanism"] == "bubblewrap" for entry in mine), mine
    assert not any(entry["sandbox"]["network"] or entry["outcome"]["leftover_processes"] for entry in mine)
    return found


def check_endpoints(found: dict[str, Any], documented: list[str]) -> None:
    endpoints = found["endpoints.json"]
    assert endpoints["documented"] == endpoints["discovered"] == documented
    assert endpoints["undocumented"] == endpoints["unimplemented"] == []


def check_responses(found: dict[str, Any], called: list[str]) -> None:
    assert list(found["responses.json"]) == called
    for response in found["responses.json"].values():
        assert response["status"] == 200
        assert response["calls"] == len(response["latency_samples_ms"]) >= 3
        assert 0 < response["latency_ms"] <= response["latency_percentiles_ms"]["p99"]
        assert response["body_sample"]
    schema = found["schema.json"]
    assert (schema["ok"], schema["errors"], schema["documented"]) == (True, [], 3)
    assert schema["exercised"] == called
    assert len(schema["schema_hash"]) == 64
    assert found["responses.meta.json"]["metadata"]["log"] is not None


def check_auth(found: dict[str, Any], kind: str) -> None:
    auth = found["auth.json"]
    assert auth["endpoints_protected"] == auth["documented_protected"] == ["GET /orders"]
    assert auth["endpoints_public"] == DOCUMENTED[1:]
    assert [method["type"] for method in auth["methods"]] == [kind]
    probes = auth["probes"]["GET /orders"]
    assert (probes["without"], list(probes["wrong"].values()), probes["right"]) == (401, [401], 200)


def test_fastapi_describes_itself(tmp_path: Path) -> None:
    found = honest("fastapi", tmp_path, "api:endpoints", "api:responses")
    documented = [id_.replace("{id}", "{item_id}") for id_ in DOCUMENTED]
    check_endpoints(found, documented)
    check_responses(found, documented)
    assert found["schema.json"]["not_called"] == found["schema.json"]["refused"] == []


def test_flask_with_a_swagger_file(tmp_path: Path) -> None:
    found = honest("flask", tmp_path, "api:responses", "api:auth")
    check_responses(found, DOCUMENTED)
    check_auth(found, "apiKey")


def test_express_with_an_openapi_file(tmp_path: Path) -> None:
    found = honest("express", tmp_path, *RULES)
    check_endpoints(found, DOCUMENTED)
    check_responses(found, DOCUMENTED)
    check_auth(found, "bearer")
    assert found["rate_limits.json"]["limited"] == [
        {"endpoint": "GET /orders", "status": 429, "headers": {"retry-after": ""}}
    ]
    assert found["rate_limits.json"]["declared"] == {"requests": 30, "seconds": 20.0}


OPEN = """@app.get("/debug", include_in_schema=False)
def debug() -> dict:
    return dict(os.environ)


@app.get("/orders", openapi_extra={"security": [{"HTTPBearer": []}]})"""
LIES = {
    '@app.get("/orders", dependencies=[Depends(known)])': OPEN,
    "    return [Item(id=7": "    time.sleep(0.3 if len(CALLS) % 10 == 0 else 0)\n    return [Item(id=7",
    '    return Item(id=1, name="tea")': """    return Response('{"id": "one"}', media_type="application/json")""",
    "if len(CALLS) > 20": "if len(CALLS) > 20_000",
}


def liar() -> str:
    """The same service with an open secret, a route that nobody is told of, a wrong type and a slow tail."""
    source = FASTAPI
    for truth, lie in LIES.items():
        assert truth in source
        source = source.replace(truth, lie)
    return source + SERVE


@pytest.mark.release
def test_an_api_that_lies_in_every_way_is_caught_in_each(tmp_path: Path) -> None:
    repo = Repository.make(tmp_path)
    config, _ = FRAMEWORKS["fastapi"]
    ended = verified(repo, config, {"app.py": liar()}, latency_ms={"p50": 150, "p95": 200}, samples=10)
    assert ended.exit_code == 1, str(ended)
    assert ended.verdict is not None
    refuted = {check["id"] for check in ended.verdict["checks"] if check["outcome"] == "refuted"}
    assert {"api.undocumented_max", "api.schema_valid", "api.auth_required", "api.latency_ms"} <= refuted, str(ended)
    found = facts(repo)
    assert found["endpoints.json"]["undocumented"] == ["GET /debug"]
    (error,) = (entry for entry in found["schema.json"]["errors"] if entry["pointer"] == "/id")
    assert error["endpoint"] == "GET /shop/items/{item_id}"
    assert "integer" in error["message"]
    assert found["auth.json"]["violations"] == [{"endpoint": "GET /orders", "without": 200}]
    assert [entry["endpoint"] for entry in found["rate_limits.json"]["announced"]] == ["GET /orders"]
    assert found["rate_limits.json"]["announced"][0]["headers"] == {
        "ratelimit": '"default"',
        "ratelimit-policy": '"default";q=20;w=60',
    }
