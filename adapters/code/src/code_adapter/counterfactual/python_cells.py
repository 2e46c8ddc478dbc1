"""Run chosen test files of a Python project in one cell, by pytest or unittest."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from code_adapter.counterfactual.canary import judge_canaries, write_canaries
from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.test_tree import is_settings
from code_adapter.python_environment import Python, find_python
from code_adapter.python_programs import module_command
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing import pytest_suite, unittest_suite
from code_adapter.testing.python_projects import TEST_FILE, PythonProject
from code_adapter.testing.python_tests import PythonTests
from verigate.sdk import Request, ToolFailed
from verigate.sdk.reports.outcomes import Case, merge_outcomes

_NOT_LOADED = "unittest.loader._FailedTest."
TRACER = Path(__file__).with_name("line_tracer.py")
_WANTED = {"pytest": pytest_suite.WANTED, "unittest": ("unittest", "coverage")}


class PythonCells:
    """The cells of a Python project: the same Python and runner for each, those of the subject."""

    def __init__(self, request: Request, project: PythonProject, python: Python, settings: Path | None = None) -> None:
        self._request = request
        self._project = project
        self._python = python
        self._settings = settings

    @property
    def python(self) -> Python:
        """The Python that runs the tests."""
        return self._python

    @property
    def has_coverage(self) -> bool:
        """Whether that Python has coverage.py."""
        return "coverage" in self._python.modules

    def measured_by(self, settings: Path) -> PythonCells:
        """Return cells that note the lines that run: with settings of coverage.py, without it with the tracer's."""
        return PythonCells(self._request, self._project, self._python, settings)

    @property
    def folder(self) -> str:
        """The project's folder, relative to the repository."""
        return self._project.folder

    @property
    def tool(self) -> str:
        """The runner."""
        return self._project.runner

    @property
    def base_first(self) -> bool:
        """Whether the cell of base alone has to run first."""
        return False

    @property
    def compiles(self) -> bool:
        """Whether it compiles the code itself, in each cell, with the dependencies that the cell names."""
        return False

    @property
    def by_report(self) -> bool:
        """The report isn't all that says which tests a file has."""
        return False

    @property
    def runs_one(self) -> bool:
        """Whether it can run one test of a file alone."""
        return True

    @property
    def again_s(self) -> float | None:
        """The seconds that another run takes: as long as the first one."""
        return None

    def is_ready(self, files: SubjectFiles) -> bool:  # noqa: ARG002 - each run takes as long
        """Whether a run takes no longer than one of the same version before."""
        return True

    def for_mutants(self) -> PythonCells:
        """Return itself: nothing of a run could be left out."""
        return self

    def choose(self, tests: Sequence[str], mixed: Sequence[str]) -> list[str]:
        """Choose the Python files below the folder that are named like tests, for pytest also those with doctests."""
        start = f"{self.folder}/" if self.folder else ""
        doctests = frozenset(mixed if self.tool == "pytest" else ())
        chosen = (path for path in tests if path.endswith(".py") and path.startswith(start))
        return [path for path in chosen if path in doctests or TEST_FILE.search(path)]

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the test files ``paths`` of what is checked out, by pytest ``only`` the chosen tests of these."""
        here = [path for path in paths if path in files.known and self._collects(files, path)]
        if not here:
            return NOT_RUN
        with (
            write_canaries(self._request, here, self.tool) as planted,
            tempfile.TemporaryDirectory(prefix="verigate-") as private,
        ):
            known = SubjectFiles(files.root, (*files.paths, *planted))
            project = replace(self._project, tests=(*here, *planted))
            tests = PythonTests(self._request, known, project, self._python)
            try:
                cases = self._start(tests, Path(private), only)
            except ToolFailed as error:
                if any(path in only for path in here):
                    # pytest refuses names of tests in files that it can't import, without a report of these.
                    return self.run(files, paths, {})
                return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
        modules = {self._name_module(known, path): path for path in (*here, *planted)}
        return _read(cases, modules, planted)

    def _collects(self, files: SubjectFiles, path: str) -> bool:
        """Whether pytest comes to a file named like a test that nobody names; one that is named it runs anyway."""
        if self.tool != "pytest" or not TEST_FILE.search(path):
            return True
        settings = (known for known in files.known if is_settings(known) and known.endswith((".ini", ".toml", ".cfg")))
        named = (fnmatchcase(path.rpartition("/")[2], pattern) for pattern in ("test_*.py", "*_test.py"))
        return any(named) or any("python_files" in files.text(known) for known in settings)

    def _start(self, tests: PythonTests, private: Path, only: Only) -> Sequence[Case]:
        if self.tool == "unittest":
            start = self._start_unittest()
            runs = unittest_suite.start(tests, lambda _: start, private)
            return merge_outcomes(outcomes for _, outcomes in runs).cases
        cut = len(self.folder) + 1 if self.folder else 0
        names = [
            name
            for path in tests.project.tests
            for name in (_list_ids(path[cut:], only[path]) if path in only else [path[cut:]])
        ]
        serial = ["-n0"] if self._settings is not None and "xdist" in tests.python.modules else []
        command = self._start_pytest(tests.doctests.then)
        options = (f"--rootdir={tests.cwd}", *serial, *tests.doctests.options)
        _, outcomes = pytest_suite.start(tests, command, private, *options, *names)
        return outcomes.cases

    def _start_pytest(self, then: str) -> list[str]:
        """Make the beginning of pytest's command line; ``then`` is code that has to run before."""
        if self._settings is None:
            return module_command(self._python.executable, "pytest", then=then)
        if self.has_coverage:
            return [*self._start_coverage(self._settings, "pytest", then), "-m", "pytest"]
        traced = f"tracer = {{'__name__': ''}}; exec(open({str(TRACER)!r}).read(), tracer)"
        traced += f"; tracer['start']({str(self._settings)!r})"
        return module_command(self._python.executable, "pytest", then="; ".join(filter(None, (then, traced))))

    def _start_unittest(self) -> list[str]:
        """Make the beginning of the command line of unittest's runner, up to the script."""
        if self._settings is None:
            return [self._python.executable]
        if self.has_coverage:
            return self._start_coverage(self._settings, "unittest")
        return [self._python.executable, str(TRACER), str(self._settings)]

    def _start_coverage(self, settings: Path, runner: str, then: str = "") -> list[str]:
        data = f"--data-file={settings.with_suffix('') / 'coverage-data'}"
        command = module_command(self._python.executable, "coverage", runner, then=then)
        return [*command, "run", f"--rcfile={settings}", data]

    def _name_module(self, files: SubjectFiles, path: str) -> str:
        """Name the module as the runner's ids begin: from the project's folder, or from where unittest imports it."""
        if self.tool == "unittest":
            ((_, (module,)),) = unittest_suite.find_import_roots(files, (path,)).items()
            return module
        start = len(self.folder) + 1 if self.folder else 0
        return path[start:].removesuffix(".py").replace("/", ".")


