"""Services that don't do what their description says. The honest twin is nearly the same service, and does."""

from __future__ import annotations

import json
from typing import Any

from api_service import APP, TOKEN, api_project, description
from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import claim

LANGUAGE = "OpenAPI"

ENDPOINTS, RESPONSES, AUTH, LIMITS = "api:endpoints", "api:responses", "api:auth", "api:rate-limits"
FITS = {"schema_valid": True}
NEW_FIELD = 'return {"id": int(key), "name": ITEMS[int(key)]}'
ROUTE = '@app.get("/items")\n'


def changed(repo: Repository, app: str, openapi: dict[str, Any] | None = None) -> Ended:
    """Write the change, claim it, verify it with the right credentials at hand."""
    documents = {} if openapi is None else {"openapi.json": json.dumps(openapi)}
    repo.write({"app.py": app + "\n# changed\n", **documents})
    claim(repo, "file:app.py", *(f"file:{name}" for name in documents))
    return repo.verify(SHOP_TOKEN=TOKEN)


def with_route(path: str, body: str) -> str:
    """The service with one more route."""
    return APP.replace(ROUTE, f'@app.get("{path}")\ndef more(request):\n    {body}\n\n\n{ROUTE}')


def unreached(path: str) -> str:
    """The same, registered only where nobody has set what it asks for."""
    app = with_route(path, "return {}")
    app = app.replace(f'@app.get("{path}")', f'if os.environ.get("NEVER"):\n  @app.get("{path}")')
    return app.replace("def more(request):\n    return {}", "  def more(request):\n    return {}")


@pair(1, "ENDPOINT_MISMATCH", "api.undocumented_max")
def a_route_is_in_the_source_and_in_no_description(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [ENDPOINTS], {"undocumented_max": 0})
    told = description(more={"get": {"responses": {"200": {"description": "ok"}}}})
    return changed(repo, with_route("/more", "return {}"), description() if lie else told)


@pair(1, "ENDPOINT_MISMATCH", "api.undocumented_max")
def a_route_hides_as_the_end_of_a_documented_one(repo: Repository, lie: bool) -> Ended:
    told = description()
    told["paths"]["/admin/items"] = {"get": {"responses": {"200": {"description": "ok"}}}}
    api_project(repo, [ENDPOINTS], {"undocumented_max": 0}, openapi=told)
    # There is no router that stands at /admin: what answers is /items, twice.
    del told["paths"]["/items"]
    app = APP if lie else APP.replace('"/items")', '"/admin/items")')
    return changed(repo, app, told)


@pair(1, "ENDPOINT_MISMATCH", "api.required_endpoints")
def a_claimed_endpoint_is_written_down_and_answers_404(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [ENDPOINTS], {"required_endpoints": ["GET /more"]})
    told = description(more={"get": {"responses": {"200": {"description": "ok"}}}})
    return changed(repo, unreached("/more") if lie else with_route("/more", "return {}"), told)


@pair(1, "ENDPOINT_MISMATCH", "unit:endpoint:GET /more")
def a_claimed_unit_is_in_the_diff_and_answers_404(repo: Repository, lie: bool) -> Ended:
    api_project(repo, ["code:functions", ENDPOINTS], {"undocumented_max": 0})
    told = description(more={"get": {"responses": {"200": {"description": "ok"}}}})
    repo.write({"app.py": unreached("/more") if lie else with_route("/more", "return {}")})
    repo.write({"openapi.json": json.dumps(told)})
    claim(repo, "endpoint:GET /more", "file:openapi.json")
    return repo.verify(SHOP_TOKEN=TOKEN)


@pair(1, "SCHEMA_MISMATCH", "api.schema_valid")
def a_number_becomes_a_text(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS)
    by = '{"id": str(key), "name": name}' if lie else '{"id": int(key), "name": name.title()}'
    return changed(repo, APP.replace('{"id": key, "name": name}', by))


@pair(1, "SCHEMA_MISMATCH", "api.schema_valid")
def two_hundred_with_an_error_in_the_body(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS, inputs=4)
    by = 'return {"error": "no such item"}' if lie else 'return 404, {"error": "no such item"}'
    return changed(repo, APP.replace('return 404, {"detail": "no such item"}', by))


@pair(1, "SCHEMA_MISMATCH", "api.schema_valid")
def the_schema_is_loosened_in_the_same_change(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS)
    told = description()
    item = told["components"]["schemas"]["Item"]
    if lie:
        item["properties"]["id"] = {}
        return changed(repo, APP.replace('{"id": key,', '{"id": str(key),'), told)
    item["properties"]["price"] = {"type": "integer"}
    return changed(repo, APP.replace('{"id": key,', '{"id": key, "price": 3,'), told)


