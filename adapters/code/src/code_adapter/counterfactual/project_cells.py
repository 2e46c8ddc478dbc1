"""What the cells of a project in one folder have in common, whatever its language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request


class ProjectCells:
    """The cells of the project in ``folder``, relative to the repository. A subclass runs them."""

    base_first = False
    """Whether the cell of base alone has to run first, since what it leaves is used for the others."""

    compiles = True
    """Whether it compiles the code itself, in each cell, with the dependencies that the cell names."""

    runs_one = True
    """Whether it can run one test of a file alone."""

    by_report = False
    """Whether only its report says which tests a file has."""

    sources: re.Pattern[str]
    """What is found in the path, from the repository, of a file that may hold tests."""

    def __init__(self, request: Request, folder: str) -> None:
        self._request = request
        self._folder = folder

    @property
    def folder(self) -> str:
        """The project's folder, relative to the repository."""
        return self._folder

    again_s: float | None = None
    """The seconds that another run of the same version takes, where it is quicker than the first one."""

    def is_ready(self, files: SubjectFiles) -> bool:  # noqa: ARG002 - each run takes as long
        """Whether a run of what is checked out, as ``files``, takes no longer than one of the same version before."""
        return True

    def for_mutants(self) -> Self:
        """Return a runner of the same tests that leaves out what costs time and shows nothing of a mutant."""
        return self

    def choose(self, tests: Sequence[str], mixed: Sequence[str]) -> list[str]:  # noqa: ARG002 - they are among the tests
        """Choose the files that may hold tests, below the folder."""
        start = f"{self._folder}/" if self._folder else ""
        return [path for path in tests if path.startswith(start) and self.sources.search(path)]
