"""A question to git whose answer is one line, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verigate.errors import SubjectError
from verigate.execution.git import Git, is_git


def ask_line(root: Path, environ: Mapping[str, str], *arguments: str) -> str | None:
    """The last line that ``git <arguments>`` prints; None outside a repository, on failure, or without output."""
    if not is_git(root):
        return None
    try:
        done = Git.at(str(root), environ).attempt(*arguments)
    except SubjectError:
        return None
    lines = [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1].strip() if done.returncode == 0 and lines else None
