"""Find files of which a commit has one state, and the work tree another: a fix that was forgotten to be staged."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_TIMEOUT_S = 30.0


def find_half_staged(root: Path, environ: Mapping[str, str]) -> list[str]:
    """Return the staged paths that differ in the work tree, sorted; empty where git can't say."""
    staged = _list_paths(root, environ, "diff-index", "--cached", "HEAD")
    return sorted(staged & _list_paths(root, environ, "diff-files")) if staged else []


def find_left_out(root: Path, environ: Mapping[str, str], paths: Sequence[str]) -> list[str]:
    """Return those of ``paths`` that the work tree has, that git doesn't ignore, and that a commit leaves out."""
    asked = ("--", *paths)
    found = _list_paths(root, environ, "ls-files", "--others", "--modified", "--exclude-standard", *asked)
    return sorted(path for path in found if (root / path).is_file())


def _list_paths(root: Path, environ: Mapping[str, str], *command: str) -> set[str]:
    name, *arguments = command
    listed = ("-z",) if name == "ls-files" else ("--name-only", "-z")
    try:
        done = subprocess.run(
            ("git", "-C", os.fspath(root), name, *listed, *arguments),
            env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TIMEOUT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return set()
    return {os.fsdecode(path) for path in done.stdout.split(b"\0") if path} if done.returncode == 0 else set()
