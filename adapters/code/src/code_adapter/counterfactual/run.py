"""``code:counterfactual``: run changed tests of base and subject on the code of each, and compare the outcomes."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from code_adapter.counterfactual.cell_runs import NOT_RUN, CellRun, CellRunner, Only, TestName
from code_adapter.counterfactual.changed_lines import NO_CODE, ChangedCode, read_changed_code
from code_adapter.counterfactual.classes import Class, Outcome
from code_adapter.counterfactual.comparison import CELLS, Compared, compare, list_decisive
from code_adapter.counterfactual.gone_files import replace_in_files
from code_adapter.counterfactual.named_fixes import NamedFixes, find_named_fixes
from code_adapter.counterfactual.proofs import Proof, prove
from code_adapter.counterfactual.python_cells import find_cells
from code_adapter.counterfactual.selection import Selection
from code_adapter.counterfactual.sides import Sides, read_sides
from code_adapter.counterfactual.test_support import is_named_by_code
from code_adapter.counterfactual.versions import make_trees
from code_adapter.subject_files import SubjectFiles, find_subject_files
from code_adapter.testing.node_projects import find_node_projects
from code_adapter.testing.python_tests import find_tested_projects
from code_adapter.toolchains.go import find_modules
from code_adapter.tree_checkout import TreeCheckout, open_trees
from verigate.sdk import AdapterUsageError, path_text, write_json
from verigate.sdk.asked_fixes import read_asked_fixes
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.subject import open_repository, resolve_base
from verigate.sdk.tools import limit_tools
from verigate.sdk.weakening_ids import digest_form, make_weakening_id

if TYPE_CHECKING:
    from verigate.sdk import Request

_SUBJECT_FIRST, _BASE_FIRST = ("HH", "BB", "HB", "BH"), ("BB", "HH", "HB", "BH")
_SAME: Mapping[str, str] = {"HB": "BB", "BH": "HH"}
"""The cell that another one equals where the code is the same."""

LIMIT_S: Mapping[str, float] = {"BB": 20.0, "HB": 10.0, "BH": 10.0}
"""Seconds that tests may take in a cell, and five times as long as they took in those before it."""

MOST_ALONE = 20
"""More tests than these aren't run one by one to find which of them doesn't end."""

RUNS = 2
"""How often a test runs in each cell before its class decides something, unless the configuration says otherwise."""

_SHOWING_FIXES = frozenset({Class.PROVEN, Class.FIXED})
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
        trees = make_trees(repository, sides.base, sides.head)
        code = read_changed_code(repository, sides) if asked.names or asked.some else NO_CODE
    named = find_named_fixes(asked, sides)
    found = _Found(unexamined=dict(trees.unsplit))
    if sides.changed or named.chosen:
        with open_trees(request) as checkout:
            calls = _Calls(request, checkout, trees.by_cell, sides, runs, named, code)
            for runner in calls.find_runners(found.unexamined):
                _compare_project(calls, runner, found)
    whys = {**dict.fromkeys(sides.list_unread(frozenset(found.files)), _NO_RUNNER), **found.unexamined}
    texts = Texts(request.repo_root)
    unexamined = [
        {"path": path_text(path), "why": texts.message(why)}
        for path, why in sorted(whys.items())
        if path not in found.files
    ]
    files = sorted(map(path_text, found.files))
    referred = _find_referred(request, sides, {name for item in found.tests for name in item.gone})
    answer = {
        "tests": [_describe(item, sides, texts, referred, found.proofs) for item in found.tests],
        "counts": dict(sorted(Counter(item.found.name.value for item in found.tests).items())),
        "total": len(found.tests),
        "changed": sorted(map(path_text, sides.changed)),
        "files": files,
        "control": found.control,
        "unexamined": unexamined,
        "same": sides.count_same(),
        "named": list(named.describe(found.tests)),
        "runs": runs,
    }
    write_json(request.task_dir, "counterfactual.json", answer)
    meta = {
        "expected": sorted({*files, *(item["path"] for item in unexamined)}),
        "examined": files,
        "skipped": unexamined,
        "trees": {"tests": [*map(path_text, sides.test_tree)], "code": [*map(path_text, sides.code)]},
    }
    write_json(request.task_dir, "counterfactual.meta.json", meta)


def _read_runs(request: Request) -> int:
    found = request.config.get("runs", RUNS)
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= 20:
        raise AdapterUsageError("is not a number from 1 to 20", where="configuration of code, /runs")
    return found


@dataclass(frozen=True)
class _Calls:
    """The runs of a change. ``runs`` is how often a test runs in each cell before its class decides something."""

    request: Request
    checkout: TreeCheckout
    trees: Mapping[str, str]
    sides: Sides
    runs: int
    named: NamedFixes
    code: ChangedCode
    longest: list[float] = field(default_factory=lambda: [0.0])
    """The longest that tests took on the code of their own version, in seconds; 0 before any has."""

    listed: dict[str, SubjectFiles] = field(default_factory=dict)
    """The files of the trees that were checked out."""

    def find_runners(self, unexamined: dict[str, str]) -> list[CellRunner]:
        """Find the projects of the subject, and those that only the base has; ``unexamined`` gets what can't run."""
        here = find_subject_files(self.request)
        projects = {item.folder: item for item in find_tested_projects(self.request, here)}
        folders = {item.folder for item in find_node_projects(here) if item.calls}
        modules = {item for item in find_modules(self.request, here, "_test.go") if isinstance(item, str)}
        crates = set(here.projects("Cargo.toml"))
        before = self._check_out("BB")
        crates |= set(before.projects("Cargo.toml"))
        for item in find_tested_projects(self.request, before):
            projects.setdefault(item.folder, item)
        folders |= {item.folder for item in find_node_projects(before) if item.calls}
        modules |= {item for item in find_modules(self.request, before, "_test.go") if isinstance(item, str)}
        found: list[CellRunner] = []
        here = self._check_out("HH")
        for project in projects.values():
            cells = find_cells(self.request, here, project)
            if cells is None:
                unexamined[project.folder or "."] = f"{project.runner} is not installed in the project's environment"
            else:
                found.append(cells)
        tests = frozenset(self.sides.test_tree)
        # The cells of a language load what reads its reports.
        if folders:
            from code_adapter.counterfactual.node_cells import NodeCells

            found += [NodeCells(self.request, folder, self._name) for folder in sorted(folders)]
        if modules:
            from code_adapter.counterfactual.go_cells import GoCells

            found += [GoCells(self.request, module, tests) for module in sorted(modules)]
        if crates and shutil.which("cargo", path=self.request.project_path) is not None:
            from code_adapter.counterfactual.cargo_cells import CargoCells

            found += [CargoCells(self.request, folder, tests) for folder in sorted(crates)]
        return found

    def _name(self, path: str, reported: str) -> str:
        forms = (self.sides.head_forms, self.sides.base_forms)
        return next((name for form in forms if (name := form.name(path, reported)) != reported), reported)

    def run(self, runner: CellRunner, files: Sequence[str], chosen: Mapping[str, Selection]) -> dict[str, CellRun]:
        """Run the files once in each cell, those in ``chosen`` in part; what can't differ runs once."""
        found: dict[str, CellRun] = {}
        for cell in _BASE_FIRST if runner.base_first else _SUBJECT_FIRST:
            same = _SAME.get(cell) if self.sides.same_code else None
            equal = (done for done in found if done == same or self.trees[done] == self.trees[cell])
            done = next(equal, None)
            found[cell] = found[done] if done is not None else self._run(runner, cell, files, chosen)
        return found

    def _run(self, runner: CellRunner, cell: str, files: Sequence[str], chosen: Mapping[str, Selection]) -> CellRun:
        on_base = cell.startswith("B")
        only = {path: selection.of(cell) for path, selection in chosen.items()} if on_base else {}
        wanted = [path for path in files if only.get(path, True)]
        if not wanted:
            return NOT_RUN
        here = self._check_out(cell)
        found = self._run_in_time(runner, cell, here, wanted, only)
        if cell != "HB" or not found.broken:
            return found
        with replace_in_files(self.request, self.sides, found.broken) as gone:
            return found.merge(runner.run(here, sorted(gone), only), gone) if gone else found

    def _run_in_time(
        self, runner: CellRunner, cell: str, here: SubjectFiles, files: Sequence[str], only: Only
    ) -> CellRun:
        """Run the files; a test that doesn't end, though others of the change did, has failed."""
        limit = LIMIT_S[cell] + 5 * self.longest[0] if cell in LIMIT_S and self.longest[0] else None
        with limit_tools(limit):
            started = time.monotonic()
            found = runner.run(here, files, only)
            if limit is None or not found.timed_out:
                if cell in {"BB", "HH"}:
                    self.longest[0] = max(self.longest[0], time.monotonic() - started)
                return found
            forms = self.sides.base_forms if cell.endswith("B") else self.sides.head_forms
            tests = [
                TestName(path, name)
                for path in files
                for name in sorted(only.get(path) or (test.name for test in forms.list_tests(path)))
            ]
            return _run_alone(runner, here, tests, found)

    def _check_out(self, cell: str) -> SubjectFiles:
        tree = self.trees[cell]
        index = self.checkout.check_out(tree)
        if tree not in self.listed:
            self.listed[tree] = find_subject_files(self.request, index)
        return self.listed[tree]

    def compare(self, done: Sequence[Mapping[str, CellRun]], chosen: Mapping[str, Selection]) -> list[Compared]:
        """Compare the tests by these runs."""
        runs = {cell: [each[cell] for each in done] for cell in CELLS}
        changed = self.sides.changed_dependencies
        return compare(runs, self.sides.base_forms, self.sides.head_forms, chosen, changed_dependencies=changed)

    def prove(self, runner: CellRunner, compared: Sequence[Compared]) -> dict[TestName, Proof]:
        """Look at the tests that show a fix, where something asks for it."""
        tests = [item.head for item in compared if item.found.name in _SHOWING_FIXES and self.named.is_asked(item)]
        found = [name for name in tests if name is not None]
        return prove(self.request, runner, self._check_out("HH"), found, self.code, runs=self.runs) if found else {}


