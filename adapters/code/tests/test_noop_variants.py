"""Changed statements, and other ways to write them that do the same."""

from __future__ import annotations

import ast
import re

import pytest

from code_adapter.counterfactual.changed_lines import ChangedFile, Statement, read_changed_file
from code_adapter.counterfactual.noop_variants import make_variant

PYTHON = """\
import os

RATE = 2


class Shop:
    def total(self, prices, *, start=0):
        found = start
        for price in prices:
            found += price
        label = dict(found=found, self=self.found)
        return found, label


def half(n):
    '''Half of it.'''
    return n // 2
"""


def read(path: str, before: str, after: str) -> tuple[ChangedFile, bool]:
    found = read_changed_file(path, before.encode(), after.encode())
    assert found is not None
    return found


def lines(file: ChangedFile) -> list[tuple[int, int]]:
    return [(statement.first, statement.last) for statement in file.statements]


CHANGES = [
    ("found = start", "found = 1 + start", [(8, 8)], False),
    ("RATE = 2", "RATE = 3", [(3, 3)], False),
    ("start=0", "start=1", [(7, 7)], False),
    ("        label", "        # Named.\n        label", [], False),
    ("            found += price\n", "", [(9, 9), (10, 10)], False),
    ("Half of", "A half of", [], True),
    ("found=found, ", "found=found,\n            ", [(11, 12)], False),
]


@pytest.mark.parametrize(("old", "new", "expected", "others"), CHANGES)
def test_changed_lines_are_those_of_their_statements(
    old: str, new: str, expected: list[tuple[int, int]], others: bool
) -> None:
    file, rest = read("a.py", PYTHON, PYTHON.replace(old, new, 1))
    assert (lines(file), rest) == (expected, others)


@pytest.mark.parametrize("path", ["a.json", "a.rs", "a.txt"])
def test_of_other_languages_no_line_is_known(path: str) -> None:
    assert read_changed_file(path, b"1", b"2") is None
    assert read_changed_file("a.py", b"a = 1", b"a = (") is None


def test_a_variant_of_python_has_other_names_and_comments_and_the_same_tree() -> None:
    changed = PYTHON.replace("found = start", "found = start + 0").replace("RATE = 2", "RATE = 3")
    file, _ = read("a.py", PYTHON, changed)
    variant = (make_variant(file) or b"").decode()
    assert "found = start + 0" not in variant
    assert variant.count("#") == 2
    (name,) = set(re.findall(r"found_\w+", variant))
    assert f"dict(found={name}, self=self.found)" in variant
    back = re.sub(r"label_\w+", "label", variant.replace(name, "found"))
    assert ast.dump(ast.parse(back)) == ast.dump(ast.parse(changed))


KEPT = [
    "def f(x):\n    y = x\n    return locals()\n",
    "def f(x):\n    y = x\n    return f'{y=}'\n",
    "def f(x):\n    y = x\n    return lambda y: y\n",
    "def f(x):\n    global y\n    y = x\n    return y\n",
    "def f(y):\n    y = y\n    return y\n",
    "def f(x):\n    import y\n    y = x\n    return y\n",
    "def f(x):\n    y = x\n\n    def g():\n        return y\n\n    return g\n",
]


@pytest.mark.parametrize("text", KEPT)
def test_a_name_that_could_mean_something_else_is_kept(text: str) -> None:
    file, _ = read("a.py", "def f(x):\n    return x\n", text)
    variant = (make_variant(file) or b"").decode()
    assert "y_" not in variant
    assert "#" in variant


OTHERS = [
    ("a.js", "exports.f = (a) => {\n  const start = 1;\n  return a + start;\n};\n", "start"),
    ("a.ts", "export function f(a: number) {\n  const start = 1;\n  return a + start;\n}\n", "start"),
    ("a.go", "package a\n\nfunc F(a int) int {\n\tstart := 1\n\treturn a + start\n}\n", "start"),
]


@pytest.mark.parametrize(("path", "text", "name"), OTHERS)
def test_other_languages_have_variants(path: str, text: str, name: str) -> None:
    file, _ = read(path, text.replace("1", "2"), text)
    variant = (make_variant(file) or b"").decode()
    assert not re.search(rf"\b{name}\b", variant)
    assert "//" in variant
    assert len(set(re.findall(rf"{name}_\w+", variant))) == 1


NOT_RENAMED = [
    ("a.js", "exports.f = (a) => {\n  const start = 1;\n  return { start };\n};\n"),
    ("a.js", "exports.f = (a) => {\n  const start = 1;\n  return eval('start');\n};\n"),
    ("a.go", "package a\n\nfunc F(a int) P {\n\tstart := 1\n\treturn P{start: start}\n}\n"),
    ("a.go", "package a\n\nvar start = 1\n\nfunc F(a int) int {\n\tstart := start + 1\n\treturn start\n}\n"),
]


@pytest.mark.parametrize(("path", "text"), NOT_RENAMED)
def test_other_languages_keep_what_could_mean_something_else(path: str, text: str) -> None:
    file, _ = read(path, text.replace("1", "2"), text)
    assert "start_" not in (make_variant(file) or b"").decode()


def test_without_a_statement_that_begins_a_line_there_is_no_variant() -> None:
    file = ChangedFile("a.py", "python", b"if 1: a = 2\n", (Statement(1, 1, 6),))
    assert make_variant(file) is None
