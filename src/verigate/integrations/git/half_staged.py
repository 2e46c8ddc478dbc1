"""Find files of which a commit has one state, and the work tree another: a fix that was forgotten to be staged."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_TIMEOUT_S = 30.0


def find_half_staged(root: Path, environ: Mapping[str, str]) -> list[str]:
    """Return the staged paths that differ in the work tree, sorted; empty where git can't say."""
    staged = _list_paths(root, environ, "diff-index", "--cached", "HEAD")
    return sorted(staged & _list_paths(root, environ, "diff-files")) if staged else []


def _list_paths(root: Path, environ: Mapping[str, str], *command: str) -> set[str]:
    name, *arguments = command
    done = subprocess.run(
        ("git", "-C", os.fspath(root), name, "--name-only", "-z", *arguments),
        env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TIMEOUT_S,
    )  # fmt: skip
    return {os.fsdecode(path) for path in done.stdout.split(b"\0") if path} if done.returncode == 0 else set()
