"""``code:counterfactual``: run changed tests of base and subject on the code of each, and compare the outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from code_adapter.counterfactual.cell_calls import CellCalls
from code_adapter.counterfactual.cell_runs import CellRun, CellRunner, TestName
from code_adapter.counterfactual.changed_lines import NO_CODE, ChangedCode, read_changed_code
from code_adapter.counterfactual.classes import Class, Outcome
from code_adapter.counterfactual.comparison import CELLS, Compared, list_decisive
from code_adapter.counterfactual.differing_code import read_differing_code
from code_adapter.counterfactual.handed_on.java_imports import find_moved_classes
from code_adapter.counterfactual.handed_on.moves import Move, describe_moves, find_moves
from code_adapter.counterfactual.handed_on.plants import plant
from code_adapter.counterfactual.ids_of_tests import TestId, make_ids
from code_adapter.counterfactual.named_fixes import NamedFixes, find_named_fixes
from code_adapter.counterfactual.new_names import find_new_names
from code_adapter.counterfactual.proofs import Proof, prove
from code_adapter.counterfactual.renamed_names import Renames, find_renames
from code_adapter.counterfactual.selection import Selection
from code_adapter.counterfactual.sides import Sides, read_sides
from code_adapter.counterfactual.test_support import is_named_by_code
from code_adapter.counterfactual.versions import Trees, chain, make_trees
from code_adapter.counterfactual.written_forms import describe_written
from code_adapter.tree_checkout import open_trees
from verigate.sdk import AdapterUsageError, path_text, write_json
from verigate.sdk.asked_fixes import read_asked_fixes
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.subject import open_repository, resolve_base

if TYPE_CHECKING:
    from verigate.sdk import Request
    from verigate.sdk.subject import Repository

RUNS = 2
"""How often a test runs in each cell before its class decides something, unless the configuration says otherwise."""

_SHOWING_FIXES = frozenset({Class.PROVEN, Class.FIXED})
_UNREPORTED = "the report of the declared command has no test of this file"
_NO_RUNNER = "the test files of this language aren't run one by one"


@dataclass
class _Found:
    """What was compared so far."""

    tests: list[Compared] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    control: list[dict[str, str]] = field(default_factory=list)
    unexamined: dict[str, str] = field(default_factory=dict)
    proofs: dict[TestName, Proof] = field(default_factory=dict)


def run(request: Request) -> None:
    """Write counterfactual.json and counterfactual.meta.json. Raises AdapterError outside git."""
    runs = _read_runs(request)
    asked = read_asked_fixes(request.commitment, request.claim)
    with open_repository(request) as repository:
        sides = read_sides(repository, resolve_base(request, repository))
        differing = read_differing_code(repository, sides.base, sides.head)
        renames = find_renames(repository, sides.base, sides.head, differing)
        moves = find_moves(differing, renames.by_language)
        trees = _make_trees(repository, sides, renames, moves)
        new = find_new_names(repository, sides)
        code = read_changed_code(repository, sides) if asked.names or asked.some else NO_CODE
    named = find_named_fixes(asked, sides)
    found = _Found(unexamined=dict(trees.unsplit))
    if sides.changed or named.chosen:
        with open_trees(request) as checkout:
            calls = CellCalls(request, checkout, trees, sides, runs, new)
            fixes = _Fixes(named, code)
            for runner in calls.find_runners(found.unexamined):
                _compare_project(calls, runner, fixes, found)
            for runner in calls.find_declared(found.files):
                _compare_project(calls, runner, fixes, found)
    whys = {**dict.fromkeys(sides.list_unread(frozenset(found.files)), _NO_RUNNER), **found.unexamined}
    texts = Texts(request.repo_root)
    unexamined = [
        {"path": path_text(path), "why": texts.message(why)}
        for path, why in sorted(whys.items())
        if path not in found.files
    ]
    files = sorted(map(path_text, found.files))
    referred = _find_referred(request, sides, {name for item in found.tests for name in item.gone})
    ids = make_ids(found.tests, sides)
    answer = {
        "tests": [
            _describe(item, ids[item.name], texts, referred, found.proofs) | _compare_texts(item, sides)
            for item in found.tests
        ],
        "counts": dict(sorted(Counter(item.found.name.value for item in found.tests).items())),
        "total": len(found.tests),
        "changed": sorted(map(path_text, sides.changed)),
        "files": files,
        "control": found.control,
        "unexamined": unexamined,
        "same": sides.count_same(),
        "same_files": sides.count_same_files(),
        "written": describe_written(sides, texts),
        "named": list(named.describe(found.tests)),
        "runs": runs,
    }
    if renamed := renames.describe():
        answer["renamed"] = renamed
    if moves:
        answer["moved"] = describe_moves(moves)
    write_json(request.task_dir, "counterfactual.json", answer)
    meta = {
        "expected": sorted({*files, *(item["path"] for item in unexamined)}),
        "examined": files,
        "skipped": unexamined,
        "trees": {"tests": [*map(path_text, sides.test_tree)], "code": [*map(path_text, sides.code)]},
    }
    write_json(request.task_dir, "counterfactual.meta.json", meta)


def _make_trees(repository: Repository, sides: Sides, renames: Renames, moves: Sequence[Move]) -> Trees:
    """Write the trees of the cells, with what tests of one version need to find what moved or has another name."""
    classes = find_moved_classes(moves)
    rewrite = (chain(renames.apply, classes.apply), chain(renames.reverse().apply, classes.reverse().apply))
    plain = make_trees(repository, sides.base, sides.head, rewrite)
    planted = plant(repository, sides.base, sides.head, moves) if moves else ({}, {})
    if not any(planted):
        return plain
    found = make_trees(repository, sides.base, sides.head, rewrite, planted)
    differing = {cell: tree for cell, tree in plain.by_cell.items() if tree != found.by_cell[cell]}
    return replace(found, plain=differing)


def _read_runs(request: Request) -> int:
    found = request.config.get("runs", RUNS)
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= 20:
        raise AdapterUsageError("is not a number from 1 to 20", where="configuration of code, /runs")
    return found


@dataclass(frozen=True)
class _Fixes:
    """The tests that are to show a fix, and the lines of code that it changed."""

    named: NamedFixes
    code: ChangedCode

    def prove(self, calls: CellCalls, runner: CellRunner, compared: Sequence[Compared]) -> dict[TestName, Proof]:
        """Look at the tests that show a fix, where something asks for it."""
        tests = [item.head for item in compared if item.found.name in _SHOWING_FIXES and self.named.is_asked(item)]
        found = [name for name in tests if name is not None]
        return prove(calls.request, runner, calls.check_out("HH"), found, self.code, runs=calls.runs) if found else {}


def _compare_project(calls: CellCalls, runner: CellRunner, fixes: _Fixes, found: _Found) -> None:
    """Run the chosen files of a project in each cell; what decides something runs again before it does."""
    changed = calls.sides.choose(runner)
    named = fixes.named.choose(runner, calls.sides)
    files = sorted({*changed, *named})
    if not files:
        return
    chosen = calls.sides.select(changed, runner.folder) if changed else {}
    chosen = fixes.named.add_to(chosen, changed, named)
    done = [calls.run(runner, files, chosen)]
    if whole := sorted(_find_missed(done[0], chosen)):
        chosen = {path: selection for path, selection in chosen.items() if path not in whole}
        done = [calls.run(runner, files, chosen)]
    compared = calls.compare(runner, files, done, chosen)
    again = sorted(_add_other_names(list_decisive(compared), compared).intersection(files))
    if again and calls.runs > 1:
        again = sorted({*again, *calls.sides.list_acting(files)})
        done += [calls.run(runner, again, chosen) for _ in range(1, calls.runs)]
        repeated = calls.compare(runner, files, done, chosen)
        compared = [item for item in compared if item.name.path not in again]
        compared += [item for item in repeated if item.name.path in again]
    compared = [item for item in compared if item.name.path in changed or fixes.named.is_named(item)]
    whys = [done[0][cell].why for cell in ("HH", "BB") if done[0][cell].why]
    if whys and not compared:
        found.unexamined |= dict.fromkeys(files, whys[0])
        return
    found.proofs |= fixes.prove(calls, runner, compared)
    reported = {name.path for item in compared for name in (item.base, item.head) if name is not None}
    if runner.by_report and (unreported := [path for path in files if path not in reported]):
        found.unexamined |= dict.fromkeys(unreported, _UNREPORTED)
        files = [path for path in files if path in reported]
    found.files += files
    found.tests += sorted(compared, key=lambda item: (item.name, item.base or item.name))
    found.control += [
        {"cell": cell, "outcome": (each[cell].canary or Outcome.ABSENT).value}
        for each in done
        for cell in CELLS
        if each[cell].says_something
    ]


def _add_other_names(paths: Iterable[str], compared: Sequence[Compared]) -> set[str]:
    """Add the files in which base has the tests of ``paths``: a test that moved has to run in both."""
    found = set(paths)
    return found | {item.base.path for item in compared if item.base is not None and item.name.path in found}


def _find_missed(run: Mapping[str, CellRun], chosen: Mapping[str, Selection]) -> Iterator[str]:
    """Find the files of which a chosen test doesn't pass alone, or another one passes in the form of the subject only.

    A runner may not know it by the name that it has in its file, or it may need what another test left.
    """
    for path, selection in chosen.items():
        others = [name for name in run["HH"].outcomes if name.path == path and name.name not in selection.head]
        passed_now = [name for name in others if run["HH"].get(name) is Outcome.PASSED]
        if run["HB"] is not run["BB"] and any(run["HB"].get(name) is not Outcome.PASSED for name in passed_now):
            yield path
            continue
        for cell in ("BB", "HH"):
            passed = {
                name.name
                for name, outcome in run[cell].outcomes.items()
                if name.path == path and outcome is Outcome.PASSED
            }
            if not selection.of(cell) <= passed:
                yield path


def _find_referred(request: Request, sides: Sides, gone: Collection[str]) -> frozenset[str]:
    """Find which of the names that are gone the code of the subject still refers to, by their last part."""
    if not gone:
        return frozenset()
    with open_repository(request) as repository:
        return frozenset(name for name in gone if is_named_by_code(repository, name.rpartition(".")[2], sides.head))


def _describe(
    item: Compared, made: TestId, texts: Texts, referred: Collection[str], proofs: Mapping[TestName, Proof]
) -> dict[str, Any]:
    proof = proofs.get(item.head) if item.head is not None else None
    return {
        "path": path_text(item.name.path),
        "test": texts.message(item.name.name),
        "was": _describe_place(item.base, texts) if item.base not in {None, item.head} else None,
        "class": item.found.name.value,
        "weakens": item.found.weakens.value,
        "cells": item.cells.describe(),
        "why": texts.message(item.found.why),
        "gone": list(item.gone),
        "referred": [name for name in item.gone if name in referred],
        "proof": None if proof is None else proof.describe(texts),
        "id": made.text,
        "of_file": made.of_file,
    }


def _compare_texts(item: Compared, sides: Sides) -> dict[str, Any]:
    """Say whether a test is the same text but for its name, where no syntax tree says it, and what of it is new."""
    same = sides.keeps_text(item.base, item.head)
    new = {"new": list(item.new)} if item.new else {}
    return new if same is None else {**new, "same_text": same}


def _describe_place(name: TestName | None, texts: Texts) -> dict[str, str] | None:
    return None if name is None else {"path": path_text(name.path), "test": texts.message(name.name)}
