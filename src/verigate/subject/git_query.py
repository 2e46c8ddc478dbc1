"""Read a few lines from git, or none on failure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verigate.errors import SubjectError
from verigate.subject.git import Git, is_git


def read_git_lines(root: Path, environ: Mapping[str, str], *arguments: str) -> tuple[str, ...]:
    """Return the non-empty lines that ``git <arguments>`` prints, stripped; none on failure or outside git."""
    if not is_git(root):
        return ()
    try:
        done = Git.from_root(str(root), environ).attempt(*arguments)
    except SubjectError:
        return ()
    if done.returncode != 0:
        return ()
    lines = (line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines())
    return tuple(line for line in lines if line)


def read_git_line(root: Path, environ: Mapping[str, str], *arguments: str) -> str | None:
    """Return the last of these lines, None if there is none."""
    lines = read_git_lines(root, environ, *arguments)
    return lines[-1] if lines else None