def _run_alone(runner: CellRunner, here: SubjectFiles, tests: Sequence[TestName], found: CellRun) -> CellRun:
    """Run each test alone after one of them didn't end: those that still don't end have failed."""
    if len(tests) == 1:
        return replace(found, outcomes={tests[0]: Outcome.FAILED}, why="", timed_out=False)
    if not runner.runs_one or len(tests) > MOST_ALONE:
        return found
    outcomes: dict[TestName, Outcome] = {}
    canary: Outcome | None = Outcome.FAILED
    for test in tests:
        alone = runner.run(here, [test.path], {test.path: frozenset({test.name})})
        outcomes[test] = Outcome.FAILED if alone.timed_out else alone.get(test)
        if not alone.why and alone.canary is not Outcome.FAILED:
            canary = alone.canary
    return CellRun(outcomes, {}, canary)


def _compare_project(calls: _Calls, runner: CellRunner, found: _Found) -> None:
    """Run the chosen files of a project in each cell; what decides something runs again before it does."""
    changed = calls.sides.choose(runner)
    named = calls.named.choose(runner, calls.sides)
    files = sorted({*changed, *named})
    if not files:
        return
    chosen = calls.sides.select(changed, runner.folder) if changed else {}
    chosen = calls.named.add_to(chosen, changed, named)
    done = [calls.run(runner, files, chosen)]
    if whole := sorted(_find_missed(done[0], chosen)):
        chosen = {path: selection for path, selection in chosen.items() if path not in whole}
        done = [calls.run(runner, files, chosen)]
    compared = calls.compare(done, chosen)
    again = sorted(_add_other_names(list_decisive(compared), compared).intersection(files))
    if again and calls.runs > 1:
        again = sorted({*again, *calls.sides.list_acting(files)})
        done += [calls.run(runner, again, chosen) for _ in range(1, calls.runs)]
        repeated = calls.compare(done, chosen)
        compared = [item for item in compared if item.name.path not in again]
        compared += [item for item in repeated if item.name.path in again]
    compared = [item for item in compared if item.name.path in changed or calls.named.is_named(item)]
    whys = [done[0][cell].why for cell in ("HH", "BB") if done[0][cell].why]
    if whys and not compared:
        found.unexamined |= dict.fromkeys(files, whys[0])
        return
    found.proofs |= calls.prove(runner, compared)
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
    item: Compared, sides: Sides, texts: Texts, referred: Collection[str], proofs: Mapping[TestName, Proof]
) -> dict[str, Any]:
    base, head = sides.find_forms(item.base, item.head)
    path, test = path_text(item.name.path), item.name.name
    kind = item.found.name.value
    proof = proofs.get(item.head) if item.head is not None else None
    return {
        "path": path,
        "test": texts.message(test),
        "was": _describe_place(item.base, texts) if item.base not in {None, item.head} else None,
        "class": kind,
        "weakens": item.found.weakens.value,
        "cells": item.cells.describe(),
        "why": texts.message(item.found.why),
        "gone": list(item.gone),
        "referred": [name for name in item.gone if name in referred],
        "proof": None if proof is None else proof.describe(texts),
        "id": make_weakening_id(kind, path, test, digest_form(base), digest_form(head)),
    }


def _describe_place(name: TestName | None, texts: Texts) -> dict[str, str] | None:
    return None if name is None else {"path": path_text(name.path), "test": texts.message(name.name)}
