"""Mutants that the forms of a test ask for: no exception, and values next to the one that was expected."""

from __future__ import annotations

from types import FunctionType, ModuleType

import pytest

from code_adapter.counterfactual import cell_runs
from code_adapter.sensitivity.asked_mutants import (
    Accepted,
    list_near,
    list_unraised,
    read_accepted,
    read_asked,
    read_needed,
)
from code_adapter.sensitivity.choice import Choice, read_words
from code_adapter.sensitivity.mutants import Mutant, Operator, is_valid
from code_adapter.sensitivity.powers import Fate, Tried, find_held
from code_adapter.sensitivity.shared_code import SharedFile
from code_adapter.sensitivity.turns import Turns

Written = cell_runs.TestName
EVERY = range(1, 100)
RAISES = 'def test_a():\n    with pytest.raises(ValueError, match="x"):\n        split(0)\n'
SUPPRESSES = RAISES.replace('pytest.raises(ValueError, match="x")', "suppress(ValueError)")


@pytest.mark.parametrize(
    ("path", "source", "wanted"),
    [
        ("a.py", "def f(n):\n    if n < 1:\n        raise ValueError('x')\n    return n\n", {"return None"}),
        ("a.py", "raise SystemExit(1)\n", set()),
        ("a.js", "function f(n) { if (n < 1) { throw new Error('x'); } return n; }", {"return;"}),
        ("a.ts", "export const f = (n: number) => { throw new Error('x'); };", {"return;"}),
        ("A.java", "class A { int f(int n) { throw new Bad(); } }", {"if (true) return 0;"}),
        ("A.java", "class A { void f(int n) { throw new Bad(); } }", {"if (true) return;"}),
        ("A.java", "class A { List<String> f(int n) { throw new Bad(); } }", {"if (true) return null;"}),
        (
            "a.go",
            'package p\n\nfunc f() (int, error) {\n\treturn 0, errors.New("x")\n}\n',
            {'func() error { _ = errors.New("x"); return nil }()'},
        ),
        ("a.rs", 'fn f() { panic!("x"); }', set()),
    ],
)
def test_code_returns_where_it_raised(path: str, source: str, wanted: set[str]) -> None:
    found = list(list_unraised(path, source.encode(), EVERY))
    assert {mutant.text.decode() for mutant in found} == wanted
    assert {mutant.operator for mutant in found} <= {Operator.NOT_RAISED}
    assert all(is_valid(mutant, source.encode()) for mutant in found)


@pytest.mark.parametrize(
    ("path", "source", "number"),
    [
        ("a.py", "def f(n):\n    return n\n", 2),
        ("a.py", "def f(n):\n    return\n", 0),
        ("a.py", "def f(n):\n    return None\n", 0),
        ("a.js", "const f = (n) => n + 1;", 2),
        ("a.ts", "function f(n: number): number { return n; }", 2),
        ("a.go", "package p\n\nfunc f(n int) int {\n\treturn n\n}\n", 2),
        ("a.go", "package p\n\nfunc f(n int) (string, error) {\n\treturn s, nil\n}\n", 2),
        ("a.go", "package p\n\nfunc f(n int) []int {\n\treturn n\n}\n", 0),
        ("A.java", "class A { String f(int n) { return s; } }", 2),
        ("A.java", "class A { List<String> f(int n) { return s; } }", 0),
    ],
)
def test_code_returns_a_value_next_to_its_own(path: str, source: str, number: int) -> None:
    found = list(list_near(path, source.encode(), EVERY))
    assert len(found) == number
    assert all(is_valid(mutant, source.encode()) for mutant in found)


def run(mutant: Mutant, source: bytes) -> object:
    space = ModuleType("a")
    loaded = compile(mutant.apply(source), "a.py", "exec")
    FunctionType(loaded, vars(space))()
    return space.f()


@pytest.mark.parametrize(
    ("value", "larger", "smaller"),
    [
        ("'12.50'", "12.50X", "X12.50"),
        ("3", 4, 2),
        ("[1, 2]", [1, 2, 2], [2, 1]),
        ("(1, 2)", (1, 2, 2), (2, 1)),
        ("{'a': 1}", {"a": 1}, {"a": 1}),
        ("not 1", False, False),
    ],
)
def test_what_a_value_next_to_another_is_in_python(value: str, larger: object, smaller: object) -> None:
    source = f"def f():\n    return {value}\n".encode()
    found = []
    for mutant in list_near("a.py", source, EVERY):
        found.append(run(mutant, source))
        assert mutant.describe() == f"{value} becomes a value next to it"
    assert found == [larger, smaller]


