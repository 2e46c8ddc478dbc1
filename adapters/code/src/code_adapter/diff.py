"""code:diff: what differs between base and subject, as git sees it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from code_adapter.git import EXCLUDE_ARTIFACTS, base_of, open_repository
from verigate.sdk import AdapterError, path_text, write_bytes, write_json

if TYPE_CHECKING:
    from code_adapter.git import Repository
    from verigate.sdk import Request

MAX_PATCH_BYTES = 64 << 20
SUBMODULE = "160000"

_DIFF = (
    "diff",
    "--cached",
    "--find-renames=50%",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--ignore-submodules=dirty",
    "--submodule=short",
)
_RAW = re.compile(rb":(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])(\d*)")


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of ``git diff --raw``. ``source`` is set for a rename, ``similarity`` in percent."""

    status: str
    path: str
    modes: tuple[str, str]
    source: str | None = None
    similarity: int = 0


@dataclass(frozen=True, slots=True)
class LineCount:
    """One entry of ``git diff --numstat``; a binary file has no lines to count."""

    path: str
    insertions: int = 0
    deletions: int = 0
    binary: bool = False


def run(request: Request) -> None:
    """Write diff.json, diff_names.json, diffs.patch and diff.meta.json. Raises AdapterError outside git."""
    with open_repository(request) as repository:
        base = base_of(request, repository)
        changes = list(parse_raw(_list(repository, base, "--raw")))
        counts = list(parse_numstat(_list(repository, base, "--numstat")))
        patch = _patch(repository, base)
    created = sorted(c.path for c in changes if c.status in "AR")
    modified = sorted(c.path for c in changes if c.status in "MT")
    deleted = sorted([c.path for c in changes if c.status == "D"] + [c.source for c in changes if c.source])
    total = len(created) + len(modified) + len(deleted)
    if sorted(c.path for c in changes) != sorted(c.path for c in counts):
        raise AdapterError("git's lists of changed files and of changed lines disagree", where=str(request.repo_root))
    diff = {
        "base": base,
        "files_created": created,
        "files_modified": modified,
        "files_deleted": deleted,
        "total_changes": total,
        "renamed": sorted(
            ({"from": c.source, "to": c.path, "similarity": c.similarity} for c in changes if c.source),
            key=lambda entry: str(entry["to"]),
        ),
        "binary": sorted(c.path for c in counts if c.binary),
        "submodules": sorted(c.path for c in changes if SUBMODULE in c.modes),
        "insertions": sum(c.insertions for c in counts),
        "deletions": sum(c.deletions for c in counts),
    }
    paths = sorted({*created, *modified, *deleted})
    write_bytes(request.task_dir, "diffs.patch", patch)
    write_json(request.task_dir, "diff_names.json", {"added": created, "modified": modified, "deleted": deleted})
    write_json(request.task_dir, "diff.meta.json", {"expected": paths, "examined": paths, "skipped": []})
    write_json(request.task_dir, "diff.json", diff)


def parse_raw(output: bytes) -> Iterator[Change]:
    """Read ``git diff --raw -z``: ``:mode mode sha sha STATUS NUL path NUL [path NUL]``. Raises AdapterError."""
    fields = iter(output.split(b"\0")[:-1])
    for head in fields:
        match = _RAW.fullmatch(head)
        if match is None:
            raise AdapterError(f"git diff --raw says {path_text(head)!r}, which is not its format")
        old, new, status, score = (part.decode() for part in match.groups())
        path = _next(fields)
        if status == "R":
            yield Change("R", _next(fields), (old, new), source=path, similarity=int(score))
        elif status in "AMDT":
            yield Change(status, path, (old, new))
        else:
            raise AdapterError(f"{path!r} has the status {status!r}", hint="a conflict? resolve it, then git add")


def parse_numstat(output: bytes) -> Iterator[LineCount]:
    """Read ``git diff --numstat -z``: ``n TAB n TAB path NUL``; for a rename ``n TAB n TAB NUL old NUL new NUL``."""
    fields = iter(output.split(b"\0")[:-1])
    for head in fields:
        insertions, _, rest = head.partition(b"\t")
        deletions, _, name = rest.partition(b"\t")
        if not name:
            _next(fields)
            path = _next(fields)
        else:
            path = path_text(name)
        if insertions == b"-":
            yield LineCount(path, binary=True)
        else:
            yield LineCount(path, int(insertions), int(deletions))


def _next(fields: Iterator[bytes]) -> str:
    try:
        return path_text(next(fields))
    except StopIteration:
        raise AdapterError("git diff ended in the middle of an entry") from None


def _list(repository: Repository, base: str, form: str) -> bytes:
    return repository.git(*_DIFF, form, "-z", base, "--", *EXCLUDE_ARTIFACTS).stdout


def _patch(repository: Repository, base: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="verigate-patch-") as folder:
        target = Path(folder) / "patch"
        # Written by git itself: output on a pipe would have to be held in memory twice.
        options = ("--patch", "--binary", "--full-index", "--no-color", f"--output={target}")
        repository.git(*_DIFF, *options, base, "--", *EXCLUDE_ARTIFACTS)
        if target.stat().st_size > MAX_PATCH_BYTES:
            raise AdapterError(
                f"the patch is larger than {MAX_PATCH_BYTES} bytes",
                hint="split the change, or use git-lfs for large files",
            )
        return target.read_bytes()
