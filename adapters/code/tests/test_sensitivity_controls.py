"""Controls of mutants: the same code in another text, in six languages."""

from __future__ import annotations

import ast
from collections.abc import Collection

import pytest

from code_adapter.sensitivity.controls import make_control
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse

PYTHON = '''\
def f(x):
    """Say."""
    {}return {}x + 1{}


def g(x):
{}    if {}x{}:
        return {}1{}
    return {}2{}


LIMIT = 3
'''
SCRIPT = """\
function f(x) {
  return x + 1;
}
const g = (x) => x + 2;
const h = (x) => { 'use strict'; return x; };
"""
SAME_SCRIPT = """\
function f(x) { void 0;
  return (x + 1);
}
const g = ((x) => x + 2);
const h = ((x) => { 'use strict'; return (x); });

// control
"""


def control(path: str, source: str, lines: Collection[int]) -> str:
    return make_control(path, source.encode(), lines, word="control", number=0).decode()


CASES = {
    "python": (
        "a.py",
        PYTHON.format(*[""] * 10),
        PYTHON.format("control = 0; ", *"()", "    control = 0\n", *"()" * 3).replace("LIMIT = 3", "LIMIT = (3)")
        + "\n# control\n",
    ),
    "one line": ("a.py", "def f(x): return x\n", "def f(x): control = 0; return (x)\n\n# control\n"),
    "several values": ("a.py", "a = b = 1\nc = a, b\n", "a = b = (1)\nc = (a, b)\n\n# control\n"),
    "only a text": ("a.py", 'def f(x):\n    """Say."""\n', 'def f(x):\n    """Say."""\n\n# control\n'),
    "javascript": ("a.js", SCRIPT, SAME_SCRIPT),
    "typescript": (
        "a.ts",
        "export class A {\n  f(x: number): number {\n    return x;\n  }\n}\n",
        "export class A {\n  f(x: number): number { void 0;\n    return (x);\n  }\n}\n\n// control\n",
    ),
    "go": (
        "a.go",
        "package a\n\nfunc F(x int) int {\n\treturn x + 1\n}\n",
        "package a\n\nfunc F(x int) int { _ = 0;\n\treturn (x + 1)\n}\n\n// control\n",
    ),
    "rust": (
        "a.rs",
        "fn f(x: i32) -> i32 {\n    x + 1\n}\n",
        "fn f(x: i32) -> i32 { let _ = 0;\n    x + 1\n}\n\n// control\n",
    ),
    "java": (
        "A.java",
        "class A {\n  A() {\n    super();\n  }\n  int f(int x) {\n    return x;\n  }\n}\n",
        "class A {\n  A() {\n    super();\n  }\n  int f(int x) { ;\n    return (x);\n  }\n}\n\n// control\n",
    ),
    "no grammar": ("a.xyz", "x\n", "x\n\n// control\n"),
    "broken": ("a.py", "def f(:\n", "def f(:\n\n# control\n"),
}


@pytest.mark.parametrize("case", CASES)
def test_functions_get_a_statement_without_an_effect_and_values_parentheses(case: str) -> None:
    path, source, wanted = CASES[case]
    made = control(path, source, range(1, source.count("\n") + 1))
    assert made == wanted
    if case not in {"no grammar", "broken"}:
        assert not parse(made.encode(), grammar_of(path) or "").broken


def test_parentheses_are_no_other_code() -> None:
    _, source, _ = CASES["python"]
    made = control("a.py", source, [12])
    assert "LIMIT = (3)" in made
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(source))


def test_functions_and_lines_without_a_mutant_stay_as_they_are() -> None:
    _, source, wanted = CASES["python"]
    assert control("a.py", source, [99]) == f"{source}\n# control\n"
    first = wanted.partition("def g")[0]
    assert control("a.py", source, [3]) == first + source[source.index("def g") :] + "\n# control\n"


def test_no_two_controls_are_the_same() -> None:
    _, source, _ = CASES["python"]
    assert len({make_control("a.py", source.encode(), [3]) for _ in range(20)}) > 1
