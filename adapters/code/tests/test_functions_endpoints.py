"""HTTP endpoints by framework."""

from __future__ import annotations

import pytest

from code_adapter.syntax.symbol_changes import compare
from code_adapter.syntax.symbols import extract


def endpoints(source: str, path: str) -> set[str]:
    return {s.qualified for s in extract(source.encode(), path).symbols if s.route is not None}


FASTAPI = """
router = APIRouter(prefix="/api")
@app.get("/items/{id}")
async def read(id: int): return id
@router.post("")
def create(): return 1
@app.api_route("/any", methods=["GET", "PUT"])
def both(): return 1
app.add_api_route("/added", read, methods=["DELETE"])
@app.websocket("/ws")
async def live(ws): await ws.accept()
response = client.get("/not/an/endpoint")
@mock.patch("module.name")
def test(): return 1
"""
FLASK = """
bp = Blueprint("b", __name__, url_prefix="/shop")
@app.route("/")
def index(): return "x"
@bp.route("/cart/<int:id>", methods=["POST"])
def cart(id): return "x"
app.add_url_rule("/legacy", "legacy", legacy)
app.add_url_rule("/view", view_func=View.as_view("view"))
"""
DJANGO = """
from django.urls import path, include
urlpatterns = [path("users/<int:pk>/", views.user), re_path(r"^old/$", views.old), path("api/", include("api.urls"))]
"""
STARLETTE = 'routes = [Route("/home", home), Route("/form", form, methods=["POST"]), WebSocketRoute("/ws", ws)]'
EXPRESS = """
const express = require("express");
const app = express();
const router = express.Router();
app.get("/users/:id", (req, res) => res.send("x"));
router.route("/books").get(list).post(auth, create);
router.delete("/books/:id", auth, remove);
app.use("/api", router);
const found = map.get("/x", fallback);
axios.get("/remote", { params });
app.get("setting");
"""
FASTIFY = """
import Fastify from "fastify";
export default async function plugin(fastify) {
  fastify.get("/ping", async () => "pong");
  fastify.route({ method: ["GET", "POST"], url: "/many", handler: many });
}
"""
KOA = 'import Router from "@koa/router";\nconst r = new Router({ prefix: "/v1" });\nr.put("/x", handler);'
NEST = """
@Controller("cats")
export class Cats {
  @Get(":id") find(@Param("id") id: string) { return id }
  @Post() create() { return 1 }
  helper() { return 2 }
}
"""
GO = """package main
func main() {
  http.HandleFunc("/plain", plain)
  mux.HandleFunc("POST /typed/{id}", typed)
  v1 := r.Group("/v1")
  v1.GET("/gin", func(c *gin.Context) { c.String(200, "x") })
  router.HandleFunc("/gorilla", h).Methods("GET", http.MethodPut)
  c.Get("/chi", h)
  os.Getenv("/no", x)
}
"""
RUST = """
#[get("/rocket/<id>")]
fn rocket(id: u8) -> u8 { id }
#[actix_web::post("/actix")]
async fn actix() -> u8 { 1 }
fn app() {
  Router::new().route("/axum", get(read).post(write));
  App::new().route("/built", web::put().to(built)).service(web::resource("/res").route(web::delete().to(gone)));
}
"""
JAVA = """
@RestController @RequestMapping("/api")
class Api {
  @GetMapping("/x/{id}") int read(int id) { return id; }
  @PostMapping int create() { return 1; }
  @RequestMapping(value = "/y", method = {RequestMethod.PUT, RequestMethod.DELETE}) int both() { return 2; }
}
@Path("/jax") class Jax { @GET @Path("/z") int z() { return 1; } }
"""


@pytest.mark.parametrize(
    ("source", "path", "expected"),
    [
        (
            FASTAPI,
            "a.py",
            {"GET /items/{id}", "POST /api", "GET /any", "PUT /any", "DELETE /added", "WEBSOCKET /ws"},
        ),
        (FLASK, "a.py", {"GET /", "POST /shop/cart/<int:id>", "GET /legacy", "ANY /view"}),
        (DJANGO, "urls.py", {"ANY /users/<int:pk>/", "ANY /old/"}),
        (STARLETTE, "a.py", {"GET /home", "POST /form", "WEBSOCKET /ws"}),
        (EXPRESS, "a.js", {"GET /users/:id", "GET /api/books", "POST /api/books", "DELETE /api/books/:id"}),
        (FASTIFY, "a.js", {"GET /ping", "GET /many", "POST /many"}),
        (KOA, "a.js", {"PUT /v1/x"}),
        (NEST, "a.ts", {"GET /cats/:id", "POST /cats"}),
        (
            "export async function GET() { return 1 }\nexport const helper = () => 2;",
            "src/app/(shop)/items/[id]/route.ts",
            {"GET /items/{id}"},
        ),
        (GO, "a.go", {"ANY /plain", "POST /typed/{id}", "GET /v1/gin", "GET /gorilla", "PUT /gorilla", "GET /chi"}),
        (RUST, "a.rs", {"GET /rocket/<id>", "POST /actix", "GET /axum", "POST /axum", "PUT /built", "DELETE /res"}),
        (JAVA, "A.java", {"GET /api/x/{id}", "POST /api", "PUT /api/y", "DELETE /api/y", "GET /jax/z"}),
    ],
    ids=["fastapi", "flask", "django", "starlette", "express", "fastify", "koa", "nest", "next", "go", "rust", "java"],
)
def test_endpoints(source: str, path: str, expected: set[str]) -> None:
    assert endpoints(source, path) == expected


@pytest.mark.parametrize(
    ("before", "after", "path"),
    [
        ('@app.get("/x")\ndef f(): return 1\n', '@app.get("/x")\ndef f(): return 2\n', "a.py"),
        (
            "const app = express();\napp.get('/x', f);\nfunction f() { return 1 }",
            "const app = express();\napp.get('/x', f);\nfunction f() { return 2 }",
            "a.js",
        ),
        (
            'package a\nfunc m() { http.HandleFunc("/x", f) }\nfunc f() { a() }',
            'package a\nfunc m() { http.HandleFunc("/x", f) }\nfunc f() { b() }',
            "a.go",
        ),
    ],
)
def test_an_endpoint_changes_with_the_function_that_answers(before: str, after: str, path: str) -> None:
    found = list(compare(extract(before.encode(), path).symbols, extract(after.encode(), path).symbols))
    changed = [(c.change, c.symbol.handler) for c in found if c.symbol.route == "/x"]
    assert changed == [("changed", "f")]


def test_an_endpoint_whose_handler_does_nothing_is_a_stub() -> None:
    source = b'@app.get("/x")\ndef f():\n    raise NotImplementedError\n'
    assert [s.stub for s in extract(source, "a.py").symbols if s.route] == [True]
