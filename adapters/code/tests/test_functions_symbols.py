"""Symbols by language: what is found, what counts as changed."""

from __future__ import annotations

import pytest

from code_adapter.syntax.symbol_changes import compare
from code_adapter.syntax.symbols import extract


def names(source: str, path: str) -> dict[str, str]:
    return {s.qualified: s.kind for s in extract(source.encode(), path).symbols}


def changes(before: str, after: str, path: str) -> set[tuple[str, str, bool]]:
    found = compare(extract(before.encode(), path).symbols, extract(after.encode(), path).symbols)
    return {(c.change, c.symbol.qualified, c.own) for c in found}


PYTHON = '''
"""def in_docstring(): pass"""
# def in_comment(): pass
TEXT = "def in_string(): pass"

@decorated
async def fetch(url: str) -> bytes:
    def inner():
        return url
    return await inner()

class Base(Thing):
    field = lambda self: 1

    @property
    def size(self): return 1

    class Nested:
        def deep(self): return 2

if True:
    def conditional(): return 1
'''

JAVASCRIPT = """
// function inComment() {}
const text = `function inString() {}`;
export const arrow = async (a) => a + 1;
export default function main() { return 1 }
function* generate() { yield 1 }
class Store extends Base {
  handler = () => this.x;
  static create() { return new Store() }
  get size() { return 1 }
  #hidden() { return 2 }
}
exports.legacy = function () { return 1 };
module.exports = { one() { return 1 }, two: () => 2 };
Store.prototype.late = function () { return 3 };
const Card = React.memo((props) => render(props));
describe("x", () => { it("y", function () {}) });
"""

TYPESCRIPT = """
export function pick(a: string): string;
export function pick(a: number): number;
export function pick(a: any): any { return a }
export abstract class Shape { abstract area(): number; name(): string { return "s" } }
interface Named { name(): string }
namespace Geometry { export function turn(): void { go() } }
enum Colour { Red }
const typed = <T,>(x: T): T => x;
"""

GO = """package main
// func InComment() {}
var text = "func InString() {}"
type Server[T any] struct { port int }
type Handler interface { Serve() }
func Start(port int) error { return nil }
func (s *Server[T]) Stop() { s.port = 0 }
var later = func() { work() }
"""

RUST = """
// fn in_comment() {}
const TEXT: &str = "fn in_string() {}";
pub struct Server { port: u16 }
impl Server { pub fn start(&self) -> u8 { 1 } }
impl Display for Server { fn fmt(&self) -> u8 { 2 } }
trait Runs { fn run(&self); fn twice(&self) { self.run() } }
mod inner { pub fn helper() -> u8 { 1 } }
pub async fn fetch() -> u8 { 1 }
enum Kind { A }
"""

JAVA = """
/* void inComment() {} */
public class Server<T> extends Base {
  String text = "void inString() {}";
  Server() { init(); }
  public int start(int port) { return port; }
  public int start() { return 0; }
  static class Inner { void deep() { go(); } }
}
interface Runs { void run(); default void twice() { run(); } }
enum Kind { A; int code() { return 1; } }
record Point(int x) { int twice() { return x * 2; } }
"""


@pytest.mark.parametrize(
    ("source", "path", "expected"),
    [
        (
            PYTHON,
            "a.py",
            {
                "fetch": "function",
                "fetch.inner": "function",
                "Base": "class",
                "Base.size": "method",
                "Base.Nested": "class",
                "Base.Nested.deep": "method",
                "conditional": "function",
            },
        ),
        (
            JAVASCRIPT,
            "a.js",
            {
                "arrow": "function",
                "main": "function",
                "generate": "function",
                "Store": "class",
                "Store.handler": "method",
                "Store.create": "method",
                "Store.size": "method",
                "Store.#hidden": "method",
                "legacy": "function",
                "one": "function",
                "two": "function",
                "Store.late": "method",
                "Card": "function",
            },
        ),
        (
            TYPESCRIPT,
            "a.ts",
            {
                "pick": "function",
                "Shape": "class",
                "Shape.area": "method",
                "Shape.name": "method",
                "Named": "class",
                "Named.name": "method",
                "Geometry.turn": "function",
                "Colour": "class",
                "typed": "function",
            },
        ),
        (
            GO,
            "a.go",
            {
                "Server": "class",
                "Handler": "class",
                "Start": "function",
                "Server.Stop": "method",
                "later": "function",
            },
        ),
        (
            RUST,
            "a.rs",
            {
                "Server": "class",
                "Server::start": "method",
                "Server::fmt": "method",
                "Runs": "class",
                "Runs::run": "method",
                "Runs::twice": "method",
                "inner::helper": "function",
                "fetch": "function",
                "Kind": "class",
            },
        ),
        (
            JAVA,
            "A.java",
            {
                "Server": "class",
                "Server.Server": "method",
                "Server.start": "method",
                "Server.Inner": "class",
                "Server.Inner.deep": "method",
                "Runs": "class",
                "Runs.run": "method",
                "Runs.twice": "method",
                "Kind": "class",
                "Kind.code": "method",
                "Point": "class",
                "Point.twice": "method",
            },
        ),
    ],
    ids=["python", "javascript", "typescript", "go", "rust", "java"],
)
def test_definitions_are_found_and_text_is_not(source: str, path: str, expected: dict[str, str]) -> None:
    assert names(source, path) == expected


@pytest.mark.parametrize("path", ["a.jsx", "a.tsx"])
def test_components_with_markup(path: str) -> None:
    source = (
        "export const Card = ({ title }) => <div className='card'>{title}</div>;\nfunction App() { return <Card/>; }"
    )
    assert names(source, path) == {"Card": "function", "App": "function"}