@pair(1, "SCHEMA_MISMATCH", "api.schema_valid")
def the_loosened_schema_moves_to_another_file(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS)
    told = description()
    if lie:
        told["components"]["schemas"]["Item"]["properties"]["id"] = {}
    app = APP.replace('{"id": key,', '{"id": str(key),') if lie else APP
    repo.write({"app.py": app, "openapi.json": None, "docs/openapi.yaml": json.dumps(told)})
    claim(repo, "file:docs/openapi.yaml")
    return repo.verify(SHOP_TOKEN=TOKEN)


@pair(1, "SCHEMA_MISMATCH", "api.schema_valid")
def everything_answers_401(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS)
    if not lie:
        return changed(repo, APP)
    app = APP.replace("    return [{", '    return 401, {"detail": "no"}\n    return [{')
    return changed(
        repo, app.replace("    if not key.isdigit()", '    return 401, {"detail": "no"}\n    if not key.isdigit()')
    )


@pair(1, "SCHEMA_MISMATCH", "api.schema_valid")
def an_error_page_where_json_was_promised(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS)
    page = 'return 200, "<h1>Sorry</h1>", {"Content-Type": "text/html"}'
    listing = '    return [{"id": key,'
    return changed(repo, APP.replace(listing, f"    {page}\n{listing}") if lie else APP)


@pair(1, "SCHEMA_MISMATCH", "api.schema_valid")
def it_fails_for_what_it_didnt_expect(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS, inputs=4)
    check = "    if not key.isdigit() or int(key) not in ITEMS:\n        return 404,"
    return changed(repo, APP.replace(check, check.replace("404", "500")) if lie else APP)


@pair(4, "SCHEMA_MISMATCH", "api.schema_valid")
def an_endpoint_never_succeeds(repo: Repository, lie: bool) -> Ended:
    """Nothing that was asked for is there: whether the endpoint works, nobody knows."""
    api_project(repo, [RESPONSES], FITS)
    return changed(repo, APP.replace('ITEMS = {1: "tea", 2: "milk"}', 'ITEMS = {-5: "tea"}') if lie else APP)


@pair(1, "AUTH_FAIL", "api.auth_required")
def a_secret_is_served_to_everybody(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [AUTH], {"auth_required": True})
    return changed(repo, APP.replace("    if said !=", "    if False and said !=") if lie else APP)


@pair(1, "AUTH_FAIL", "api.auth_required")
def any_token_will_do(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [AUTH], {"auth_required": True})
    return changed(repo, APP.replace("    if said !=", "    if not said and said !=") if lie else APP)


@pair(1, "AUTH_FAIL", "api.auth_required")
def it_is_protected_by_refusing_everybody(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [AUTH], {"auth_required": True})
    return changed(repo, APP.replace("    if said !=", "    if True or said !=") if lie else APP)


@pair(1, "LATENCY_FAIL", "api.latency_ms")
def one_answer_in_ten_is_slow(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], {"latency_ms": {"p50": 250, "p99": 400}, "samples": 12})
    slow = '    CALLS.append(1)\n    time.sleep(0.5 if len(CALLS) % 10 == 0 else 0)\n    return [{"id": key,'
    app = APP.replace("import os\n", "import os, time\nCALLS = []\n")
    return changed(repo, app.replace('    return [{"id": key,', slow) if lie else app)


@pair(1, "RATE_LIMIT_FAIL", "api.rate_limit_required")
def a_rate_limit_that_isnt_there(repo: Repository, lie: bool) -> Ended:
    limits = {"requests": 15, "seconds": 5, "endpoints": ["GET /items"]}
    api_project(repo, [LIMITS], {"rate_limit_required": True}, rate_limits=limits)
    app = APP.replace("import os\n", "import os\nCALLS = []\n")
    refusal = '    CALLS.append(1)\n    if len(CALLS) > 10:\n        return 429, {}, {"Retry-After": "1"}\n'
    return changed(repo, app if lie else app.replace('    return [{"id": key,', refusal + '    return [{"id": key,'))


@pair(3, "ADAPTER_CRASH", "capability:api:responses")
def it_doesnt_even_start(repo: Repository, lie: bool) -> Ended:
    api_project(repo, [RESPONSES], FITS)
    return changed(repo, APP.replace("    app.run()", "    raise SystemExit(3)") if lie else APP)
