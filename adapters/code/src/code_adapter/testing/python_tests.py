"""What a run of a Python project's tests needs: the project, its Python, and the variables of both."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from code_adapter.environment import NOT_PASSED_ON
from code_adapter.installed_copy import find_installed_copy
from code_adapter.own_calls.workers import names_workers, read_workers
from code_adapter.pytest_settings import read_pytest_options
from code_adapter.python_environment import Python, find_python
from code_adapter.python_programs import IMPORT_PATH
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.own_doctests import NEEDS, Doctests, find_doctests
from code_adapter.testing.python_projects import PythonProject, find_python_projects
from code_adapter.testing.runner_variables import read_runner_variables
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts


def find_tested_projects(request: Request, files: SubjectFiles) -> Iterator[PythonProject]:
    """Yield the Python projects that have tests, each with the runner that its environment has.

    A project may name pytest only as one of the runners of its tests.
    """
    for project in find_python_projects(files):
        lacks = project.is_plain and find_python(request, files, project.folder, ("pytest",)) is None
        yield replace(project, runner="unittest") if lacks else project


@dataclass(frozen=True)
class PythonTests:
    """The tests of ``project``, to be run by ``python``."""

    request: Request
    files: SubjectFiles
    project: PythonProject
    python: Python

    @property
    def folder(self) -> str:
        """The project's folder, relative to the repository."""
        return self.project.folder

    @property
    def suite(self) -> str:
        """Names these tests and the Python that runs them."""
        executable = self.python.executable
        place = Texts(self.request.repo_root).path(executable) or executable
        return f"{self.project.runner} in {self.folder or '.'} by {place}"

    @property
    def cwd(self) -> Path:
        """The project's folder."""
        return self.request.repo_root / self.project.folder

    @cached_property
    def doctests(self) -> Doctests:
        """The doctests that the project's own calls of pytest run."""
        has_plus = NEEDS in self.python.modules
        return find_doctests(self.request, self.files, self.folder, has_plus=has_plus)

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The words of pytest's ``addopts``; none if no shell could read them."""
        try:
            return tuple(shlex.split(read_pytest_options(self.files, self.folder) or ""))
        except ValueError:
            return ()

    @cached_property
    def workers(self) -> tuple[str, ...]:
        """Options that start workers of xdist as the project's own calls do, where ``addopts`` says nothing of them."""
        left_out = any("no:xdist" in option for option in self.options)
        if "xdist" not in self.python.modules or left_out or names_workers(self.options):
            return ()
        return read_workers(self.files, self.folder)

    def make_environ(self, **more: str) -> dict[str, str]:
        """Make the environment of the tests. A copy of the project that is installed there gives way to the subject."""
        env = self.python.make_environ(self.request, **self._variables | more)
        if self._import_path is not None:
            env[IMPORT_PATH] = str(self._import_path)
        return env

    @cached_property
    def _variables(self) -> dict[str, str]:
        environment = Path(self.python.executable).parent.parent
        found = read_runner_variables(self.files, self.folder, environment)
        return {name: value for name, value in found.items() if not name.startswith(NOT_PASSED_ON)}

    @cached_property
    def _import_path(self) -> Path | None:
        return find_installed_copy(self.request, self.files, self.project.folder, self.python)
