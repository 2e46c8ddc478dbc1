"""Run tests in the cells of a change: find their runners, check out the trees, hold the time."""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from code_adapter.counterfactual.cell_runs import NOT_RUN, CellRun, CellRunner, Only, TestName
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.comparison import CELLS, Compared, compare
from code_adapter.counterfactual.forms import TestNames
from code_adapter.counterfactual.gone_files import replace_in_files
from code_adapter.counterfactual.other_projects import OtherProjects
from code_adapter.counterfactual.python_cells import find_cells
from code_adapter.counterfactual.selection import Selection
from code_adapter.counterfactual.sides import Sides
from code_adapter.counterfactual.versions import Trees
from code_adapter.detection import Missing
from code_adapter.subject_files import SubjectFiles, find_subject_files
from code_adapter.testing.node_projects import find_node_projects
from code_adapter.testing.python_tests import find_tested_projects
from code_adapter.toolchains.go import find_modules
from code_adapter.toolchains.java import find_projects
from code_adapter.tree_checkout import TreeCheckout
from verigate.sdk import Request
from verigate.sdk.tools import limit_tools

_SUBJECT_FIRST, _BASE_FIRST = ("HH", "BB", "HB", "BH"), ("BB", "HH", "HB", "BH")
_SAME: Mapping[str, str] = {"HB": "BB", "BH": "HH"}
"""The cell that another one equals where the code is the same."""

LIMIT_S: Mapping[str, float] = {"BB": 20.0, "HB": 10.0, "BH": 10.0}
"""Seconds that tests may take in a cell, and five times as long as they took in those before it."""

MOST_ALONE = 20
"""More tests than these aren't run one by one to find which of them doesn't end."""