@pytest.mark.parametrize(
    ("before", "after", "needed"),
    [
        (RAISES, SUPPRESSES, {Operator.NOT_RAISED}),
        (RAISES, SUPPRESSES + "    # pytest.raises\n    'pytest.raises'\n", {Operator.NOT_RAISED}),
        (RAISES, RAISES.replace(', match="x"', ""), set()),
        (RAISES, RAISES.replace("pytest.raises", "self.assertRaises"), set()),
        (RAISES, "", set()),
        ("assert f(1) == 2\n", "assert f(1) in (2, 3)\n", {Operator.NEAR}),
        ("assert f(1) == 2\n", "assert f(1) >= 2\n", {Operator.NEAR}),
        ("assert f(1) == 'a'\n", "assert f(1).startswith('a')\n", {Operator.NEAR}),
        ("assert f(1) == 2\n", "assert f(1) == approx(2)\n", {Operator.NEAR}),
        ("assert f(1) == [2]\n", "assert sorted(f(1)) == [2]\n", {Operator.NEAR}),
        ("assert f(1) == 2\n", "found = f(1)\nassert found == 2\n", set()),
        ("assert f(1) == 2\n", "for n, found in [(1, 2)]:\n    assert f(n) == found\n", set()),
        ("assert f(1) == 2\n", "assert f(1) == 2\n", set()),
    ],
)
def test_which_mutants_a_test_has_to_notice(before: str, after: str, needed: set[Operator]) -> None:
    assert read_needed("t.py", before, after) == needed


def test_nothing_is_needed_where_no_other_value_can_be_returned() -> None:
    assert read_needed("t.rs", "assert_eq!(f(1), 2);", "assert!(f(1) > 1);") == frozenset()
    assert read_needed("A.java", "assertEquals(2, f(1));", "assertTrue(f(1) > 1);") == {Operator.NEAR}


def test_an_expected_error_of_go_is_a_failure() -> None:
    before = "if err == nil {\n\tt.Fatal()\n}\n"
    assert read_needed("a_test.go", before, "_ = err\n") == {Operator.NOT_RAISED}
    assert read_needed("a_test.go", "if err != nil {\n\tt.Fatal()\n}\n", "_ = err\n") == frozenset()


WIDER = Accepted(("1250", '"12.50"'), ('"12.5"',))


def test_values_that_a_wider_form_may_accept_are_returned_in_place_of_the_expected_ones() -> None:
    assert read_accepted('assert f(1250) == "12.50"', 'assert f(1250) in ("12.50", "12.5")') == WIDER
    assert read_asked([("t.py", "assert f(1) == 2", "found = f(1)\nassert found == 2")], 20).accepted == Accepted()


@pytest.mark.parametrize(
    ("value", "wanted"), [("'12.50'", ["12.50X", "12.5"]), ("'2.05'", ["2.05", "2.05"]), ("[]", [[], []])]
)
def test_other_values_stay_as_they_are(value: str, wanted: list[object]) -> None:
    source = f"def f():\n    return {value}\n".encode()
    assert [run(mutant, source) for mutant in list_near("a.py", source, EVERY, WIDER)][:2] == wanted


@pytest.mark.parametrize(("path", "written"), [("a.js", "(v) =>"), ("a.ts", "(v: any) =>")])
def test_values_of_scripts(path: str, written: str) -> None:
    source = b"const f = (n) => n;"
    found = list(list_near(path, source, EVERY, WIDER))
    assert len(found) == 4
    assert all(is_valid(each, source) and written in each.text.decode() for each in found)


CODE = b"def g(n):\n    return n\n\n\ndef f(n):\n    if n < 1:\n        raise ValueError('x')\n    return n\n"
SHOP = {"shop.py": SharedFile("shop.py", CODE, CODE, {line: line for line in range(1, 9)})}


def list_asked(before: str, after: str, wanted: int = 20) -> list[Mutant]:
    asked = read_asked([("t.py", before, after)], wanted)
    return Choice(SHOP, None, read_words([(before, after)]), "seed", asked).list_asked()


def test_what_forms_ask_for_comes_first_and_is_of_what_removed_lines_name() -> None:
    found = list_asked("with raises(ValueError):\n    f(0)\nassert f(1) == 1", "assert f(1) in (1, 2)")
    assert [(each.operator, each.line) for each in found][:2] == [(Operator.NOT_RAISED, 7), (Operator.NEAR, 8)]
    assert len(found) == 5
    assert len(list_asked("with raises(ValueError):\n    f(0)\nassert f(1) == 1", "assert f(1) in (1, 2)", 4)) == 2
    turns = Turns([], lambda each: (each.path, None), [], found)
    assert turns.left == found
    assert list(turns) == found


def test_the_same_form_asks_for_nothing() -> None:
    assert list_asked(RAISES, RAISES) == []


def test_a_test_holds_only_if_it_noticed_what_is_needed() -> None:
    test = Written("t.py", "a")

    def tried(at: int, operator: Operator, fate: Fate = Fate.NOTICED) -> Tried:
        return Tried(Mutant("s.py", at, at, at, b"", operator, b""), at, frozenset({test}), frozenset(), fate)

    three = [tried(each, Operator.CONSTANT) for each in range(3)]
    needed = {test: frozenset({Operator.NOT_RAISED})}
    assert find_held(three) == {test: 3}
    assert find_held(three, needed) == {}
    assert find_held([*three, tried(4, Operator.NOT_RAISED)], needed) == {test: 4}
    assert find_held([*three, tried(4, Operator.NOT_RAISED, Fate.LOST)], needed) == {}
