"""Which mutants are chosen, where they lie in the subject, and what becomes of the power of tests."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from code_adapter.counterfactual import cell_runs
from code_adapter.sensitivity.choice import Choice, read_words
from code_adapter.sensitivity.mutants import Mutant, Operator, list_mutants
from code_adapter.sensitivity.powers import Fate, Tried, find_held, find_lost
from code_adapter.sensitivity.shared_code import SharedFile
from code_adapter.sensitivity.turns import Turns

Written = cell_runs.TestName
CODE = "def total(a):\n    return a + 1\n\n\ndef half(n):\n    return n // 2\n\n\nLIMIT = 3\n"
WHOLE = {line: line for line in range(1, CODE.count("\n") + 1)}


def choice(removed: str = "", kept: str = "", executed: dict[str, frozenset[int]] | None = None) -> list[Mutant]:
    words = read_words([(f"{removed}\n{kept}", kept)])
    raw = CODE.encode()
    return list(Choice({"shop.py": SharedFile("shop.py", raw, raw, WHOLE)}, executed, words, "seed").list_mutants())


def test_functions_that_removed_lines_name_come_first_and_one_of_each_line() -> None:
    every = {"shop.py": frozenset(WHOLE)}
    lines = [mutant.line for mutant in choice("assert half(4) == 2", "assert total(1) == 2", every)]
    # A round: three of a function that removed lines name, two of one that tests name, one of what nothing names.
    assert lines[:6] == [6, 6, 6, 2, 2, 9]
    assert 2 in lines[6:]
    assert choice("assert half(4) == 2", "", every) == choice("assert half(4) == 2", "", every)


def test_lines_that_do_not_run_are_left_out_and_without_knowledge_only_named_functions_count() -> None:
    assert {mutant.line for mutant in choice(kept="total", executed={"shop.py": frozenset({6})})} == {6}
    assert {mutant.line for mutant in choice(kept="assert total(1)")} == {2}


def test_a_mutant_moves_with_its_line_and_is_none_where_the_line_differs() -> None:
    head = ("# more\n" + CODE).replace("n // 2", "n // 3")
    file = SharedFile("shop.py", CODE.encode(), head.encode(), {2: 3, 5: 6, 9: 10})
    by_line = {mutant.line: mutant for mutant in list_mutants("shop.py", file.base, WHOLE)}
    moved = file.move(by_line[9])
    assert moved is not None
    assert (moved.line, file.head[moved.start : moved.end]) == (10, b"3")
    assert moved.apply(file.head) != file.head
    assert file.move(by_line[6]) is None


def tried(fate: Fate, *tests: str, at: int = 1) -> Tried:
    mutant = Mutant("shop.py", at, at, at + 1, b"2", Operator.CONSTANT, b"1")
    return Tried(mutant, at, frozenset(Written("t.py", name) for name in tests), frozenset(), fate)


A, B = Written("t.py", "a"), Written("t.py", "b")


def test_as_few_tests_as_possible_lose_power() -> None:
    lost = [tried(Fate.LOST, "a", "b", at=1), tried(Fate.LOST, "b", at=2), tried(Fate.NOTICED, "a", at=3)]
    assert {test: [item.line for item in items] for test, items in find_lost(lost).items()} == {B: [1, 2]}
    assert find_lost([tried(Fate.NOTICED, "a"), tried(Fate.OPEN, "a")]) == {}


@pytest.mark.parametrize(
    ("fates", "held"),
    [
        ([Fate.NOTICED] * 3, {A: 3}),
        ([Fate.NOTICED] * 2, {}),
        ([Fate.NOTICED] * 3 + [Fate.LOST], {}),
        ([Fate.NOTICED] * 3 + [Fate.OPEN], {}),
    ],
)
def test_power_is_held_if_at_least_three_mutants_are_all_noticed(fates: list[Fate], held: dict[object, int]) -> None:
    assert find_held([tried(fate, "a", at=place) for place, fate in enumerate(fates, 1)]) == held


def mutant_at(line: int) -> Mutant:
    return Mutant("shop.py", line, line, line + 1, b"2", Operator.CONSTANT, b"1")


def list_turns(tests: str, noticing: Mapping[str, str]) -> list[int]:
    """Try mutants of lines 10 to 49, of functions 1 to 4, each of which the tests notice that are given for it."""
    turns = Turns(
        map(mutant_at, [10, 11, 12, 13, 14, 20, 21, 30, 40]),
        lambda each: ("shop.py", str(each.line // 10)),
        [Written("t.py", test) for test in tests],
    )
    order = []
    for mutant in turns:
        order.append(mutant.line)
        turns.note(mutant, [Written("t.py", test) for test in noticing.get(str(mutant.line // 10), "")])
    return order


@pytest.mark.parametrize(
    ("tests", "noticing", "order"),
    [
        # Three are noticed by the only test: then the others come as they are.
        ("a", {"1": "a", "2": "a"}, [10, 11, 12, 20, 30, 40, 13, 14, 21]),
        # What nothing noticed waits, and so does what only tests notice that noticed enough.
        ("a", {"2": "a"}, [10, 20, 21, 30, 40, 11, 12, 13, 14]),
        ("ab", {"1": "a", "2": "b"}, [10, 11, 12, 20, 21, 30, 40, 13, 14]),
        ("", {}, [10, 20, 30, 40, 11, 12, 13, 14, 21]),
    ],
)
def test_what_may_tell_more_of_a_test_of_which_little_is_known_comes_first(
    tests: str, noticing: Mapping[str, str], order: list[int]
) -> None:
    assert list_turns(tests, noticing) == order
