"""Find the operation in which git replays, joins or searches existing commits: a rebase, a merge, a bisect."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

_TIMEOUT_S = 30.0

OPERATIONS: Mapping[str, str] = MappingProxyType(
    {
        "rebase-merge": "rebase",
        "rebase-apply/rebasing": "rebase",
        "rebase-apply": "am",
        "MERGE_HEAD": "merge",
        "CHERRY_PICK_HEAD": "cherry-pick",
        "REVERT_HEAD": "revert",
        "BISECT_LOG": "bisect",
    }
)
"""The file or folder by which git remembers an operation -> what it is. ``git status`` reads the same ones."""

NOT_VERIFIED = frozenset({"rebase", "bisect"})
"""The operations during which the hook pre-commit verifies nothing: they make many commits of which one counts."""

_MESSAGE_OF_PATCH = "rebase-apply/final-commit"


def find_operation(root: Path, environ: Mapping[str, str]) -> str | None:
    """Return the operation under way in the work tree at ``root``; None if there is none, or this is no repository."""
    done = subprocess.run(
        ("git", "-C", os.fspath(root), "rev-parse", "--absolute-git-dir"),
        env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TIMEOUT_S,
    )  # fmt: skip
    if done.returncode != 0:
        return None
    folder = os.fsdecode(done.stdout.removesuffix(b"\n"))
    return next((what for name, what in OPERATIONS.items() if os.path.lexists(f"{folder}/{name}")), None)


def find_patch_message(root: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the file with the message of the patch that ``git am`` applies; None without one."""
    done = subprocess.run(
        ("git", "-C", os.fspath(root), "rev-parse", "--path-format=absolute", "--git-path", _MESSAGE_OF_PATCH),
        env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TIMEOUT_S,
    )  # fmt: skip
    path = Path(os.fsdecode(done.stdout.removesuffix(b"\n")))
    return path if done.returncode == 0 and path.is_file() else None


def describe_skipped(operation: str) -> str:
    """Return the line that says why a commit isn't verified. pre-commit.sh prints the same."""
    return f"verigate: not verified: a {operation} is in progress; the hook pre-push and CI verify its result"
