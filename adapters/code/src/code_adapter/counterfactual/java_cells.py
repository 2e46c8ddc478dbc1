"""Run chosen test files of Java and Kotlin of a Maven or Gradle project in one cell."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from code_adapter.counterfactual.canary import judge_canaries, write_canaries
from code_adapter.counterfactual.cell_runs import NOT_RUN, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.java_bench import JavaBench, prepare_bench
from code_adapter.counterfactual.java_canary import find_framework
from code_adapter.counterfactual.java_choices import TESTS, Chosen, choose_arguments, choose_methods, names_suites
from code_adapter.counterfactual.java_classes import JavaClass, list_classes, may_hold_tests, read_cases
from code_adapter.counterfactual.left_out import MOST_ROUNDS, CompileError, LeftOut, open_left_out
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.detection import Missing
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.java_suites import find_sources, read_module, remove_old_reports
from code_adapter.toolchains.java import TOOLS, JavaProject, find_projects, require_dependencies, run_build_tool
from code_adapter.toolchains.java_errors import parse_java_errors
from verigate.sdk import AdapterError, Request, ToolFailed, ToolRun, clean_text
from verigate.sdk.normalised_texts import Texts

_OPTIONS: Mapping[str, str] = {"-fae": "-fn"}
"""The test that must fail would keep Maven from running the tests of modules that need its own."""

_FAILURES: Mapping[str, re.Pattern[str]] = {
    "maven": re.compile(r"^\[ERROR\] (Failed to execute goal .*)$", re.MULTILINE),
    "gradle": re.compile(r"^\* What went wrong:\n(.*(?:\n> .*)?)", re.MULTILINE),
}
_OF_TESTS = re.compile(r"There are test failures|There were failing tests|No tests found for given includes")
"""What a build says whose tests failed, or one of whose modules has none of those that were chosen."""

_FOR_MUTANTS = ("-DforkCount=0", "-X")
"""Tests run in Maven's process, and Maven prints their class path.

