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


def read_staged_file(root: Path, environ: Mapping[str, str], path: str) -> bytes | None:
    """Return the content of ``path`` in the index, that of ``GIT_INDEX_FILE`` if it is set; None if it has none."""
    if not is_git(root):
        return None
    try:
        git = Git.from_root(str(root), environ)
        if index := environ.get("GIT_INDEX_FILE"):
            git = git.with_variables(GIT_INDEX_FILE=index)
        done = git.attempt("cat-file", "blob", f":{path}")
    except SubjectError:
        return None
    return done.stdout if done.returncode == 0 else None


def read_committed_file(root: Path, environ: Mapping[str, str], path: str) -> bytes | None:
    """Return the content of ``path`` in HEAD; None if it has none."""
    if not is_git(root):
        return None
    try:
        done = Git.from_root(str(root), environ).attempt("cat-file", "blob", f"HEAD:{path}")
    except SubjectError:
        return None
    return done.stdout if done.returncode == 0 else None
