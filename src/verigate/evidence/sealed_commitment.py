"""Keep what ``gate start`` fixed in a git ref, so that a commitment that is edited after it shows.

The ref names a blob with the content of commitment.json. Linked working trees share their refs, and each has its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from verigate.evidence.verdict_chain import name_chain
from verigate.subject.git import Git, is_git

_SEALS = "refs/verigate/commitments"


def seal_commitment(root: Path, environ: Mapping[str, str], task_id: str, content: bytes) -> None:
    """Keep the content; nothing outside git. Raises SubjectError where git can't write."""
    if not is_git(root):
        return
    git = Git.from_root(str(root), environ)
    blob = git.run("hash-object", "-w", "--stdin", stdin=content).decode("ascii").strip()
    git.run("update-ref", "--no-deref", "--end-of-options", _name(root, task_id), blob)


def read_sealed_commitment(root: Path, environ: Mapping[str, str], task_id: str) -> bytes | None:
    """Return the content that was kept; None for a task that ``gate start`` didn't begin, and outside git."""
    if not is_git(root):
        return None
    done = Git.from_root(str(root), environ).attempt("cat-file", "blob", _name(root, task_id))
    return done.stdout if done.returncode == 0 else None


def remove_seal(root: Path, environ: Mapping[str, str], task_id: str) -> None:
    """Forget it; nothing where there is none."""
    if is_git(root):
        Git.from_root(str(root), environ).attempt("update-ref", "-d", "--end-of-options", _name(root, task_id))


def _name(root: Path, task_id: str) -> str:
    # One ref for each chain of verdicts: that of another working tree is another.
    chain = name_chain(root, task_id)
    return f"{_SEALS}/{hashlib.sha256(chain.encode()).hexdigest()[:16]}/{task_id}"
