"""What a change can affect: its paths, and what is selected of a suite because of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, path_text
from verigate.sdk.subject import open_repository, read_changes, resolve_base

_ASKED = "impacted"
_PROSE = frozenset({".md", ".rst", ".adoc"})
_PROSE_NAMES = frozenset({"LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CODEOWNERS", "CHANGELOG", "CHANGES"})


class WholeSuiteError(Exception):
    """All tests of a suite have to run; the message says why."""


class NothingSelectedError(Exception):
    """A suite has no tests of what is selected."""


@dataclass(frozen=True)
class Selected:
    """What was selected of a suite: ``chosen`` of ``of`` files, packages or suites; ``why`` it is all of them.

    ``paths`` are the chosen test files, None for all; other files with ``suffixes`` weren't. ``by`` is "affected" where
    whole packages were selected, else "": tests that name or import what changed.
    """

    what: str
    folder: str
    unit: str
    chosen: int
    of: int
    why: str = ""
    paths: frozenset[str] | None = None
    suffixes: tuple[str, ...] = ()
    by: str = ""

    @property
    def leaves_out_others(self) -> bool:
        """Whether all files of the repository are left out but for ``paths``."""
        return self.paths is not None and not self.folder and "" in self.suffixes

    def leaves_out(self, path: str) -> bool:
        """Whether a test file of this suite's folder wasn't chosen."""
        below = path.startswith(f"{self.folder}/") if self.folder else True
        return self.paths is not None and below and path not in self.paths and path.endswith(self.suffixes)

    def describe(self) -> dict[str, Any]:
        """Describe it for ``selected`` of tests.json."""
        found = {"what": self.what, "path": path_text(self.folder or "."), "unit": self.unit}
        more = {key: value for key, value in (("why", self.why), ("by", self.by)) if value}
        return found | {"chosen": self.chosen, "of": self.of} | more


@dataclass(frozen=True)
class Change:
    """The paths that differ from the base, as ``os.fsdecode`` gives them, also those that are gone."""

    files: SubjectFiles
    paths: frozenset[str]

    @cached_property
    def sources(self) -> frozenset[str]:
        """The paths without prose, which affects only tests that name it."""
        return frozenset(path for path in self.paths if not is_prose(path))

    def list_outside(self, folder: str) -> Iterator[str]:
        """List the paths, without prose, outside of ``folder``, sorted."""
        prefix = f"{folder}/" if folder else ""
        return (path for path in sorted(self.sources) if not path.startswith(prefix))


def read_change(request: Request, files: SubjectFiles) -> Change | None:
    """Read what differs from the base, where tests are to be selected by it; None where all are to run.

    Raises ToolFailed if git can't list it.
    """
    if request.rules.get("tests") != _ASKED or not request.gated:
        return None
    with open_repository(request) as repository:
        changes = read_changes(repository, resolve_base(request, repository))
    return Change(files, frozenset(path for each in changes for path in (each.source, each.path) if path is not None))


def is_prose(path: str) -> bool:
    """Whether a file is documentation for people, by its name."""
    pure = PurePosixPath(path)
    return pure.suffix.lower() in _PROSE or pure.name.split(".")[0].upper() in _PROSE_NAMES
