"""Mutants by syntax tree: each language has the same operators, and what only names things has none."""

from __future__ import annotations

import pytest

from code_adapter.sensitivity.mutants import Operator, is_valid, list_mutants

PYTHON = (
    '"""Shop 1."""\nimport os\n\nRATE = 0.2\n\n\ndef total(prices, rate: "float" = 1) -> bool:\n    """Total of 2."""\n'
    "    if prices < 1 and not rate:\n        warn(prices)\n    found = 5 - 2\n    found += 1\n"
    '    raise ValueError(f"none {found}")\n    return found not in prices\n'
)


def changes(path: str, source: str) -> set[tuple[int, str, str]]:
    raw = source.encode()
    mutants = list_mutants(path, raw, range(1, 100))
    assert mutants == sorted(set(mutants))
    assert all(is_valid(mutant, raw) for mutant in mutants)
    assert all(mutant.apply(raw) != raw and raw[mutant.start : mutant.end] == mutant.was for mutant in mutants)
    return {(mutant.line, mutant.operator.value, mutant.describe()) for mutant in mutants}


def test_python() -> None:
    assert changes("shop.py", PYTHON) == {
        (4, "constant", "0.2 becomes 1.2"),
        (7, "constant", "1 becomes 2"),
        (9, "negated condition", "prices < 1 and not rate becomes not (prices < 1 and not rate)"),
        (9, "comparison", "< becomes <="),
        (9, "constant", "1 becomes 2"),
        (9, "boolean", "and becomes or"),
        (9, "boolean", "not rate becomes (rate)"),
        (10, "removed call", "warn(prices) becomes pass"),
        (11, "constant", "5 becomes 6"),
        (11, "arithmetic", "- becomes +"),
        (11, "constant", "2 becomes 3"),
        (12, "arithmetic", "+= becomes -="),
        (12, "constant", "1 becomes 2"),
        (13, "removed call", 'raise ValueError(f"none {found}") becomes pass'),
        (13, "raised exception", "ValueError becomes TypeError"),
        (13, "constant", "none becomes Xnone"),
        (14, "comparison", "not in becomes in"),
        (14, "returned value", "found not in prices becomes None"),
    }


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.js", "function f(a) { return a === 2 ? true : 3.5; }", {"=== becomes !==", "true becomes false"}),
        ("a.ts", "export const f = (a: number): number => a + 1;", {"+ becomes -", "1 becomes 2"}),
        ("a.ts", 'type A = "x" | 1;\ninterface B { a: "k" }\nimport x from "y";', set()),
        (
            "a.go",
            "package p\nfunc f(a int) int {\n\tif !b { g(a) }\n\treturn a * 2\n}",
            {"g(a) becomes {}", "* becomes /"},
        ),
        ("a.go", 'package p\nimport "fmt"\n', set()),
        (
            "a.rs",
            'fn f(a: u32) -> bool { if a < 1 { panic!("x"); } a == 2 }',
            {"== becomes !=", "a < 1 becomes !(a < 1)"},
        ),
        ("a.rs", '#[cfg(feature = "x")]\nuse a::b;\n', set()),
        (
            "A.java",
            "class A { boolean f(int a) { g(a); return a == 2 || true; } }",
            {"g(a); becomes ;", "|| becomes &&"},
        ),
        ("a.md", "1 + 1", set()),
        ("a.py", "def f(:\n    1\n", set()),
    ],
)
def test_other_languages(path: str, source: str, expected: set[str]) -> None:
    found = {change for _, _, change in changes(path, source)}
    assert expected <= found
    assert bool(expected) == bool(found)


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.py", "raise TypeError\n", {"TypeError becomes ValueError"}),
        ("a.py", "raise shop.Missing('x') from None\n", set()),
        ("a.py", "raise Missing('x')\n", {"Missing becomes TypeError"}),
        ("a.py", "raise Exception('x')\n", set()),
        ("a.py", "raise found\n", set()),
        ("a.js", "throw new TypeError('x');", {"TypeError becomes RangeError"}),
        ("a.ts", "throw new Error('x');", set()),
        (
            "A.java",
            'class A { void f() { throw new IllegalArgumentException("x"); } }',
            {"IllegalArgumentException becomes IllegalStateException"},
        ),
        ("a.go", "package a\nfunc f() { panic(1) }", set()),
        (
            "a.go",
            "package a\nfunc f() (int, error) { return 0, shop.ErrMissing }",
            {"shop.ErrMissing becomes struct{ error }{shop.ErrMissing}"},
        ),
        (
            "a.go",
            "package a\nfunc f() error { return io.EOF }",
            {"io.EOF becomes struct{ error }{io.EOF}"},
        ),
        ("a.go", "package a\nfunc f() (int, error) { return 1, err }", set()),
    ],
)
def test_what_is_raised_becomes_another_exception(path: str, source: str, expected: set[str]) -> None:
    assert {change for _, operator, change in changes(path, source) if operator == "raised exception"} == expected


def test_only_the_asked_lines_are_mutated() -> None:
    assert {mutant.line for mutant in list_mutants("shop.py", PYTHON.encode(), {4, 11})} == {4, 11}


def test_every_operator_occurs() -> None:
    found = {mutant.operator for mutant in list_mutants("shop.py", PYTHON.encode(), range(1, 100))}
    assert found == set(Operator) - {Operator.EXPECTED, Operator.NEAR, Operator.NOT_RAISED}
