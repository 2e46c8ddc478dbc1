"""Give each test runner of one call the subject's own files: what ran before may have written over them.

A test of one project could fix the code of another, whose tests then pass.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from verigate.sdk import Request, ToolFailed
from verigate.sdk.subject import Repository, find_repository

Step = TypeVar("Step")
_Seen = Mapping[str, tuple[int, ...] | None]


def restore_between(
    request: Request, paths: Collection[str], steps: Sequence[Step], extra: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Step]:
    """Yield each step; before each but the first, restore those of ``paths`` (of the index) that were written to.

    Only in the gate's own checkout: a call by hand is in the user's files. ``extra`` selects another index. Raises
    ToolFailed if they can't be restored.
    """
    if len(steps) < 2 or not request.gated:
        yield from steps
        return
    repository = find_repository(request, extra)
    index = None if repository is None else _read_index(repository)
    seen = _look(request.repo_root, paths)
    for number, step in enumerate(steps):
        now = _look(request.repo_root, paths) if number else seen
        if changed := [path for path in paths if now[path] != seen[path]]:
            if repository is None or index is None:
                hint = "put the folder under git, or let no test write over its sources"
                raise ToolFailed(f"tests changed {', '.join(changed[:5])} before others ran", hint=hint)
            _check_out(repository, index, changed)
            seen = _look(request.repo_root, paths)
        yield step


def _read_index(repository: Repository) -> bytes:
    found = repository.git("rev-parse", "--git-path", "index").stdout.rstrip(b"\n")
    return (repository.root / os.fsdecode(found)).read_bytes()


def _look(root: Path, paths: Collection[str]) -> _Seen:
    return {path: _describe(f"{root}/{path}") for path in paths}


def _describe(path: str) -> tuple[int, ...] | None:
    """Size, times and place of a file; the time of its last change (ctime) is the kernel's alone."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _check_out(repository: Repository, index: bytes, paths: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="verigate-index-") as folder:
        own = Path(folder, "index")
        own.write_bytes(index)
        names = b"".join(os.fsencode(path) + b"\0" for path in paths)
        private = Repository(repository.root, repository.environ, {"GIT_INDEX_FILE": str(own)})
        private.git("checkout-index", "--force", "-z", "--stdin", stdin=names)