def _list_ids(path: str, tests: Iterable[str]) -> Iterator[str]:
    return (f"{path}::{name.replace('.', '::')}" for name in sorted(tests))


def _read(cases: Iterable[Case], modules: Mapping[str, str], planted: Sequence[str]) -> CellRun:
    """Read the cases by module; a module that has no inner name couldn't be imported."""
    found: list[tuple[TestName, Outcome]] = []
    broken: dict[str, str] = {}
    canaries: dict[str, Outcome] = {}
    for case in cases:
        name = case.id.partition("[")[0].removeprefix(_NOT_LOADED)
        module = next((module for module in modules if f"{name}.".startswith(f"{module}.")), None)
        if module is None:
            continue
        path, inner = modules[module], name.removeprefix(module).removeprefix(".")
        outcome = Outcome.BROKEN if case.broken or not inner else OUTCOMES[case.outcome]
        if path in planted:
            canaries[path] = outcome
        elif inner:
            found.append((TestName(path, inner), outcome))
        elif case.outcome == "failed":
            broken[path] = case.message
    canary = judge_canaries(planted, canaries, [name.path for name, _ in found])
    return CellRun(merge_parameters(found), broken, canary)


def find_cells(request: Request, files: SubjectFiles, project: PythonProject) -> PythonCells | None:
    """Find the Python that runs the tests of ``project``; None if there is none with its runner."""
    python = find_python(request, files, project.folder, _WANTED[project.runner])
    return None if python is None else PythonCells(request, project, python)
