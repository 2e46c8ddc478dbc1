"""Give each test runner of one call the subject's own files: what ran before may have written over them.

A test of one project could fix the code of another, whose tests then pass. It could also change what git restores from:
objects of the checkout, its index and configuration, the user's settings. So these are read before anything runs.
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
_ALTERNATES = "objects/info/alternates"
_ISOLATED = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
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
    held = None if repository is None else _hold_git(repository)
    seen = _look(request.repo_root, paths)
    for number, step in enumerate(steps):
        now = _look(request.repo_root, paths) if number else seen
        if changed := [path for path in paths if now[path] != seen[path]]:
            if repository is None or held is None:
                hint = "put the folder under git, or let no test write over its sources"
                raise ToolFailed(f"tests changed {', '.join(changed[:5])} before others ran", hint=hint)
            _check_out(repository, held, changed)
            seen = _look(request.repo_root, paths)
        yield step


def _hold_git(repository: Repository) -> Mapping[str, bytes]:
    """Read the files of a git folder that has the index, and whose objects are those of the checkout's alternates."""

    def read(name: str) -> bytes:
        found = repository.git("rev-parse", "--git-path", name).stdout.rstrip(b"\n")
        path = repository.root / os.fsdecode(found)
        return path.read_bytes() if path.exists() else b""

    held = {name: read(name) for name in ("HEAD", "config", "index", _ALTERNATES)}
    if repository.extra or not held[_ALTERNATES]:
        # Another index may name objects that were made here, and a repository of its own has no others.
        held[_ALTERNATES] += os.fsencode(repository.objects()) + b"\n"
    return held


def _look(root: Path, paths: Collection[str]) -> _Seen:
    return {path: _describe(f"{root}/{path}") for path in paths}


def _describe(path: str) -> tuple[int, ...] | None:
    """Size, times and place of a file; the time of its last change (ctime) is the kernel's alone."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _check_out(repository: Repository, held: Mapping[str, bytes], paths: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="verigate-git-") as folder:
        for name in ("objects/info", "refs"):
            Path(folder, name).mkdir(parents=True)
        for name, content in held.items():
            Path(folder, name).write_bytes(content)
        names = b"".join(os.fsencode(path) + b"\0" for path in paths)
        own = {"GIT_DIR": folder, "GIT_WORK_TREE": str(repository.root), **_ISOLATED}
        private = Repository(repository.root, repository.environ, own)
        private.git("checkout-index", "--force", "-z", "--stdin", stdin=names)
