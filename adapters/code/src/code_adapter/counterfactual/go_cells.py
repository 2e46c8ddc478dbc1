"""Run the packages of chosen Go test files in one cell. Subtests belong to the function that starts them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from code_adapter.counterfactual.canary import write_canaries
from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.left_out import MOST_ROUNDS, CompileError, LeftOut, open_left_out
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.reports.go_test import parse_go_test
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.go_suite import read_go_test_options, read_module
from code_adapter.testing.make_test import is_about_coverage
from code_adapter.toolchains.go import run_go
from verigate.sdk import Request, ToolFailed
from verigate.sdk.reports.outcomes import Case

_RUN = "-run="
MOST_CRASHES = 5
"""So often the rest of a package runs again after a test that crashed."""

_DETECTORS = frozenset({"race", "msan", "asan"})
_FUNCTION = re.compile(r"^func\s+((?:Test|Fuzz|Example)\w*)\s*\(", re.MULTILINE)
_ERROR = re.compile(r"^\s*(?P<path>\S+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$", re.MULTILINE)


class GoCells(ProjectCells):
    """The cells of a Go module."""

    sources = re.compile(r"_test\.go\Z")

    def __init__(self, request: Request, folder: str, tests: frozenset[str], *, races: bool = True) -> None:
        super().__init__(request, folder)
        self._tests = tests
        self._races = races

    def with_request(self, request: Request) -> GoCells:
        """Return cells that run for another request."""
        return GoCells(request, self._folder, self._tests, races=self._races)

    def for_mutants(self) -> GoCells:
        """Return cells without the detector of races, for which everything is compiled again."""
        return GoCells(self._request, self._folder, self._tests, races=False)

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the packages of the files ``paths``, or ``only`` the chosen tests, each with a test that must fail."""
        here = [path for path in paths if path in files.known]
        if not here:
            return NOT_RUN
        packages = {_folder_of(path) for path in here}
        start = len(self._folder) + 1 if self._folder else 0
        with ExitStack() as stack:
            planted = stack.enter_context(write_canaries(self._request, here, "go", len(packages)))
            left = stack.enter_context(open_left_out())
            argv = ["go", "test", "-json", "-count=1", *self._list_options(files)]
            argv += [f"./{folder[start:]}" if folder[start:] else "." for folder in sorted(packages)]
            functions = {folder: _list_functions(files, folder, here) for folder in packages}
            texts = {_folder_of(path): (self._request.repo_root / path).read_text() for path in planted}
            canaries = {folder: _FUNCTION.findall(text)[0] for folder, text in texts.items()}
            wanted = {*canaries.values(), *(name for own in functions.values() for name in own)}
            if all(path in only for path in here):
                wanted = {*canaries.values(), *(name for path in here for name in only[path])}
                argv.append(_choose_functions(wanted))
            try:
                cases = self._start(argv, left)
                cases += self._run_rest(argv, cases, wanted, left)
            except ToolFailed as error:
                return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
            gone = left.list_gone(files, self._tests)
        module = read_module(files, f"{self._folder}/go.mod" if self._folder else "go.mod")
        found = self._read(cases, module, functions, canaries)
        outcomes = {**found.outcomes, **{name: Outcome.BROKEN for name in left.tests if name.path in here}}
        return replace(found, outcomes=outcomes, gone=gone)

    def _list_options(self, files: SubjectFiles) -> list[str]:
        """List the project's options. What go vet says of a test is no outcome of it: newer versions say more."""
        options = [each for each in read_go_test_options(files, self._folder) if not is_about_coverage(each)]
        # Of an option that is given twice go takes the last one.
        return [*(each for each in options if self._races or each.lstrip("-") not in _DETECTORS), "-vet=off"]

    def _run_rest(
        self, argv: Sequence[str], cases: Sequence[Case], wanted: Collection[str], left: LeftOut
    ) -> tuple[Case, ...]:
        """Run those of the ``wanted`` functions that didn't run since another one panicked, which ends its process."""
        found: tuple[Case, ...] = ()
        unfiltered = [each for each in argv if not each.startswith(_RUN)]
        last: Sequence[Case] = cases
        for _ in range(MOST_CRASHES):
            missing = set(wanted).difference(_split(case.id)[1] for case in (*cases, *found))
            if not missing or not any(case.outcome == "failed" and "panic" in case.message for case in last):
                break
            again = self._start([*unfiltered, _choose_functions(missing)], left)
            last = tuple(case for case in again if _split(case.id)[1] in missing)
            found += tuple(last)
        return found

    def _start(self, argv: Sequence[str], left: LeftOut) -> tuple[Case, ...]:
        """Compile and run; test functions that don't compile are left out."""
        for _ in range(MOST_ROUNDS):
            run = run_go(self._request, self._folder, argv)
            cases = parse_go_test(run.stdout, "go test").cases
            text = "\n".join(
                [run.stderr.decode("utf-8", "replace"), *(case.message for case in cases if not _split(case.id)[1])]
            )
            errors = [
                CompileError(self._name_path(found["path"]), int(found["line"]), int(found["column"]), found["message"])
                for found in _ERROR.finditer(text)
            ]
            if not left.leave_out(self._request.repo_root, errors, self._tests):
                break
        return cases

    def _name_path(self, written: str) -> str:
        return f"{self._folder}/{written.removeprefix('./')}" if self._folder else written.removeprefix("./")

    def _read(
        self,
        cases: Iterable[Case],
        module: str,
        functions: Mapping[str, Mapping[str, str]],
        canaries: Mapping[str, str],
    ) -> CellRun:
        found: list[tuple[TestName, Outcome]] = []
        broken: dict[str, str] = {}
        failed: set[str] = set()
        for case in cases:
            package, name = _split(case.id)
            inside = package.removeprefix(module).strip("/")
            folder = f"{self._folder}/{inside}".strip("/")
            if folder not in functions:
                continue
            if not name:
                broken |= dict.fromkeys(functions[folder].values(), case.message)
            elif name == canaries[folder]:
                failed |= {folder} if case.outcome == "failed" else set()
            elif name in functions[folder]:
                found.append((TestName(functions[folder][name], name), OUTCOMES[case.outcome]))
        reported = {_folder_of(name.path) for name, _ in found}
        canary = Outcome.FAILED if reported <= failed else Outcome.ABSENT
        return CellRun(merge_parameters(found), broken, canary)


def _choose_functions(names: Iterable[str]) -> str:
    return f"{_RUN}^({'|'.join(sorted(names))})$"


def _split(reported: str) -> tuple[str, str]:
    """Split a package and a test, ``example.com/a.v2.TestB/case``, into the package and the function."""
    found = re.fullmatch(r"(?P<package>.+?)\.(?P<name>(?:Test|Fuzz|Example)[^./]*)(?:/.*)?", reported, re.DOTALL)
    return (found["package"], found["name"]) if found else (reported, "")


def _list_functions(files: SubjectFiles, folder: str, paths: Sequence[str]) -> dict[str, str]:
    """Map the test functions of the chosen files of a package to their files."""
    chosen = [path for path in paths if _folder_of(path) == folder]
    return {name: path for path in chosen for name in _FUNCTION.findall(files.text(path))}


def _folder_of(path: str) -> str:
    parent = str(Path(path).parent)
    return "" if parent == "." else parent
