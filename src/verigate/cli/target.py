"""Resolve the task and the subject of a command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from msgspec import Struct

from verigate.config.files import read_bytes
from verigate.config.root import find_root
from verigate.config.which_task import TaskChoice, choose_task
from verigate.domain.subject import SubjectKind
from verigate.domain.task_folder import COMMITMENT_FILE, task_path
from verigate.errors import GateError, UsageError

if TYPE_CHECKING:
    from verigate.usecases.request import Request


class Target(Struct, frozen=True):
    """The task and the subject as the command line names them."""

    root: Path
    task_id: str | None
    staged: bool = False
    ref: str | None = None
    base: str | None = None
    profile: str | None = None

    def choice(self) -> TaskChoice:
        """Choose the task. Raises UsageError for an invalid id."""
        return choose_task(
            self.task_id,
            os.environ,
            self.root,
            trailer=lambda: _trailer(self.root, self.ref),
            branch=lambda: branch_name(self.root),
        )

    @property
    def kind(self) -> SubjectKind:
        """The kind of the subject: working tree, index or commit."""
        return (
            SubjectKind.INDEX if self.staged else SubjectKind.COMMIT if self.ref is not None else SubjectKind.WORKTREE
        )

    def read_commitment(self, task_id: str | None) -> bytes | None:
        """Read commitment.json, unchecked; None if that fails: ``resolve_task`` tries again and reports why."""
        if task_id is None:
            return None
        try:
            return read_bytes(self.root / task_path(task_id, COMMITMENT_FILE), shown=COMMITMENT_FILE)
        except GateError:
            return None

    def likely_base(self, commitment: bytes | None) -> str | None:
        """Return the given base, else the one that the content of commitment.json seems to name, unchecked."""
        if self.base is not None or commitment is None:
            return self.base
        try:
            document = orjson.loads(commitment)
        except ValueError:
            return None
        base = document.get("base") if isinstance(document, dict) else None
        return base if isinstance(base, str) else None

    def request(
        self,
        task_id: str | None,
        *,
        only: tuple[str, ...] = (),
        use_cache: bool = True,
        llm: bool = True,
        commitment: bytes | None = None,
    ) -> Request:
        """Return the request for the pipeline; ``commitment`` is the content of commitment.json, if it was read."""
        from verigate.usecases.request import Request

        return Request(
            task_id, self.kind, self.ref, self.base, self.profile, only, use_cache, llm=llm, commitment=commitment
        )


def _trailer(root: Path, ref: str | None) -> str | None:
    """Return the ``Gate-Task:`` trailer of the commit. Raises UsageError if it names several tasks."""
    from verigate.subject.git_query import read_git_lines

    form = "--format=%(trailers:key=Gate-Task,valueonly,unfold)"
    named = sorted(set(read_git_lines(root, os.environ, "log", "-1", form, "--end-of-options", ref or "HEAD")))
    if len(named) > 1:
        raise UsageError(f"the commit names several tasks: {', '.join(named)}", where="Gate-Task", hint="pass the id")
    return named[0] if named else None


def branch_name(root: Path) -> str | None:
    """Return the last part of the branch's name."""
    from verigate.subject.git_query import read_git_line

    name = read_git_line(root, os.environ, "symbolic-ref", "--short", "--quiet", "HEAD")
    return name.rpartition("/")[2] if name else None


def find_repository() -> Path:
    """Return the root of the repository that contains the current folder."""
    return find_root(Path.cwd())
