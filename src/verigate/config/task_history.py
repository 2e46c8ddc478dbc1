"""What git says about a task: the trailer of a commit, the branch, and whether the task is of the present work.

A task that ``.artifacts/current`` or the branch names is left aside where the present work can't be its own: its base
isn't in the history, its commits are on another branch, or its commitment is nowhere. That is for honest mistakes, and
takes nothing from who removes ``.artifacts/current``. What a change itself says is never left aside: a commit that
names the task in its trailer, and a change that brings the task's commitment or claim.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import orjson
from msgspec import Struct

from verigate.config.files import read_bytes
from verigate.config.which_task import Obstacle, has_ended
from verigate.domain.task_folder import ARTIFACTS_FOLDER, CLAIM_FILE, COMMITMENT_FILE, task_path
from verigate.errors import GateError, SubjectError, UsageError
from verigate.subject.git import Git, is_git

_MOST_MESSAGE = 64 * 1024 * 1024


class TaskHistory(Struct, frozen=True):
    """The history of the repository at ``root`` as what is verified has it.

    ``ref`` names the commit that is verified, else it is the index (``staged``) or the working tree. Without
    ``trailers`` none is read: git asks for the task of a commit that isn't made yet.
    """

    root: Path
    environ: Mapping[str, str]
    ref: str | None = None
    staged: bool = False
    trailers: bool = True

    @property
    def is_commit(self) -> bool:
        """Whether a commit is verified, whose own trailer comes before everything of the work tree."""
        return self.ref is not None

    def trailer(self) -> str | None:
        """Return the task that the trailer of the commit names; None without one.

        Of the index and the working tree that is HEAD, as long as they are as in HEAD: a trailer speaks for its own
        commit. Raises UsageError if it names several tasks.
        """
        if not self.trailers:
            return None
        form = "--format=%(trailers:key=Gate-Task,valueonly,unfold)"
        named = sorted(set(self._lines("log", "-1", form, "--end-of-options", self._tip)))
        if not named or (not self.is_commit and (self._differs() or has_ended(self.root, named[0]))):
            return None
        if len(named) > 1:
            message = f"the commit names several tasks: {', '.join(named)}"
            raise UsageError(message, where="Gate-Task", hint="pass the id")
        return named[0]

    def branch(self) -> str | None:
        """Return the last part of the branch's name."""
        name = self._line("symbolic-ref", "--short", "--quiet", "HEAD")
        return name.rpartition("/")[2] if name else None

    def has_file(self, path: str) -> bool:
        """Whether git has ``path`` in the commit or the index that is verified."""
        listed = ("ls-tree", "--name-only", self._tip) if self.is_commit else ("ls-files", "--cached")
        return bool(self._lines(*listed, "--", path))

    def find_obstacle(self, task_id: str) -> Obstacle | None:
        """Return why the present work can't be this task's, and whether the change says that it is; None if it can."""
        if self._line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{self._tip}^{{commit}}") is None:
            return None
        found = self._find_obstacle(task_id)
        return None if found is None else Obstacle(found, self._brings(task_id))

    def _find_obstacle(self, task_id: str) -> str | None:
        path = task_path(task_id, COMMITMENT_FILE)
        try:
            content = read_bytes(self.root / path, shown=path)
            document = None if content is None else orjson.loads(content)
        except (GateError, ValueError):
            return None
        if document is None:
            return None if self._lines("ls-tree", self._tip, "--", path) else "it has no commitment here"
        base = document.get("base") if isinstance(document, dict) else None
        if base is not None and not isinstance(base, str):
            return None
        return (self._find_stale(base) if base else None) or self._find_other_branch(task_id, base)

    def _find_stale(self, base: str) -> str | None:
        kind = self._line("cat-file", "-t", f"{base}^{{}}") if not base.startswith("-") else None
        if kind is None:
            is_shallow = self._line("rev-parse", "--is-shallow-repository") == "true"
            return None if is_shallow else f"its base {base[:12]} is in no history here"
        if kind == "commit" and self._ask("merge-base", "--is-ancestor", base, self._tip)[0] == 1:
            return f"its base {base[:12]} is not in this history (another branch, a reset or a rebase)"
        if self.is_commit and self._ask("merge-base", "--is-ancestor", self._tip, base)[0] == 0:
            return "it began after this commit"
        return None

    def _find_other_branch(self, task_id: str, base: str | None) -> str | None:
        named = ("log", "-1", "--format=%H", "--extended-regexp", f"--grep=^Gate-Task: *{task_id}$")
        commit = self._line(*named, "--branches", "--not", self._tip)
        if commit is None or self._line(*named, self._tip, *(("--not", base) if base else ())) is not None:
            return None
        if self._is_squashed(task_id):
            return None
        branch = self._lines("for-each-ref", "--format=%(refname:short)", "--contains", commit, "refs/heads/")
        return f"its commits are on the branch {branch[0]}" if branch else None

    def _is_squashed(self, task_id: str) -> bool:
        """Whether ``git merge --squash`` has brought a commit of this task, which isn't committed yet."""
        place = self._line("rev-parse", "--git-path", "SQUASH_MSG")
        try:
            text = read_bytes(self.root / place, shown=place, max_bytes=_MOST_MESSAGE) if place else None
        except GateError:
            return False
        return (
            text is not None
            and re.search(rf"(?m)^\s*Gate-Task: *{task_id}\s*$", text.decode("utf-8", "replace")) is not None
        )

    def _brings(self, task_id: str) -> bool:
        """Whether the change itself brings the commitment or the claim of this task."""
        paths = tuple(task_path(task_id, name) for name in (COMMITMENT_FILE, CLAIM_FILE))
        if self.is_commit:
            compared: tuple[str, ...] = ("diff-tree", "-r", "--root", "--no-commit-id", "-m", "--name-only", self._tip)
        else:
            compared = ("diff", "--no-ext-diff", "--cached", "--name-only", "HEAD")
        return bool(self._lines(*compared, "--", *paths))

    def _differs(self) -> bool:
        """Whether index or working tree differ from HEAD in a tracked file outside of ``.artifacts``."""
        side = ("--cached",) if self.staged else ()
        paths = (".", f":(top,exclude){ARTIFACTS_FOLDER}")
        return self._ask("diff", "--no-ext-diff", "--quiet", *side, "HEAD", "--", *paths)[0] != 0

    @property
    def _tip(self) -> str:
        return self.ref or "HEAD"

    def _line(self, *arguments: str) -> str | None:
        lines = self._lines(*arguments)
        return lines[-1] if lines else None

    def _lines(self, *arguments: str) -> tuple[str, ...]:
        """Return the non-empty lines that git prints, stripped; none where it fails."""
        code, text = self._ask(*arguments)
        return tuple(line for line in map(str.strip, text.splitlines()) if line) if code == 0 else ()

    def _ask(self, *arguments: str) -> tuple[int, str]:
        """Return git's exit code and output; 128 outside a repository and without git."""
        if not is_git(self.root):
            return 128, ""
        try:
            git = Git.from_root(str(self.root), self.environ)
        except SubjectError:
            return 128, ""
        if (index := self.environ.get("GIT_INDEX_FILE")) and self.staged:
            # `git commit FILE` has an index of its own; a relative path is relative to the top of the work tree.
            git = git.with_variables(GIT_INDEX_FILE=os.path.join(self.root, index))  # noqa: PTH118 - joined as git does
        done = git.attempt(*arguments)
        return done.returncode, done.stdout.decode("utf-8", "replace")