@pytest.mark.parametrize(
    ("before", "after", "path"),
    [
        (
            "def f(a, b):\n    return [a, b]\n",
            "# why\ndef f(\n    a,\n    b,\n):\n    # how\n    return [\n        a, b,\n    ]\n",
            "a.py",
        ),
        ("function f() { return 1 }", "/* why */ function f() {\n  // how\n  return 1;\n}\n", "a.js"),
        (
            "package a\nfunc F() int { return 1 }\n",
            "package a\n\n// F is\nfunc F() int {\n\treturn 1 // one\n}\n",
            "a.go",
        ),
        (
            "fn f() -> u8 { g(1, 2) }",
            "/// doc\nfn f() -> u8 {\n    // why\n    g(\n        1,\n        2,\n    )\n}",
            "a.rs",
        ),
        (
            "class A { int f() { return 1; } }",
            "class A {\n  /** doc */\n  int f() {\n    return 1; // one\n  }\n}",
            "A.java",
        ),
        ("def a(): return 1\ndef b(): return 2\n", "def b(): return 2\ndef a(): return 1\n", "a.py"),
    ],
)
def test_layout_comments_and_order_are_no_change(before: str, after: str, path: str) -> None:
    assert changes(before, after, path) == set()


@pytest.mark.parametrize(
    ("before", "after", "path", "expected"),
    [
        ("def f(): return 1\n", "def f(): return 2\n", "a.py", {("changed", "f", True)}),
        ("def f(): return 1\n", "@cache\ndef f(): return 1\n", "a.py", {("changed", "f", True)}),
        ("def f(): return 1\n", "async def f(): return 1\n", "a.py", {("changed", "f", True)}),
        ("def f(): return ' a'\n", "def f(): return 'a'\n", "a.py", {("changed", "f", True)}),
        (
            "def f():\n  if x:\n    a()\n  b()\n",
            "def f():\n  if x:\n    a()\n    b()\n",
            "a.py",
            {("changed", "f", True)},
        ),
        ("def f(): return 1\n", "def g(): return 1\n", "a.py", {("added", "g", True), ("removed", "f", True)}),
        (
            "class A:\n  def f(self): return 1\n",
            "class A:\n  def f(self): return 2\n",
            "a.py",
            {("changed", "A", False), ("changed", "A.f", True)},
        ),
        (
            "class A:\n  def f(self): return 1\n",
            "class A(B):\n  def f(self): return 1\n  def g(self): return 1\n",
            "a.py",
            {("changed", "A", True), ("added", "A.g", True)},
        ),
        (
            "def f():\n  def g(): return 1\n  return g\n",
            "def f():\n  def g(): return 2\n  return g\n",
            "a.py",
            {("changed", "f", False), ("changed", "f.g", True)},
        ),
        (
            "@overload\ndef f(a: int): ...\ndef f(a): return a\n",
            "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): return a\n",
            "a.py",
            {("changed", "f", True)},
        ),
        ("const f = () => 1", "const f = () => 2", "a.js", {("changed", "f", True)}),
        ("const f = () => 1", "const f = async () => 1", "a.js", {("changed", "f", True)}),
        (
            "class A { int f(int a) { return a; } int f() { return 0; } }",
            "class A { int f(int a) { return a; } int f() { return 1; } }",
            "A.java",
            {("changed", "A", False), ("changed", "A.f", True)},
        ),
        ("fn f() {}", "#[inline]\nfn f() {}", "a.rs", {("changed", "f", True)}),
        (
            "package a\nfunc (a A) F() { x() }\nfunc (b B) F() { x() }",
            "package a\nfunc (a A) F() { x() }\nfunc (b B) F() { y() }",
            "a.go",
            {("changed", "B.F", True)},
        ),
    ],
)
def test_changes(before: str, after: str, path: str, expected: set[tuple[str, str, bool]]) -> None:
    assert changes(before, after, path) == expected


def test_only_the_class_itself_or_a_member_is_its_own_change() -> None:
    before = "class A:\n  def f(self): return 1\n  def g(self): return 1\n"
    after = "class A:\n  def f(self): return 1\n"
    assert changes(before, after, "a.py") == {("changed", "A", False), ("removed", "A.g", True)}


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("def whole(): return 1\n\ndef broken(:\n    return 2\n", "a.py"),
        ("function whole() { return 1 }\nfunction broken( { return 2 \n", "a.js"),
    ],
)
def test_a_broken_file_is_read_as_far_as_possible(source: str, path: str) -> None:
    found = extract(source.encode(), path)
    assert found.error_line is not None
    assert "whole" in {s.name for s in found.symbols}


@pytest.mark.parametrize(
    "source",
    [
        b"\xff\xfe\x00",
        b"def f(): return '\xff'\n",
        b"(" * 100_000,
        b"\xef\xbb\xbfdef f(): return 1\n",
        b"",
        b"x = " + b"[" * 50_000,
    ],
)
def test_odd_bytes_are_survived(source: bytes) -> None:
    found = extract(source, "a.py")
    assert all(s.name for s in found.symbols)


def test_generated_files_say_so() -> None:
    found = extract(b"# Code generated by protoc. DO NOT EDIT.\ndef f(): return 1\n", "a_pb2.py")
    assert [s.generated for s in found.symbols] == [True]


def test_lines_include_decorators() -> None:
    symbol = extract(b"\n@a\n@b\ndef f():\n    return 1\n", "a.py").symbols[0]
    assert (symbol.line, symbol.end_line) == (2, 5)