https://maven.apache.org/surefire/maven-surefire-plugin/examples/fork-options-and-parallel-execution.html
"""

_BUILT: Mapping[str, str] = {"maven": "target", "gradle": "build"}
_MARKERS = frozenset(marker for tool in TOOLS for marker in tool.markers)
_BY_SUITES = "files of suites choose the tests there, and not the names of classes"


@dataclass(frozen=True)
class _Cell:
    """What runs in a cell: the test files ``here``, and tests that must fail, ``planted`` in the same folders."""

    files: SubjectFiles
    project: JavaProject
    here: Sequence[str]
    planted: Sequence[str]
    private: Path

    @property
    def sources(self) -> list[str]:
        """All files of tests that run."""
        return [*self.here, *self.planted]

    @property
    def modules(self) -> list[str]:
        """The folders of the modules that hold them."""
        return sorted({_find_module(path) for path in self.sources})


class JavaCells(ProjectCells):
    """The cells of a Maven or Gradle project. Each runs the build that its own code has."""

    sources = re.compile(r"(?:^|/)src/test/.*\.(?:java|kt)\Z")

    def __init__(self, request: Request, folder: str, tests: frozenset[str], *, forks: bool = True) -> None:
        super().__init__(request, folder)
        self._tests = tests
        self._forks = forks
        self._bench: JavaBench | None = None
        self._printed = b""

    def for_mutants(self) -> JavaCells:
        """Return cells whose tests Maven runs in its own process, without a second start of a virtual machine.

        Surefire of Debian also waits up to ten seconds after a fork, until its next ping finds the process gone.
        """
        return JavaCells(self._request, self._folder, self._tests, forks=False)

    def is_ready(self, files: SubjectFiles) -> bool:
        """Whether Maven has compiled this version, or each run compiles it."""
        return self.again_s is None or (self._bench is not None and self._bench.files is files)

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the classes of the files ``paths``, or ``only`` the chosen tests, each folder with one that must fail."""
        here = [path for path in paths if path in files.known]
        if not here:
            return NOT_RUN
        projects = find_projects(self._request, files, with_tests=True)
        found = next((each for each in projects if each.folder == self._folder), None)
        if found is None or isinstance(found, Missing):
            return CellRun(
                {}, {}, Outcome.FAILED, "no Maven or Gradle project is there" if found is None else found.why
            )
        if not found.tool.is_gradle and names_suites(files, self._folder):
            return CellRun({}, {}, Outcome.FAILED, _BY_SUITES)
        project = replace(
            found, tool=replace(found.tool, options=tuple(_OPTIONS.get(each, each) for each in found.tool.options))
        )
        ordered = sorted(here, key=lambda path: (may_hold_tests(files.text(path)), path))
        framework = next((name for path in here if (name := find_framework(files.text(path)))), None)
        framework = framework or self._find_framework(files)
        try:
            with (
                write_canaries(self._request, ordered, framework) as planted,
                open_left_out() as left,
                tempfile.TemporaryDirectory(prefix="verigate-") as private,
            ):
                return self._run(_Cell(files, project, here, planted, Path(private)), left, only)
        except ToolFailed as error:
            return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
        except AdapterError as error:
            # A report is part of this version: it says nothing of a run.
            return CellRun({}, {}, Outcome.FAILED, error.message)

    def _find_framework(self, files: SubjectFiles) -> str:
        """Find what the other tests of the project import."""
        others = (path for path in files.below(self._folder) if TESTS in f"/{path}" and path.endswith((".java", ".kt")))
        return next((name for path in others if (name := find_framework(files.text(path)))), "junit4")

    def _run(self, cell: _Cell, left: LeftOut, only: Only) -> CellRun:
        root = self._request.repo_root
        texts = {path: (root / path).read_text(encoding="utf-8", errors="replace") for path in cell.sources}
        classes = [each for path, text in texts.items() for each in list_classes(path, text)]
        if self._forks or cell.project.tool.is_gradle:
            return self._run_tool(cell, left, only, classes)
        if self._bench is not None and self._bench.files is cell.files:
            found = self._run_again(cell, only, classes)
            if found is not None:
                return found
        first = self._run_tool(cell, left, only, classes)
        self._prepare(cell, left, only, classes, first)
        return first

    def _run_again(self, cell: _Cell, only: Only, classes: Sequence[JavaClass]) -> CellRun | None:
        """Run the tests as Maven compiled them, with what differs since; None if that can't be done."""
        if self._bench is None or cell.modules != [self._bench.module]:
            return None
        run = self._bench.run(cell.planted, [each.name for each in classes if "$" not in each.name])
        if run is None:
            return None
        if run.why:
            return CellRun({}, {}, Outcome.FAILED, run.why)
        found, canaries = _sort_cases(read_cases(run.cases, classes), cell.planted)
        outcomes = _keep_only(merge_parameters(found), only)
        return CellRun(outcomes, {}, judge_canaries(cell.planted, canaries, sorted({name.path for name in outcomes})))

    def _prepare(self, cell: _Cell, left: LeftOut, only: Only, classes: Sequence[JavaClass], first: CellRun) -> None:
        """Prepare to run the tests of this version again; not where that has other outcomes than Maven's run had."""
        self._bench = None
        self.again_s = None
        if first.why or first.broken or left.files or left.tests or len(cell.modules) != 1:
            return
        module = cell.modules[0]
        self._bench = prepare_bench(self._request, cell.files, self._folder, module, self._printed)
        started = time.monotonic()
        again = self._run_again(cell, only, classes) if self._bench is not None else None
        if again is None or again.canary is not Outcome.FAILED or again.outcomes != first.outcomes:
            self._bench = None
        else:
            self.again_s = time.monotonic() - started

    def _run_tool(self, cell: _Cell, left: LeftOut, only: Only, classes: Sequence[JavaClass]) -> CellRun:
        chosen = Chosen(classes, frozenset(cell.planted), {})
        chosen = replace(chosen, methods=choose_methods(only, chosen))
        arguments = choose_arguments(cell.project, cell.files, chosen, cell.private)
        if not self._forks and not cell.project.tool.is_gradle:
            arguments += _FOR_MUTANTS
        run, errors = self._compile(cell, arguments, left)
        self._printed = run.stdout
        found, canaries = self._read(cell, classes)
        ran = {name.path for name, _ in found}
        found += [(name, Outcome.BROKEN) for name in left.tests if name.path in cell.here]
        broken = {path: why for path, why in left.files.items() if path in cell.here}
        if why := self._explain(cell, run, errors):
            if not ran and not canaries and not errors:
                require_dependencies(structs.replace(run, exit_code=1), cell.project)
                return CellRun({}, {}, Outcome.FAILED, why)
            broken |= {path: why for path in cell.here if path not in ran and path not in broken}
        outcomes = merge_parameters(found)
        kept = _keep_only(outcomes, only)
        canary = judge_canaries(cell.planted, canaries, sorted(ran))
        return CellRun(kept, broken, canary, gone=left.list_gone(cell.files, self._tests))

    def _compile(self, cell: _Cell, arguments: Sequence[str], left: LeftOut) -> tuple[ToolRun, Sequence[CompileError]]:
        """Compile and run; what doesn't compile of the tests is left out. Returns the errors that stay."""
        for _ in range(MOST_ROUNDS):
            self._remove_built(cell.files, cell.project)
            for module in cell.modules:
                remove_old_reports(cell.files, module, cell.project.tool)
            run = run_build_tool(self._request, cell.project, "test", *arguments)
            if run.exit_code is None:
                raise run.as_failure(f"{cell.project.tool.name} ended with {run.ended}", where=self._folder or ".")
            errors = list(self._list_errors(run))
            if not errors or not left.leave_out(self._request.repo_root, errors, self._tests):
                break
        return run, errors

    def _list_errors(self, run: ToolRun) -> Iterator[CompileError]:
        for found in parse_java_errors(run, Texts(self._request.repo_root), self._folder):
            if found.is_error:
                symbol = f" symbol: {found.symbol}" if found.symbol else ""
                yield CompileError(found.path, found.line, found.column, f"{found.message}{symbol}")

    def _remove_built(self, files: SubjectFiles, project: JavaProject) -> None:
        """Remove what was compiled before: classes without a source would still run."""
        folders = {
            f"/{path}".partition("/src/")[0].lstrip("/") for path in files.below(self._folder) if "/src/" in f"/{path}"
        }
        folders |= {
            path.rpartition("/")[0] for path in files.below(self._folder) if path.rpartition("/")[2] in _MARKERS
        }
        for folder in folders:
            place = self._request.repo_root / folder / _BUILT[project.tool.name]
            start = f"{folder}/{place.name}/".lstrip("/")
            if place.is_dir() and not place.is_symlink() and not any(path.startswith(start) for path in files.known):
                shutil.rmtree(place, ignore_errors=True)

    def _read(
        self, cell: _Cell, classes: Sequence[JavaClass]
    ) -> tuple[list[tuple[TestName, Outcome]], dict[str, Outcome]]:
        """Read the reports: the outcomes of the tests, and those of the tests that must fail by their files."""
        named: list[tuple[TestName, Outcome]] = []
        sources = find_sources(cell.files, cell.project.folder)
        for module in cell.modules:
            cases = read_module(cell.files, module, cell.project.tool, sources).cases
            named += read_cases(cases, [each for each in classes if _find_module(each.path) == module])
        return _sort_cases(named, cell.planted)

    def _explain(self, cell: _Cell, run: ToolRun, errors: Sequence[CompileError]) -> str:
        """Say why a build failed by something else than a test; empty if it didn't."""
        if errors:
            return f"{errors[0].path}:{errors[0].line}: {errors[0].message}"
        tool = cell.project.tool.name
        found = _FAILURES[tool].findall(clean_text(run.stdout + b"\n" + run.stderr))
        if failures := [" ".join(each.split()) for each in found if not _OF_TESTS.search(each)]:
            return f"{tool}: {failures[0]}"
        return "" if found or not run.exit_code else run.add_cause(f"{tool} ended with {run.ended}")


def _sort_cases(
    cases: Iterable[tuple[TestName, Outcome]], planted: Sequence[str]
) -> tuple[list[tuple[TestName, Outcome]], dict[str, Outcome]]:
    """Part the outcomes of the tests from those of the tests that must fail, which are kept by their files."""
    found: list[tuple[TestName, Outcome]] = []
    canaries: dict[str, Outcome] = {}
    for name, outcome in cases:
        if name.path not in planted:
            found.append((name, outcome))
        elif canaries.get(name.path) is not Outcome.PASSED:
            canaries[name.path] = outcome
    return found, canaries


def _keep_only(outcomes: Mapping[TestName, Outcome], only: Only) -> dict[TestName, Outcome]:
    return {name: done for name, done in outcomes.items() if name.name in only.get(name.path, {name.name})}


def _find_module(path: str) -> str:
    return f"/{path}".partition(TESTS)[0].lstrip("/")
