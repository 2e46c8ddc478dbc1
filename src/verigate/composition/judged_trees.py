"""Say whether a published verdict is still about what is here: a verdict is about one tree, and trees change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.policy_source import OWN_POLICY
from verigate.domain.subject import SubjectKind
from verigate.errors import GateError

_NAMES = {
    SubjectKind.WORKTREE: "the working tree",
    SubjectKind.INDEX: "the index",
    SubjectKind.COMMIT: "HEAD",
    SubjectKind.FOLDER: "the folder",
}


class JudgedTrees:
    """The trees of a repository as they are now, each read once, when it is asked for."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = environ
        self._now: dict[SubjectKind, str | None] = {}

    def find_change(self, subject: Mapping[str, Any]) -> str:
        """Say what is no longer as in the verdict, "" if it is, or if that can't be known.

        ``subject`` is that of the verdict. A commit's is compared with HEAD.
        """
        try:
            kind = SubjectKind(str(subject.get("kind")))
        except ValueError:
            return ""
        if kind not in self._now:
            self._now[kind] = self._read(kind)
        now = self._now[kind]
        if now is None or now == subject.get("tree"):
            return ""
        if kind is SubjectKind.COMMIT:
            return "it is of another commit than HEAD"
        return f"{_NAMES[kind]} has changed since"

    def _read(self, kind: SubjectKind) -> str | None:
        from verigate.subject.workspace import open_workspace

        ref = "HEAD" if kind is SubjectKind.COMMIT else None
        try:
            with open_workspace(self._root, kind=kind, ref=ref, environ=self._environ, policy=OWN_POLICY) as workspace:
                return workspace.subject.tree
        except GateError:
            return None  # unmerged files, no commit yet: other commands say so
