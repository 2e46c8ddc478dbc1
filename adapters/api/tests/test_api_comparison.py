"""Registered routes against documented endpoints, and the routes of each framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from api_adapter.route_matching import match_routes
from api_adapter.source_routes import FoundRoute, find_source_routes
from verigate.sdk import Request

DOCUMENTED = ["GET /api/items", "POST /api/items", "GET /api/items/{id}", "GET /health"]

CASES: list[tuple[str, list[str], set[str], list[str], list[str]]] = [
    ("exact", ["GET /health"], set(), ["GET /health"], []),
    ("parameters", ["GET /api/items/<int:key>"], set(), ["GET /api/items/{id}"], []),
    ("express", ["GET /api/items/:id(\\d+)"], set(), ["GET /api/items/{id}"], []),
    ("any method", ["ANY /api/items"], set(), ["GET /api/items", "POST /api/items"], []),
    ("another method", ["DELETE /api/items"], set(), [], ["DELETE /api/items"]),
    ("implied", ["HEAD /health", "OPTIONS /api/items"], set(), [], []),
    ("mounted", ["GET /items", "POST /items"], {"api"}, ["GET /api/items", "POST /api/items"], []),
    ("mounted root", ["GET /"], {"api/items"}, ["GET /api/items"], []),
    ("no such mount", ["GET /items"], {"admin"}, [], ["GET /items"]),
    ("taken once", ["GET /items", "GET /api/items"], {"api"}, ["GET /api/items"], ["GET /items"]),
    ("half a segment", ["GET /tems"], {"api", "api/i"}, [], ["GET /tems"]),
    ("trailing slash", ["GET /health/"], set(), ["GET /health"], []),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_routes_find_their_documentation(case: tuple[str, list[str], set[str], list[str], list[str]]) -> None:
    _, routes, literals, matched, unmatched = case
    found = [FoundRoute(route.partition(" ")[2], route.partition(" ")[0]) for route in routes]
    compared = match_routes(DOCUMENTED, found, frozenset(literals))
    assert sorted(id_ for _, ids in compared.matched for id_ in ids) == matched
    assert [route.id for route in compared.unmatched] == unmatched


SOURCES = {
    "fastapi_app.py": ('@router.get("/fast/{id}")\nasync def f(id: int): ...\n', "GET /fast/{id}"),
    "flask_app.py": ('@app.route("/flask/<int:id>", methods=["POST"])\ndef f(id): ...\n', "POST /flask/<int:id>"),
    "urls.py": ('urlpatterns = [path("django/<int:id>/", views.show)]\n', "ANY /django/<int:id>/"),
    "express.js": (
        "const app = require('express')();\napp.put('/express/:id', (q, s) => s.end());\n",
        "PUT /express/:id",
    ),
    "fastify.js": (
        "const f = require('fastify')();\nf.route({ method: 'GET', url: '/fastify', handler });\n",
        "GET /fastify",
    ),
    "Spring.java": (
        '@RequestMapping("/spring")\nclass C { @GetMapping("/{id}") String f() { return ""; } }\n',
        "GET /spring/{id}",
    ),
    "http.go": ('package m\nfunc f() { http.HandleFunc("GET /http/{id}", h) }\n', "GET /http/{id}"),
    "gin.go": ('package m\nfunc f() { r := gin.Default(); r.POST("/gin/:id", h) }\n', "POST /gin/:id"),
}


def test_routes_of_every_framework_and_none_of_tests(tmp_path: Path) -> None:
    for name, (text, _) in SOURCES.items():
        (tmp_path / name).write_text(text)
    for name in ("tests/test_app.py", "app_test.go", "a.spec.ts"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text('package m\nfunc f() { r := gin.Default(); r.GET("/no", h) }\napp.get("/no", () => {})\n')
    (tmp_path / "link.py").symlink_to("/etc/hostname")
    request = Request("api:endpoints", tmp_path, repo_root=tmp_path, environ={"PATH": "/usr/bin:/bin"})
    routes = find_source_routes(request, ())
    assert {route.path: route.id for route in routes.found} == {name: id_ for name, (_, id_) in SOURCES.items()}
    assert routes.unreadable == ("link.py",)
    assert "spring" in routes.literals
    chosen = find_source_routes(request, ("*.go",))
    assert sorted(route.path for route in chosen.found) == ["app_test.go", "gin.go", "http.go"]
