"""``code:diff``: list the differences between base and subject."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.sdk import AdapterError, path_text, write_bytes, write_json
from verigate.sdk.subject import DIFF, EXCLUDE_ARTIFACTS, open_repository, read_changes, resolve_base

if TYPE_CHECKING:
    from verigate.sdk import Request
    from verigate.sdk.subject import Change, Repository

MAX_PATCH_BYTES = 64 << 20
SUBMODULE = "160000"

_DIFF = (*DIFF, "--cached", "--find-renames=50%")


@dataclass(frozen=True, slots=True)
class LineCount:
    """One entry of ``git diff --numstat``; a binary file has no line counts."""

    path: str
    insertions: int = 0
    deletions: int = 0
    binary: bool = False


def run(request: Request) -> None:
    """Write diff.json, diff_names.json, diffs.patch and diff.meta.json. Raises AdapterError outside git."""
    with open_repository(request) as repository:
        base = resolve_base(request, repository)
        changes = [_as_text(change) for change in read_changes(repository, base)]
        counts = list(parse_numstat(repository.entries(*_DIFF, "--numstat", "-z", base, "--", *EXCLUDE_ARTIFACTS)))
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


def _as_text(change: Change) -> Change:
    source = None if change.source is None else path_text(change.source)
    return replace(change, path=path_text(change.path), source=source)


def parse_numstat(entries: Iterable[bytes]) -> Iterator[LineCount]:
    """Parse ``git diff --numstat -z``: ``n TAB n TAB path``; for a rename ``n TAB n TAB``, old path, new path."""
    fields = iter(entries)
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
            yield LineCount(path, _read_count(insertions), _read_count(deletions))


def _read_count(digits: bytes) -> int:
    if not (digits.isascii() and digits.isdigit()):
        raise AdapterError("git diff printed no number of lines where one is due")
    return int(digits)


def _next(fields: Iterator[bytes]) -> str:
    try:
        return path_text(next(fields))
    except StopIteration:
        raise AdapterError("git diff ended in the middle of an entry") from None


def _patch(repository: Repository, base: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="verigate-patch-") as folder:
        target = Path(folder) / "patch"
        # Let git write the file: output on a pipe would be held in memory twice.
        options = ("--patch", "--binary", "--full-index", f"--output={target}")
        repository.git(*_DIFF, *options, base, "--", *EXCLUDE_ARTIFACTS)
        if target.stat().st_size > MAX_PATCH_BYTES:
            raise AdapterError(
                f"the patch is larger than {MAX_PATCH_BYTES} bytes",
                hint="split the change, or use git-lfs for large files",
            )
        return target.read_bytes()
