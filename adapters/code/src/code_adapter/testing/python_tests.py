"""What a run of a Python project's tests needs: the project, its Python, and the variables of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from code_adapter.installed_copy import find_installed_copy
from code_adapter.python_environment import Python
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.python_projects import PythonProject
from verigate.sdk import Request


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
    def cwd(self) -> Path:
        """The project's folder."""
        return self.request.repo_root / self.project.folder

    def make_environ(self, **more: str) -> dict[str, str]:
        """Make the environment of the tests. A copy of the project that is installed there gives way to the subject."""
        env = self.python.make_environ(self.request, **more)
        if self._import_path is not None:
            env["PYTHONPATH"] = str(self._import_path)
        return env

    @cached_property
    def _import_path(self) -> Path | None:
        return find_installed_copy(self.request, self.files, self.project.folder, self.python)
