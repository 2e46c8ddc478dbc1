"""Resolve the task and the subject of a command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from msgspec import Struct

from verigate.config.files import read_bytes
from verigate.config.root import find_root, find_surrounding_root
from verigate.config.task_history import TaskHistory
from verigate.config.which_task import TaskChoice, choose_task
from verigate.domain.subject import SubjectKind
from verigate.domain.task_folder import COMMITMENT_FILE, task_path
from verigate.errors import GateError

if TYPE_CHECKING:
    from verigate.domain.policy_source import PolicyRef
    from verigate.domain.review import Reviews
    from verigate.domain.weakening import Stage
    from verigate.subject.verified_packs import ObjectRecords
    from verigate.usecases.request import Request


class Target(Struct, frozen=True):
    """The task and the subject as the command line names them.

    ``alone``: a commit is compared with its first parent where no base is named, whatever the policy ref is.
    """

    root: Path
    task_id: str | None
    staged: bool = False
    ref: str | None = None
    base: str | None = None
    profile: str | None = None
    policy_ref: str | None = None
    alone: bool = False

    @property
    def policy(self) -> PolicyRef | None:
        """The policy ref of the command line, else of the environment, the CI job or the user; None without one."""
        from verigate.domain.policy_source import POLICY_OPTION, PolicyRef
        from verigate.usecases.policy_ref import find_policy_ref

        if self.policy_ref is not None:
            return PolicyRef(self.policy_ref, POLICY_OPTION)
        return find_policy_ref(str(self.root), os.environ)

    def choice(self) -> TaskChoice:
        """Choose the task. Raises UsageError for an invalid id."""
        history = TaskHistory(self.root, os.environ, self.ref, self.staged)
        return choose_task(self.task_id, os.environ, self.root, history)

    @property
    def kind(self) -> SubjectKind:
        """The kind of the subject: working tree, index or commit."""
        return (
            SubjectKind.INDEX if self.staged else SubjectKind.COMMIT if self.ref is not None else SubjectKind.WORKTREE
        )

    def read_commitment(self, task_id: str | None) -> bytes | None:
        """Read commitment.json, unchecked; None if that fails: ``resolve_task`` tries again and reports why.

        With ``staged`` it is that of the index, if the index has one.
        """
        if task_id is None:
            return None
        path = task_path(task_id, COMMITMENT_FILE)
        if self.staged and (staged := _read_staged(self.root, path)) is not None:
            return staged
        try:
            return read_bytes(self.root / path, shown=COMMITMENT_FILE)
        except GateError:
            return None

    def open_records(self) -> ObjectRecords | None:
        """Open what says which objects of a large repository were verified before."""
        from verigate.composition.object_records import open_object_records

        return open_object_records(self.root, os.environ)

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
        notes: tuple[str, ...] = (),
        touched: bool = False,
        affected: bool = False,
        stage: Stage | None = None,
        pull_request: str | None = None,
        reviews: Reviews | None = None,
        message: str | None = None,
        message_follows: bool = False,
    ) -> Request:
        """Return the request for the pipeline.

        ``commitment`` is the content of commitment.json, if it was read; ``notes`` become warnings of the run.
        ``stage`` and those after it are as in the request.
        """
        from verigate.usecases.request import Request

        return Request(
            task_id,
            self.kind,
            self.ref,
            self.base,
            self.profile,
            only,
            use_cache,
            llm=llm,
            commitment=commitment,
            notes=notes,
            policy_landed=True,
            touched=touched,
            affected=affected,
            reuse=True,
            stage=stage,
            pull_request=pull_request,
            reviews=reviews,
            message=message,
            message_follows=message_follows,
            policy_ref=self.policy,
            policy_sets_base=not self.alone,
        )


def _read_staged(root: Path, path: str) -> bytes | None:
    from verigate.subject.git_query import read_staged_file  # few commands look at the index

    return read_staged_file(root, os.environ, path)


def find_repository() -> Path:
    """Return the root of the repository that contains the current folder."""
    return find_root(Path.cwd())


def find_surrounding_repository() -> Path | None:
    """Return the root of the repository that contains the current folder, None outside of any."""
    return find_surrounding_root(Path.cwd())
