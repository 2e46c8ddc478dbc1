"""Controls of mutants: the same code in another text, in six languages."""

from __future__ import annotations

import pytest

from code_adapter.sensitivity.controls import make_control
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse

PYTHON = '''\
def f(x):
    """Say."""
    {}return x + 1


def g(x):
{}    if x:
        return 1
    return 2


LIMIT = 3
'''
SCRIPT = """\
function f(x) {{{}
  return x + 1;
}}
const g = (x) => x + 2;
const h = (x) => {{ 'use strict'; return x; }};
"""
CASES = {
    "python": ("a.py", PYTHON.format("", ""), PYTHON.format("_control = 0; ", "    _control = 0\n") + "\n# control\n"),
    "one line": ("a.py", "def f(x): return x\n", "def f(x): _control = 0; return x\n\n# control\n"),
    "only a text": ("a.py", 'def f(x):\n    """Say."""\n', 'def f(x):\n    """Say."""\n\n# control\n'),
    "javascript": ("a.js", SCRIPT.format(""), SCRIPT.format(" void 0;") + "\n// control\n"),
    "typescript": (
        "a.ts",
        "export class A {\n  f(x: number): number {\n    return x;\n  }\n}\n",
        "export class A {\n  f(x: number): number { void 0;\n    return x;\n  }\n}\n\n// control\n",
    ),
    "go": (
        "a.go",
        "package a\n\nfunc F(x int) int {\n\treturn x + 1\n}\n",
        "package a\n\nfunc F(x int) int { _ = 0;\n\treturn x + 1\n}\n\n// control\n",
    ),
    "rust": (
        "a.rs",
        "fn f(x: i32) -> i32 {\n    x + 1\n}\n",
        "fn f(x: i32) -> i32 { let _ = 0;\n    x + 1\n}\n\n// control\n",
    ),
    "java": (
        "A.java",
        "class A {\n  A() {\n    super();\n  }\n  int f(int x) {\n    return x;\n  }\n}\n",
        "class A {\n  A() {\n    super();\n  }\n  int f(int x) { ;\n    return x;\n  }\n}\n\n// control\n",
    ),
    "no grammar": ("a.xyz", "x\n", "x\n\n// control\n"),
    "broken": ("a.py", "def f(:\n", "def f(:\n\n# control\n"),
}


@pytest.mark.parametrize("case", CASES)
def test_functions_get_a_statement_without_an_effect(case: str) -> None:
    path, source, wanted = CASES[case]
    lines = range(1, source.count("\n") + 1)
    made = make_control(path, source.encode(), lines).decode()
    assert made == wanted
    if case not in {"no grammar", "broken"}:
        assert not parse(made.encode(), grammar_of(path) or "").broken


def test_functions_without_a_mutant_stay_as_they_are() -> None:
    _, source, wanted = CASES["python"]
    assert make_control("a.py", source.encode(), [12]).decode() == f"{source}\n# control\n"
    only_first = wanted.replace("    _control = 0\n", "")
    assert make_control("a.py", source.encode(), [3]).decode() == only_first
