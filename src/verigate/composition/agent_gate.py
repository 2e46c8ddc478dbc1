"""Verify an agent's turn in a real repository, with the same checks as ``gate verify``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE, UNVERIFIED_FILE
from verigate.errors import GateError
from verigate.integrations.agents.judged import Judged, no_verdict
from verigate.integrations.agents.turn import Look

if TYPE_CHECKING:
    from verigate.domain.verdict import Verdict
    from verigate.subject.workspace import RunWorkspace

_ACTOR = "hook:"
_STATEMENT = "unit:statement:"


class RepositoryGate:
    """The ``Gate`` of ``verigate.integrations.agents.turn`` for the repository at ``root``."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = environ

    def look(self, base: str | None) -> Look:
        """Look at the working tree without checking it out."""
        from verigate.domain.policy_source import OWN_POLICY
        from verigate.subject.workspace import open_workspace

        with open_workspace(self._root, base=base, environ=self._environ, policy=OWN_POLICY) as workspace:
            return self._look_at(workspace)

    def head(self) -> str | None:
        """Return the commit of HEAD; None if there is none."""
        return self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")

    def base_for(self, commitment: Mapping[str, Any]) -> str | None:
        """Return the commitment's base; after a rewrite of history the last commit of it that is left."""
        from verigate.subject.resolve_subject import empty_tree_id

        head, base = self.head(), commitment.get("base")
        if head is None:
            return None
        if not isinstance(base, str):
            # The turn began before the first commit.
            return empty_tree_id(self._ask("rev-parse", "--show-object-format") or "sha1")
        return self._ask("merge-base", "--end-of-options", base, head) or base

    def task_in_force(self) -> str | None:
        """Return the task of GATE_TASK_ID or ``gate start``, if it has a commitment."""
        from verigate.config.which_task import choose_given_task, has_commitment

        try:
            # Whatever git says: an agent must not lose its task by a branch or a reset.
            chosen = choose_given_task(None, self._environ, self._root).task_id
        except GateError:
            # Whatever an agent wrote there names no task.
            return None
        return chosen if chosen is not None and has_commitment(self._root, chosen) else None

    def commitment_of(self, task_id: str) -> Mapping[str, Any]:
        """Read the commitment. Raises ConfigError."""
        from verigate.config.task_files import read_commitment
        from verigate.evidence.store import task_folder

        path = task_folder(self._root, task_id) / COMMITMENT_FILE
        return read_commitment(path, task_id, self._root).commitment.document

    def commit_to(self, document: Mapping[str, Any]) -> None:
        """Write the commitment unless it is there already."""
        from verigate.evidence.store import artifacts_folder, encode_json, task_folder, write_atomically

        artifacts_folder(self._root)
        folder = task_folder(self._root, str(document["task_id"]))
        path, content = folder / COMMITMENT_FILE, encode_json(document)
        if path.is_symlink() or not path.is_file() or path.read_bytes() != content:
            write_atomically(path, content)

    def claim(self, task_id: str, actor: str, statements: Sequence[str]) -> bool:
        """Write claim.json, unless there is one that no hook wrote."""
        from verigate.config.task_files import read_claim, read_commitment
        from verigate.evidence.store import encode_json, task_folder, write_atomically

        folder = task_folder(self._root, task_id)
        task_type = read_commitment(folder / COMMITMENT_FILE, task_id, self._root).commitment.type
        there = read_claim(folder / CLAIM_FILE, task_id, task_type, self._root)
        if there.faults or (there.claim is not None and not (there.claim.actor or "").startswith(_ACTOR)):
            return False
        document = {"schema": "verigate:claim.v1", "task_id": task_id, "actor": actor, "timestamp": self.now()}
        body = {"type": task_type, **({"statements": list(statements)} if statements else {})}
        write_atomically(folder / CLAIM_FILE, encode_json({**document, "claim": body}))
        return True

    def verify(self, task_id: str, base: str | None, *, reported: bool) -> Judged:
        """Verify the working tree; an error counts as "not verified"."""
        from verigate import composition
        from verigate.domain.verdict import Status
        from verigate.domain.weakening import DISCLOSED, Stage
        from verigate.reporting.agent_brief import list_problems, render_brief
        from verigate.reporting.findings import collect_findings
        from verigate.reporting.report import Report
        from verigate.usecases.request import Request
        from verigate.usecases.verify import verify

        try:
            request = Request(
                task_id, base=base, statements_reported=reported, marks_count=False, stage=Stage.AGENT, reuse=True
            )
            verified = verify(request, composition.services(self._root))
            verdict = verified.verdict
        except GateError as problem:
            return no_verdict("; ".join(map(str, problem.faults)))
        except KeyboardInterrupt:
            return no_verdict("it was interrupted, or took longer than the host waits for a hook")
        except Exception as problem:  # noqa: BLE001 - a hook that dies lets the agent stop as if it had passed
            return no_verdict(f"internal error: {type(problem).__name__}: {problem}")
        if verdict is None:
            return no_verdict("there was nothing to verify")
        if verdict.status is Status.PASS:
            return Judged(passed=True, undecided=_list_undecided(verdict))
        listed = collect_findings(Report(verdict, verified.runs, baseline=verified.baseline)).by_check()
        reason = f"{render_brief(verdict, listed)}{self._where()}"
        refuted = [
            {"check": check.id, "code": check.reason or "", "message": check.message}
            for check in list_problems(verdict)
        ]
        disclosed = ""
        if {item["code"] for item in refuted} == {DISCLOSED}:
            from verigate.reporting.weakenings import summarise_weakenings  # few turns weaken anything

            disclosed = summarise_weakenings(verdict)
        undecided = _list_undecided(verdict)
        return Judged(passed=False, reason=reason, refuted=refuted, disclosed=disclosed, undecided=undecided)

    def mark(self, task_id: str, document: Mapping[str, Any]) -> str:
        """Write UNVERIFIED into the task's folder and the index: the next commit carries it, whoever makes it.

        Where the index can't be written (another git holds its lock), the file alone has to do.
        """
        from verigate.evidence.store import encode_json, task_folder, write_atomically

        path = task_folder(self._root, task_id) / UNVERIFIED_FILE
        write_atomically(path, encode_json(document))
        shown = str(path.relative_to(self._root))
        self._ask("add", "--force", "--", f":(top,literal){shown}")
        return shown

    def unmark(self, task_id: str) -> None:
        """Remove UNVERIFIED, also from the index."""
        from verigate.evidence.store import task_folder

        path = task_folder(self._root, task_id) / UNVERIFIED_FILE
        path.unlink(missing_ok=True)
        shown = path.relative_to(self._root)
        self._ask("rm", "--cached", "--force", "--quiet", "--ignore-unmatch", "--", f":(top,literal){shown}")

    def has_mark(self, task_id: str) -> bool:
        """Whether UNVERIFIED is in the task's folder and in the index."""
        from verigate.evidence.store import task_folder

        path = task_folder(self._root, task_id) / UNVERIFIED_FILE
        shown = path.relative_to(self._root)
        listed = self._ask("ls-files", "--", f":(top,literal){shown}")
        return path.is_file() and bool(listed)

    def refs(self) -> Mapping[str, str]:
        """Return the local branches and the stash with their commits."""
        from verigate.subject.git_query import read_git_lines

        shown = ("--format=%(refname) %(objectname)", "refs/heads", "refs/stash")
        lines = read_git_lines(self._root, self._environ, "for-each-ref", *shown)
        return {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in lines}

    def left_elsewhere(self, before: Mapping[str, str]) -> tuple[str, ...]:
        """Return those that moved and have commits that HEAD hasn't, by their short names."""
        moved = [(name, commit) for name, commit in self.refs().items() if before.get(name) != commit]
        return tuple(
            name.removeprefix("refs/heads/").removeprefix("refs/")
            for name, commit in moved
            if self._ask("rev-list", "--max-count=1", commit, "--not", "HEAD")
        )

    def drop(self, task_id: str) -> None:
        """Remove the task's folder if it holds the commitment alone."""
        from verigate.evidence.store import task_folder

        folder = task_folder(self._root, task_id)
        if folder.is_dir() and [entry.name for entry in folder.iterdir()] == [COMMITMENT_FILE]:
            shutil.rmtree(folder)

    def now(self) -> str:
        """Return the moment in UTC, ISO 8601 with seconds."""
        return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def _ask(self, *arguments: str) -> str | None:
        from verigate.subject.git_query import read_git_line

        return read_git_line(self._root, self._environ, *arguments)

    def _where(self) -> str:
        """Return where the gate is, for an agent that doesn't find it on PATH."""
        from verigate.composition.launcher import launcher

        if shutil.which("gate", path=self._environ.get("PATH", os.defpath)) is not None:
            return ""
        return f"\n(gate is {launcher()[0]})"

    @staticmethod
    def _look_at(workspace: RunWorkspace) -> Look:
        return Look(workspace.subject.tree, workspace.subject.is_empty)


def _list_undecided(verdict: Verdict) -> tuple[str, ...]:
    """List what is said of the statements that no fact decided."""
    from verigate.domain.verdict import CheckOutcome

    return tuple(
        check.message
        for check in verdict.checks
        if check.id.startswith(_STATEMENT) and check.outcome is CheckOutcome.UNKNOWN
    )
