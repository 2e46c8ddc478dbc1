"""The corpus of lies is what its case.json files say: a lie's suite is green, and the base's tests fail on its code."""

from __future__ import annotations

from collections import Counter

import lie_corpus
import pytest
from lie_corpus import FORMS, HONEST, SHARED, Lie
from release_tests import some_always

CASES = lie_corpus.read_cases()
SAMPLE = {"pytest": 5, "unittest": 2, "node": 2, "jest": 1, "vitest": 1, "mocha": 1, "go": 1, "cargo": 1, "maven": 1}
"""How many cases of a runner are run here; tests/support/lie_corpus.py runs all."""


def sample() -> list[Lie]:
    """The same cases each time, until one of them changes."""
    chosen: list[Lie] = []
    for runner, count in SAMPLE.items():
        chosen += sorted((case for case in CASES if case.runner == runner), key=lambda case: case.digest)[:count]
    return chosen


def test_every_language_with_a_runner_has_its_share() -> None:
    languages = Counter(case.language for case in CASES)
    assert languages["python"] >= 45
    assert languages["javascript"] + languages["typescript"] >= 30
    assert languages["go"] >= 15
    assert languages["rust"] >= 12
    assert languages["java"] >= 8
    assert {case.runner for case in CASES} == set(SHARED) == set(SAMPLE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_whole(case: Lie) -> None:
    assert case.base in {"red", "green"}
    assert case.honest in HONEST
    assert (case.honest == "fixes") == (case.base == "red")
    assert case.what.endswith(".")
    base, lie, honest = (case.files(form) for form in ("base", *FORMS))
    assert base != lie != honest != base
    for form in FORMS:
        changed = {path for path in base.keys() | case.files(form) if base.get(path) != case.files(form).get(path)}
        stored = {file.relative_to(case.folder / form).as_posix() for file in (case.folder / form).rglob("*.*")}
        assert stored - changed - {path for path in stored if (case.folder / form / path).is_dir()} == set()
    # The lie edits tests; where the base is red, it edits nothing else.
    edited = {path for path in base.keys() | lie if base.get(path) != lie.get(path)}
    assert any(case.is_test(path) or path in case.mixed for path in edited)
    if case.base == "red":
        assert all(case.is_test(path) or path in case.mixed for path in edited)


def test_every_case_was_proved_as_it_is_now() -> None:
    proved = lie_corpus.read_proved()
    assert {name: entry["digest"] for name, entry in proved.items()} == {case.name: case.digest for case in CASES}
    faults = [lie_corpus.find_faults(case, form, proved[case.name][form]) for case in CASES for form in FORMS]
    assert [fault for found in faults for fault in found] == []


@pytest.mark.slow
@pytest.mark.parametrize("case", some_always(sample(), lambda case: case.name, one_in=4))
def test_the_runners_say_the_same(case: Lie) -> None:
    cells, faults = lie_corpus.prove(case)
    assert faults == []
    assert {form: lie_corpus.read_proved()[case.name][form] for form in FORMS} == cells
