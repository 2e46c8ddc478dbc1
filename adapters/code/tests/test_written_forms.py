"""What is written of tests in base and subject: place, table, and the parts of one that was split."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from code_adapter.counterfactual.forms import Forms
from code_adapter.counterfactual.sides import Sides
from code_adapter.counterfactual.written_forms import describe_written
from verigate.sdk.normalised_texts import Texts


def describe(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[Any, ...]]:
    forms = [Forms({path: text.encode() for path, text in files.items()}) for files in (before, after)]
    sides = SimpleNamespace(changed=frozenset({*before, *after}), base_forms=forms[0], head_forms=forms[1])
    found = describe_written(cast("Sides", sides), Texts(Path("/nowhere")))
    return {
        f"{each['path']}::{each['test']}": (each["in"], each["same"], each["table"], each["parts"]) for each in found
    }


def write(name: str, *lines: str) -> str:
    return f"def {name}():\n" + "".join(f"    {line}\n" for line in lines) + "\n\n"


ONE, TWO = "assert half(2) == 1", "assert half(3) == 1.5"
HALF = write("test_half", ONE, TWO)


def test_where_a_test_stands_and_whether_it_is_the_same() -> None:
    found = describe({"t.py": HALF + write("test_a", ONE)}, {"t.py": HALF + write("test_b", ONE)})
    assert found == {
        "t.py::test_half": ("both", True, "none", []),
        "t.py::test_a": ("base", False, "none", []),
        "t.py::test_b": ("head", False, "none", []),
    }


ROWS = "@pytest.mark.parametrize(('n', 'm'), [(2, 1), (3, 1.5)])\ndef test_half(n, m):\n    assert n / 2 == m\n"
GO = (
    "package a\n\nfunc Test_half(t *testing.T) {\n\tfor _, n := range []int{2, 4} {\n"
    "\t\tif half(n) == 0 {\n\t\t\tt.Error(n)\n\t\t}\n\t}\n}\n"
)
TABLES = {
    "t.py": (HALF, ROWS),
    "u.py": (HALF, write("test_half", "for n, m in [(2, 1), (4, 2)]:", "    assert half(n) == m")),
    "a.test.js": (
        "test('test_half', () => { expect(half(2)).toBe(1); });\n",
        "test.each([[2, 1], [4, 2]])('test_half', (n, m) => { expect(half(n)).toBe(m); });\n",
    ),
    "a_test.go": (
        "package a\n\nfunc Test_half(t *testing.T) {\n\tif half(2) != 1 {\n\t\tt.Error(1)\n\t}\n}\n",
        GO,
    ),
    "b.test.js": (
        "describe('a', () => { test('test_half', () => { expect(half(2)).toBe(1); }); });\n",
        "describe.each([[2, 1], [4, 2]])('a', (n, m) => { test('test_half', () => { expect(half(n)).toBe(m); }); });\n",
    ),
}


@pytest.mark.parametrize("path", TABLES)
def test_a_table_that_base_does_not_have(path: str) -> None:
    before, after = TABLES[path]
    name = f"{path}::{ {'a_test.go': 'Test_half', 'b.test.js': 'a test_half'}.get(path, 'test_half') }"
    assert describe({path: before}, {path: after})[name][2] == "head"
    assert describe({path: after}, {path: after + "\n"})[name][2] == "both"
    assert describe({path: after}, {path: before})[name][2] == "base"


@pytest.mark.parametrize(
    "after",
    [
        write("test_half", "n = half(2)", "assert n == 1"),
        write("test_half", "assert total([1, 2, 3]) == 6"),
        write("test_half", "for n in [1, 2]:", "    add(n)", ONE),
    ],
)
def test_a_list_that_feeds_no_assertion_is_no_table(after: str) -> None:
    assert describe({"t.py": HALF}, {"t.py": after})["t.py::test_half"][2] == "none"


@pytest.mark.parametrize(
    ("after", "parts"),
    [
        (write("test_even", ONE) + write("test_odd", TWO), ["t.py::test_even", "t.py::test_odd"]),
        (write("test_half", ONE) + write("test_odd", TWO), ["t.py::test_half", "t.py::test_odd"]),
        (write("test_half", "n = 2", ONE, TWO) + write("test_one", "assert total([4]) == 4"), []),
        (write("test_half", ONE, TWO) + write("test_odd", TWO), []),
        (write("test_half", ONE) + write("test_odd", "assert half(5) == 2.5"), []),
        (write("test_halves", ONE, TWO), []),
        (write("test_half", ONE), []),
    ],
)
def test_the_parts_of_a_test_hold_all_that_it_asserts(after: str, parts: list[str]) -> None:
    assert describe({"t.py": HALF}, {"t.py": after})["t.py::test_half"][3] == parts


def test_a_test_that_asserted_it_before_is_no_part() -> None:
    other = write("test_odd", TWO)
    found = describe({"t.py": HALF + other}, {"t.py": write("test_half", ONE) + other})
    assert found["t.py::test_half"][3] == []


def test_parts_may_stand_in_another_file() -> None:
    found = describe({"t.py": HALF}, {"a.py": write("test_even", ONE), "b.py": write("test_odd", TWO)})
    assert found["t.py::test_half"] == ("base", False, "none", ["a.py::test_even", "b.py::test_odd"])