@dataclass(frozen=True)
class CellCalls:
    """The runs of a change. ``runs`` is how often a test runs in each cell before its class decides something."""

    request: Request
    checkout: TreeCheckout
    trees: Trees
    sides: Sides
    runs: int
    new_names: frozenset[str] = frozenset()
    """Names of functions and classes that the change brought."""

    longest: list[float] = field(default_factory=lambda: [0.0])
    """The longest that tests took on the code of their own version, in seconds; 0 before any has."""

    listed: dict[str, SubjectFiles] = field(default_factory=dict)
    """The files of the trees that were checked out."""

    def find_runners(self, unexamined: dict[str, str]) -> list[CellRunner]:
        """Find the projects of the subject, and those that only the base has; ``unexamined`` gets what can't run."""
        here = find_subject_files(self.request)
        others = OtherProjects(self.request)
        others.add(here)
        projects = {item.folder: item for item in find_tested_projects(self.request, here)}
        folders = {item.folder for item in find_node_projects(here) if item.calls}
        modules = {item for item in find_modules(self.request, here, "_test.go") if isinstance(item, str)}
        crates = set(here.projects("Cargo.toml"))
        before = self.check_out("BB")
        others.add(before)
        crates |= set(before.projects("Cargo.toml"))
        for item in find_tested_projects(self.request, before):
            projects.setdefault(item.folder, item)
        folders |= {item.folder for item in find_node_projects(before) if item.calls}
        modules |= {item for item in find_modules(self.request, before, "_test.go") if isinstance(item, str)}
        builds = self._find_builds(here, before, unexamined=unexamined)
        found: list[CellRunner] = []
        here = self.check_out("HH")
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

            names = TestNames((self.sides.head_forms, self.sides.base_forms))
            found += [NodeCells(self.request, folder, names) for folder in sorted(folders)]
        if modules:
            from code_adapter.counterfactual.go_cells import GoCells

            found += [GoCells(self.request, module, tests) for module in sorted(modules)]
        if crates and shutil.which("cargo", path=self.request.project_path) is not None:
            from code_adapter.counterfactual.cargo_cells import CargoCells

            found += [CargoCells(self.request, folder, tests) for folder in sorted(crates)]
        if builds:
            from code_adapter.counterfactual.java_cells import JavaCells

            found += [JavaCells(self.request, folder, tests) for folder in builds]
        unexamined |= {path: why for path, why in others.lacking.items() if path in self.sides.changed}
        return [*found, *others.make_runners()]

    def find_declared(self, taken: Collection[str]) -> Iterator[CellRunner]:
        """Find the declared commands, for test files that aren't among ``taken``."""
        if self.request.config.get("tests"):
            from code_adapter.counterfactual.declared_cells import find_declared_cells

            yield from find_declared_cells(self.request, self.sides.test_tree, taken)

    def _find_builds(self, *versions: SubjectFiles, unexamined: dict[str, str]) -> list[str]:
        """Find the folders of Maven and Gradle whose program is there; ``unexamined`` gets the tests of the others."""
        found = [each for files in versions for each in find_projects(self.request, files, with_tests=True)]
        folders = {each.folder for each in found if not isinstance(each, Missing)}
        for each in found:
            if isinstance(each, Missing) and each.folder not in folders:
                start = f"{each.folder}/" if each.folder else ""
                changed = (
                    path for path in self.sides.changed if path.endswith((".java", ".kt")) and path.startswith(start)
                )
                unexamined.update(dict.fromkeys(changed, each.why))
        return sorted(folders)

    def run(self, runner: CellRunner, files: Sequence[str], chosen: Mapping[str, Selection]) -> dict[str, CellRun]:
        """Run the files once in each cell, those in ``chosen`` in part; what can't differ runs once."""
        found: dict[str, CellRun] = {}
        for cell in _BASE_FIRST if runner.base_first else _SUBJECT_FIRST:
            same = _SAME.get(cell) if self.sides.same_code else None
            equal = (done for done in found if done == same or self.trees.by_cell[done] == self.trees.by_cell[cell])
            done = next(equal, None)
            found[cell] = found[done] if done is not None else self.run_cell(runner, cell, files, chosen)
        return found

    def run_cell(self, runner: CellRunner, cell: str, files: Sequence[str], chosen: Mapping[str, Selection]) -> CellRun:
        """Run the files in one cell, on the code of base those in ``chosen`` in part."""
        on_base = cell.startswith("B")
        only = {path: selection.of(cell) for path, selection in chosen.items()} if on_base else {}
        wanted = [path for path in files if only.get(path, True)]
        if not wanted:
            return NOT_RUN
        here = self.check_out(cell)
        found = self._run_in_time(runner, cell, here, wanted, only)
        if cell in self.trees.plain and (found.broken or found.why):
            here = self._check_out_tree(self.trees.plain[cell])
            found = min(found, self._run_in_time(runner, cell, here, wanted, only), key=_count_broken)
            here = self.check_out(cell)
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

    def check_out(self, cell: str) -> SubjectFiles:
        """Check out the tree of a cell and list its files."""
        return self._check_out_tree(self.trees.by_cell[cell])

    def _check_out_tree(self, tree: str) -> SubjectFiles:
        index = self.checkout.check_out(tree)
        if tree not in self.listed:
            self.listed[tree] = find_subject_files(self.request, index)
        return self.listed[tree]

    def compare(
        self,
        runner: CellRunner,
        files: Sequence[str],
        done: Sequence[Mapping[str, CellRun]],
        chosen: Mapping[str, Selection],
    ) -> list[Compared]:
        """Compare the tests of the files by these runs."""
        runs = {cell: [each[cell] for each in done] for cell in CELLS}
        changed = not runner.compiles and self.sides.changed_dependencies
        forms = (self.sides.base_forms, self.sides.head_forms)
        if runner.by_report:
            for own, cells in zip(forms, (("BB", "HB"), ("BH", "HH")), strict=True):
                own.learn({name for cell in cells for run in runs[cell] for name in run.outcomes})
        new = self.new_names
        return compare(runs, *forms, files, chosen, changed_dependencies=changed, new_names=new)


def _count_broken(run: CellRun) -> tuple[bool, int]:
    """How much of a run can't be imported or compiled: what hands on a name may itself be in the way."""
    return bool(run.why), len(run.broken)


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
