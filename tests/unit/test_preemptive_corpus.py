"""The corpus of tests that are blinded before the code breaks: each case has the shape that its proof needs.

``tests/support/preemptive_corpus.py`` runs the suites.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import preemptive_corpus
import pytest
from lie_corpus import SHARED
from preemptive_corpus import CORPUS, FORMS, Preemptive

CASES = preemptive_corpus.read_cases()
FIELDS = {"language", "runner", "kind", "what", "honest", "tests"}
RUNNERS = {
    "python": {"pytest", "unittest"},
    "javascript": {"node", "jest", "mocha"},
    "typescript": {"vitest"},
    "go": {"go"},
    "rust": {"cargo"},
    "java": {"maven"},
}
SUFFIXES = {"python": ".py", "javascript": ".js", "typescript": ".ts", "go": ".go", "rust": ".rs", "java": ".java"}


def product(case: Preemptive) -> dict[str, bytes]:
    return {path: raw for path, raw in case.stored("base").items() if not case.is_test(path)}


def test_every_folder_is_a_case() -> None:
    assert [folder.name for folder in sorted(CORPUS.iterdir())] == [case.name for case in CASES]


def test_every_language_has_its_share() -> None:
    languages = Counter(case.language for case in CASES)
    wanted = {"python": 10, "javascript": 5, "typescript": 4, "go": 4, "rust": 4, "java": 4}
    assert {name: languages[name] >= count for name, count in wanted.items()} == dict.fromkeys(wanted, True)


def test_no_two_cases_are_blinded_alike() -> None:
    assert [kind for kind, count in Counter(case.kind for case in CASES).items() if count > 1] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_json_has_its_fields(case: Preemptive) -> None:
    document = json.loads((case.folder / "case.json").read_text("utf-8"))
    assert document.keys() - {"removed"} == FIELDS
    assert case.runner in RUNNERS[case.language]
    assert case.runner in SHARED
    assert case.what.endswith(".")
    assert case.honest.endswith(".")
    assert case.removed.keys() <= {"lie", "honest"}
    assert all(case.removed.values())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_has_nothing_but_its_forms(case: Preemptive) -> None:
    assert sorted(path.name for path in case.folder.iterdir()) == ["base", "case.json", "honest", "lie", "next"]
    assert not [path for path in case.folder.rglob("*") if path.is_symlink()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_forms_hold_only_what_differs(case: Preemptive) -> None:
    base = case.files("base")
    for form in ("lie", "honest", "next"):
        stored = case.stored(form)
        assert stored or case.removed.get(form)
        assert [path for path, raw in stored.items() if base.get(path) == raw] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_lie_and_honest_edit_tests_and_next_edits_code(case: Preemptive) -> None:
    for form in ("lie", "honest"):
        edited = [*case.stored(form), *case.removed.get(form, ())]
        assert [path for path in edited if not case.is_test(path)] == []
    assert [path for path in case.stored("next") if case.is_test(path)] == []
    assert case.stored("next").keys() <= product(case).keys()
    assert case.files("lie") != case.files("honest")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_product_is_more_than_an_example(case: Preemptive) -> None:
    sources = [raw for path, raw in product(case).items() if Path(path).suffix == SUFFIXES[case.language]]
    assert len(sources) >= 2
    assert 40 <= sum(raw.count(b"\n") for raw in sources) <= 150


def test_proof_mixes_the_tests_of_one_form_with_the_code_of_another() -> None:
    case = CASES[0]
    for form in FORMS:
        files = case.files(form, "next")
        assert {path: files[path] for path in case.stored("next")} == case.stored("next")
        of_tests = {path for path in case.files(form) if case.is_test(path)}
        assert {path: files[path] for path in of_tests} == {path: case.files(form)[path] for path in of_tests}
