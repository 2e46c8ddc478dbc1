"""What the code of each version hands on of the symbols that moved to another file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from both_sides import open_sides

from code_adapter.counterfactual.differing_code import read_differing_code
from code_adapter.counterfactual.handed_on.java_imports import MovedClasses
from code_adapter.counterfactual.handed_on.moves import Move, describe_moves, find_moves
from code_adapter.counterfactual.handed_on.plants import Plants, plant
from code_adapter.counterfactual.renamed_names import find_renames

Files = Mapping[str, str]
JS = "function total(prices) {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum;\n}\n"
OTHER = "function each(price) {\n  return price;\n}\n"
PY = "def total(prices):\n    return sum(prices)\n"
GO = "func Total(a, b int) int {\n\treturn a + b\n}\n"
RUST = "pub fn total(a: i32, b: i32) -> i32 {\n    a + b\n}\n"
JAVA = "  public static int total(int a, int... more) throws E {\n    return a;\n  }\n"
TESTS = {"js": "tests/a.test.js", "ts": "tests/a.test.ts", "py": "tests/test_a.py", "go": "a/a_test.go"}
TESTS |= {"rs": "tests/a.rs", "java": "src/test/java/ATest.java"}


def find(folder: Path, base: Files, head: Files) -> tuple[list[Move], Plants, Plants]:
    """What moves between two states of a repository whose tests differ, and what is planted in head and base."""
    suffix = next(path for path in base if not path.endswith((".mod", ".toml"))).rpartition(".")[2]
    test = TESTS[suffix]
    text = {"go": "package a\n", "java": "class ATest {}\n"}.get(suffix, "")
    repository, sides = open_sides(folder, {**base, test: text}, {**head, test: f"{text}\n\n"})
    code = read_differing_code(repository, sides.base, sides.head)
    renames = find_renames(repository, sides.base, sides.head, code)
    moves = find_moves(code, renames.by_language)
    return moves, *plant(repository, sides.base, sides.head, moves)


CASES: dict[str, tuple[Files, Files, str, str]] = {
    "a module of the same package": (
        {"shop/a.py": PY},
        {"shop/b.py": PY},
        "shop/a.py",
        "_places={'total': (1, 'b')}",
    ),
    "a package above": (
        {"shop/x/a.py": PY},
        {"shop/y/__init__.py": PY},
        "shop/x/a.py",
        "_places={'total': (2, 'y')}",
    ),
    "an export": (
        {"src/a.js": f"export {JS}"},
        {"src/lib/b.js": f"export {JS}"},
        "src/a.js",
        'export { total as total } from "./lib/b.js";\n',
    ),
    "a default export that has a name now": (
        {"src/a.js": f"export default {JS}"},
        {"lib/b.js": f"{JS}export {{ total as sum }};\n"},
        "src/a.js",
        'export { sum as default } from "../lib/b.js";\n',
    ),
    "a module that is a function": (
        {"src/a.js": f"{JS}module.exports = total;\n"},
        {"src/b.js": f"{JS}exports.total = total;\n"},
        "src/a.js",
        'module.exports = require("./b.js")["total"];\n',
    ),
    "a property of a module": (
        {"src/a.js": f"{JS}{OTHER}module.exports = {{ total, each }};\n"},
        {"src/a.js": f"{OTHER}module.exports = {{ each }};\n", "src/b.js": f"{JS}module.exports = total;\n"},
        "src/a.js",
        'get: () => require("./b.js") });\n',
    ),
    "TypeScript without suffixes": (
        {"src/a.ts": f"export {JS}"},
        {"src/b/index.ts": f"export {JS}"},
        "src/a.ts",
        'export { total as total } from "./b";\n',
    ),
    "TypeScript with the suffixes of JavaScript": (
        {"src/a.ts": f"export {JS}export {OTHER}"},
        {"src/a.ts": f"import {{ x }} from './c.js';\nexport {OTHER}", "src/b.ts": f"export {JS}"},
        "src/a.ts",
        'export { total as total } from "./b.js";\n',
    ),
    "a package of Go": (
        {"go.mod": "module example.com/shop\n", "a/a.go": f"package a\n\n{GO}"},
        {"go.mod": "module example.com/shop\n", "b/b.go": f"package bee\n\n{GO}"},
        "a/a_handed_on.go",
        'package a\n\nimport from0 "example.com/shop/b"\n\nvar Total = from0.Total\n',
    ),
    "a module of a crate": (
        {"Cargo.toml": "", "src/lib.rs": RUST},
        {"Cargo.toml": "", "src/lib.rs": "mod b;\n", "src/b/mod.rs": RUST.replace("pub ", "pub(crate) ")},
        "src/lib.rs",
        "pub(crate) use crate::b::total;\n",
    ),
    "a module of a crate that is gone": (
        {"Cargo.toml": "", "src/lib.rs": "pub mod a;\n", "src/a.rs": RUST},
        {"Cargo.toml": "", "src/lib.rs": "pub mod b;\n", "src/b.rs": RUST},
        "src/a.rs",
        "pub use crate::b::total;\n",
    ),
    "a static method": (
        {"src/main/java/x/A.java": f"package x;\nclass A {{\n{JAVA}}}\n"},
        {
            "src/main/java/x/A.java": "package x;\nclass A {\n}\n",
            "src/main/java/y/B.java": f"package y;\npublic class B {{\n{JAVA}}}\n",
        },
        "src/main/java/x/A.java",
        "public static int total(int a, int... more) throws E {\n        return y.B.total(a, more);\n    }\n}",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_code_hands_on_what_moved(tmp_path: Path, case: str) -> None:
    base, head, path, text = CASES[case]
    moves, of_head, of_base = find(tmp_path, base, head)
    assert {each["from"].rpartition(".")[2].lower() for each in describe_moves(moves)} == {"total"}
    assert text in of_head[path].decode()
    assert of_base, "tests of the subject look for it as well"


NONE: dict[str, tuple[Files, Files]] = {
    "another definition of the name has come as well": (
        {"src/a.js": f"export {JS}"},
        {"src/b.js": f"export {JS}", "src/c.js": f"export {JS}"},
    ),
    "code uses it less": (
        {"src/a.js": f"export {JS}", "src/c.js": "import { total } from './a.js';\ntotal([1]);\n"},
        {"src/b.js": f"export {JS}", "src/c.js": "import { sum } from './d.js';\nsum([1]);\n"},
    ),
    "it is still there": ({"src/a.js": f"export {JS}"}, {"src/a.js": f"export {JS}", "src/b.js": f"export {JS}"}),
    "little of it is the same": (
        {"src/a.js": f"export {JS}"},
        {"src/b.js": "export function total() {\n  log();\n  return 1;\n}\n"},
    ),
    "a function inside of another one": (
        {"src/a.js": f"export const outer = () => {{\n{JS}}};\n"},
        {"src/b.js": f"export const inner = () => {{\n{JS}}};\n"},
    ),
}


@pytest.mark.parametrize("case", NONE)
def test_what_is_no_move(tmp_path: Path, case: str) -> None:
    assert "total" not in {move.old.name for move in find(tmp_path, *NONE[case])[0]}


UNPLANTED: dict[str, tuple[Files, Files]] = {
    "a module that exports the name already": (
        {"src/a.js": f"export {JS}"},
        {"src/a.js": "export { sum as total } from './c.js';\n", "src/b.js": f"export {JS}"},
    ),
    "a module that exports all of another one": (
        {"src/a.js": f"export {JS}"},
        {"src/a.js": "export * from './c.js';\n", "src/b.js": f"export {JS}"},
    ),
    "a module of Python with a hook of its own": (
        {"a.py": PY},
        {"a.py": "def __getattr__(name):\n    return print\n", "b.py": PY},
    ),
    "a name of Go that isn't exported": (
        {"go.mod": "module x\n", "a/a.go": f"package a\n\n{GO.replace('Total', 'total')}"},
        {"go.mod": "module x\n", "b/b.go": f"package b\n\n{GO.replace('Total', 'total')}"},
    ),
    "a module of Rust with all of another one": (
        {"Cargo.toml": "", "src/lib.rs": RUST},
        {"Cargo.toml": "", "src/lib.rs": "mod b;\npub use c::*;\n", "src/b.rs": RUST},
    ),
    "a class of Java that extends another one": (
        {"src/main/java/A.java": f"class A extends C {{\n{JAVA}}}\n"},
        {"src/main/java/A.java": "class A extends C {\n}\n", "src/main/java/B.java": f"class B {{\n{JAVA}}}\n"},
    ),
    "a folder of the name": ({"a.py": PY}, {"a/c.txt": "", "b.py": PY}),
}


@pytest.mark.parametrize("case", UNPLANTED)
def test_what_could_be_another_thing_of_this_name_is_left(tmp_path: Path, case: str) -> None:
    moves, of_head, _ = find(tmp_path, *UNPLANTED[case])
    assert moves
    assert of_head == {}


def test_a_renamed_symbol_is_handed_on_by_the_name_that_the_code_has(tmp_path: Path) -> None:
    base, head = {"src/a.js": f"export {JS}"}, {"src/b.js": f"export {JS.replace('total', 'sumUp')}"}
    _, of_head, of_base = find(tmp_path, base, head)
    assert of_head["src/a.js"] == b'export { sumUp as sumUp } from "./b.js";\n'
    assert of_base["src/b.js"] == b'export { total as total } from "./a.js";\n'


MOVED = MovedClasses((("A", "x", "y"),))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"package x;\nclass T { A a; }\n", b"package x; import y.A;\nclass T { A a; }\n"),
        (b"package z;\nimport x.A;\nclass T { A a; }\n", b"package z;\nimport y.A;\nclass T { A a; }\n"),
        (b"package x;\nclass T { AB a; }\n", b"package x;\nclass T { AB a; }\n"),
        (b"package z;\nclass T { A a; x.A.B b; }\n", b"package z;\nclass T { A a; y.A.B b; }\n"),
    ],
)
def test_tests_import_a_class_of_java_from_where_it_is(source: bytes, expected: bytes) -> None:
    assert MOVED.apply("src/test/java/x/T.java", source) == expected


def test_a_test_in_kotlin_imports_it_on_a_line_of_its_own() -> None:
    assert MOVED.apply("T.kt", b"package x\nval a = A()\n") == b"package x\nimport y.A\nval a = A()\n"
    assert MOVED.reverse().apply("T.kt", b"import y.A\n") == b"import x.A\n"
