"""The subject's files, and how one is read: only what is a regular file inside the checkout."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from verigate.sdk import AdapterError, Request, ToolFailed, path_text, run_tool

MOST_BYTES = 16 << 20
"""A text above this size is refused: it is read as a whole."""

GIT_TIMEOUT_S = 120.0
_OPTIONS = (
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "diff.orderFile=/dev/null"),
    *("-c", "protocol.allow=never"),
)
_NOT_THE_GATES = (".", ":(top,exclude).artifacts")


@dataclass(frozen=True, slots=True)
class Subject:
    """The regular files of the subject, and those of them that differ from the base (None outside git).

    Paths are relative to ``root``, "/"-separated, as ``os.fsdecode`` gives them, and sorted.
    """

    root: Path
    paths: tuple[str, ...]
    changed: frozenset[str] | None


def find_subject(request: Request) -> Subject:
    """The index under the gate; by hand the working tree with its untracked, unignored files; outside git all files."""
    root = request.repo_root
    if _git(request, "rev-parse", "--is-inside-work-tree", check=False).strip() != b"true":
        return Subject(root, tuple(sorted(_walk(root))), None)
    which = ["--cached"] if request.gated else ["--cached", "--others", "--exclude-standard"]
    listed = _split(_git(request, "ls-files", *which, "-z", "--", *_NOT_THE_GATES))
    paths = tuple(sorted(path for path in set(listed) if _is_file(root / path)))
    return Subject(root, paths, frozenset(_changed(request)) if request.base else None)


def _changed(request: Request) -> Iterator[str]:
    base = str(request.base)
    if base.startswith("-"):
        raise AdapterError(f"{base!r} is no revision", where="GATE_BASE")
    staged = ["--cached"] if request.gated else []
    options = ["--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--diff-filter=d", "-z"]
    yield from _split(_git(request, "diff", *staged, *options, base, "--", *_NOT_THE_GATES))
    if not request.gated:
        yield from _split(_git(request, "ls-files", "--others", "--exclude-standard", "-z", "--", *_NOT_THE_GATES))


def _git(request: Request, *arguments: str, check: bool = True) -> bytes:
    env = {name: value for name, value in request.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"}
    run = run_tool(["git", *_OPTIONS, *arguments], cwd=request.repo_root, timeout_s=GIT_TIMEOUT_S, env=env)
    if check and (run.exit_code != 0 or run.truncated):
        raise ToolFailed(f"git {arguments[0]} ended with {run.ended}: {run.tail()}", where=str(request.repo_root))
    return run.stdout


def _split(listed: bytes) -> list[str]:
    return [os.fsdecode(path) for path in listed.split(b"\0") if path]


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - {".artifacts", ".git", ".venv", "venv", "node_modules", "__pycache__"})
        for name in names:
            path = Path(folder) / name
            if _is_file(path):
                yield path.relative_to(root).as_posix()


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


@lru_cache(maxsize=1024)
def _is_inside(root: Path, folder: Path) -> bool:
    return folder.resolve(strict=True).is_relative_to(root.resolve())


def read_bytes(root: Path, path: str, most: int = MOST_BYTES) -> bytes:
    """The content of the subject's file ``path``. Raises AdapterError if it is a link, elsewhere, or too large."""
    where = path_text(path)
    full = root / path
    try:
        if not _is_inside(root, full.parent):
            raise AdapterError("lies outside the repository", where=where)
        handle = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise AdapterError(f"can't be read: {error}", where=where) from error
    with os.fdopen(handle, "rb") as stream:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise AdapterError("is no regular file", where=where)
        raw = stream.read(min(status.st_size, most) + 1)
    if len(raw) > most:
        raise AdapterError(
            f"is larger than {most >> 20} MiB",
            where=where,
            hint='split it, or leave it out with "exclude" of the content adapter in config/adapters.json',
        )
    return raw
