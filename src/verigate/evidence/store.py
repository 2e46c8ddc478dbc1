"""Publish to the ``.artifacts`` folder, and read back only what matches its index."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import orjson
from msgspec import Struct

from verigate.domain.task_folder import (
    ARTIFACTS_FOLDER,
    CHECKSUMS_FILE,
    GITIGNORE,
    INDEX_FILE,
    LASTING_FILES,
    RUN_FILE,
    VERDICT_FILE,
)
from verigate.errors import EvidenceError
from verigate.evidence.index import format_checksums
from verigate.evidence.lock import LOCKS_FOLDER
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.subject.whole_file import remove_parts, write_whole


class Published(Struct, frozen=True):
    """A verdict with its evidence, all digests checked. ``index`` has the entries of artifacts.json by path.

    ``held`` has the content of small files, as it was when its digest was checked.
    """

    folder: Path
    verdict: Mapping[str, Any]
    run: Mapping[str, Any]
    index: Mapping[str, Mapping[str, Any]]
    held: Mapping[str, bytes] = {}

    def read(self, path: str) -> bytes:
        """Read an indexed file. Raises EvidenceError if it isn't indexed or has changed."""
        entry = self.index.get(path)
        if entry is None:
            raise EvidenceError(f"{path} is not in the index", where=str(self.folder / INDEX_FILE))
        content = self.held.get(path)
        return _read_checked(self.folder, path, entry["sha256"]) if content is None else content


def artifacts_folder(root: Path) -> Path:
    """Return ``.artifacts`` of a repository; creates it with its .gitignore if needed. Raises EvidenceError."""
    folder = root / ARTIFACTS_FOLDER
    if folder.is_symlink():
        hint = "remove it; evidence is only written inside the repository"
        raise EvidenceError("this is a symbolic link", where=str(folder), hint=hint)
    if folder.exists() and not folder.is_dir():
        raise EvidenceError("this is not a folder", where=str(folder), hint="move it away; evidence is written there")
    folder.mkdir(exist_ok=True)
    remove_parts(folder)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        _write(ignore, GITIGNORE.encode())
    return folder


def has_artifacts(root: Path) -> bool:
    """Whether a repository has ``.artifacts``, of whatever kind."""
    return (root / ARTIFACTS_FOLDER).exists() or (root / ARTIFACTS_FOLDER).is_symlink()


def remove_unused_artifacts(root: Path, task_id: str) -> None:
    """Remove what was created for the lock of a task, as long as nothing else is in ``.artifacts``."""
    folder = root / ARTIFACTS_FOLDER
    locks = folder / LOCKS_FOLDER
    if {entry.name for entry in folder.iterdir()} != {".gitignore", locks.name}:
        return
    with suppress(OSError):  # Another run has begun: its lock stays.
        (locks / task_id).unlink()
        locks.rmdir()
        (folder / ".gitignore").unlink()
        folder.rmdir()


def task_folder(root: Path, task_id: str) -> Path:
    """Return the folder of a task. Raises EvidenceError for a symbolic link, which may lead to other verdicts."""
    folder = root / ARTIFACTS_FOLDER / task_id
    for place in (folder.parent, folder):
        if place.is_symlink():
            hint = "remove it; evidence is only written inside the repository"
            raise EvidenceError("this is a symbolic link", where=str(place), hint=hint)
    return folder


class FileSource(Protocol):
    """Where the files of a publication come from: ``AcceptedFiles``, or a folder that was sealed elsewhere."""

    def copy(self, path: str, target: Path) -> None:
        """Write a file to ``target``, which must not exist."""


def publish(
    folder: Path,
    accepted: FileSource,
    *,
    own: Mapping[str, bytes],
    index: Mapping[str, Any],
    verdict: Mapping[str, Any],
) -> str:
    """Replace the content of a task folder; return the sha256 of its verdict.json.

    Removes the old verdict first and writes the new one last: if killed in between, the task is "not verified", and a
    verdict never stands with evidence of another run. ``own`` are files of the gate itself (run.json, logs) by path.
    Files that are identical already are kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _remove(folder / VERDICT_FILE)
    content = encode_json(index)
    own = {**own, CHECKSUMS_FILE: format_checksums(index), INDEX_FILE: content}
    digests = {entry["path"]: entry["sha256"] for entry in index["files"]}
    digests |= {path: hashlib.sha256(own[path]).hexdigest() for path in own.keys() - digests.keys()}
    there = _clear(folder, digests)
    for path in sorted(digests.keys() - there):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path in own:
            with target.open("xb") as file:
                file.write(own[path])
        else:
            accepted.copy(path, target)
    sealed = {**verdict, "metadata": {**verdict["metadata"], "index_sha256": hashlib.sha256(content).hexdigest()}}
    written = encode_json(sealed)
    _write(folder / VERDICT_FILE, written)
    return hashlib.sha256(written).hexdigest()


def read_published(folder: Path) -> Published:
    """Read the verdict of a task and check every digest. Raises EvidenceError: the task is then "not verified"."""
    verdict = _read_document(folder, VERDICT_FILE, None)
    metadata = verdict.get("metadata")
    seal = metadata.get("index_sha256") if isinstance(metadata, dict) else None
    if not isinstance(seal, str):
        raise _not_verified_error(folder, VERDICT_FILE, "it has no digest of its index")
    index = _read_document(folder, INDEX_FILE, seal)
    for document, name in ((verdict, VERDICT_FILE), (index, INDEX_FILE)):
        if document.get("task_id") != folder.name:
            raise _not_verified_error(folder, name, f"it is of another task, {str(document.get('task_id'))[:80]!r}")
    files = index.get("files")
    if not isinstance(files, list) or not all(_is_entry(item) for item in files):
        raise _not_verified_error(folder, INDEX_FILE, "it is not an index")
    entries: dict[str, Mapping[str, Any]] = {item["path"]: item for item in files}
    if len(entries) != len(files):
        raise _not_verified_error(folder, INDEX_FILE, "it names a file twice")
    held: dict[str, bytes] = {}
    room = _MOST_HELD
    for path, entry in entries.items():
        if path.startswith("/") or ".." in path.split("/") or "\0" in path:
            raise _not_verified_error(folder, INDEX_FILE, f"it names {path!r}")
        content = _read_checked(folder, path, entry["sha256"])
        if len(content) <= room:
            held[path] = content
            room -= len(content)
    # The gate reads none of it, but people do, with sha256sum.
    if _read_checked(folder, CHECKSUMS_FILE, None) != format_checksums(index):
        raise _not_verified_error(folder, CHECKSUMS_FILE, "its content has changed since the verdict")
    if RUN_FILE not in entries:
        raise _not_verified_error(folder, INDEX_FILE, f"it lacks {RUN_FILE}")
    run = _read_document(folder, RUN_FILE, entries[RUN_FILE]["sha256"], held.get(RUN_FILE))
    return Published(folder, verdict, run, entries, held)


_MOST_BYTES = 256 * 1024 * 1024
"""Of one published file: four times the largest artifact. What is larger, the gate didn't write."""

_MOST_HELD = 1024 * 1024
"""Bytes of a task that aren't read twice: deciding a verdict again needs most of what its digests were checked of."""

_ENTRY_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "path": str,
    "sha256": str,
    "is_json": bool,
    "volatile": list,
    "media_spec": (str, type(None)),
    "producer": (str, type(None)),
}


def _is_entry(item: Any) -> bool:
    if not isinstance(item, dict) or not all(
        key in item and isinstance(item[key], kind) for key, kind in _ENTRY_TYPES.items()
    ):
        return False
    return all(isinstance(place, str) and place[:1] in {"", "/"} for place in item["volatile"])


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file atomically: readers see the old content or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, content)


def encode_json(document: Any) -> bytes:
    """Encode a JSON document: sorted keys, two spaces, a final newline."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


def _clear(folder: Path, digests: Mapping[str, str]) -> set[str]:
    """Remove everything except files with these paths and SHA-256 digests; returns the kept paths."""
    stay: set[str] = set()
    pending = [""]
    while pending:
        prefix = pending.pop()
        for entry in list(os.scandir(folder / prefix)):
            path = f"{prefix}{entry.name}"
            if path in digests and _is_unchanged(entry, digests[path]):
                stay.add(path)
            elif entry.is_dir(follow_symlinks=False) and any(known.startswith(f"{path}/") for known in digests):
                pending.append(f"{path}/")
            elif path not in LASTING_FILES:
                _remove(Path(entry.path))
    return stay


def _is_unchanged(entry: os.DirEntry[str], digest: str) -> bool:
    # No hard links: writing to the other name would change this file too.
    if not entry.is_file(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_nlink != 1:
        return False
    try:
        return hashlib.sha256(_read_regular(entry.path)).hexdigest() == digest
    except OSError:
        return False


def _remove(path: Path) -> None:
    """Remove a file or a folder; of a symbolic link only the link."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _read_document(folder: Path, name: str, sha256: str | None, content: bytes | None = None) -> dict[str, Any]:
    """Read a JSON object; ``content`` is that of the file, if it was read and checked before."""
    if content is None:
        content = _read_checked(folder, name, sha256)
    try:
        document = loads(content)
    except StrictJsonError as problem:
        raise _not_verified_error(folder, name, f"it is not strict JSON: {problem}") from problem
    if not isinstance(document, dict):
        raise _not_verified_error(folder, name, "it is not a JSON object")
    return document


def _read_checked(folder: Path, name: str, sha256: str | None) -> bytes:
    try:
        content = _read_regular(f"{os.fspath(folder)}/{name}")
    except OSError as problem:
        if name == VERDICT_FILE and _is_unpublished(folder):
            hint = f"run `gate verify {folder.name}`"
            raise EvidenceError(f"not verified: {folder.name} has no verdict", where=str(folder), hint=hint) from None
        raise _not_verified_error(folder, name, f"it can't be read ({problem.strerror})") from problem
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise _not_verified_error(folder, name, "its content has changed since the verdict")
    return content


def _is_unpublished(folder: Path) -> bool:
    """Whether the folder of a task has no file of a verdict: nothing was published, or a publication was cut short."""
    return not any(os.path.lexists(folder / name) for name in (VERDICT_FILE, RUN_FILE, INDEX_FILE, CHECKSUMS_FILE))


def read_plain(folder: Path, name: str) -> bytes:
    """Read a file of a task that is in no index, and no link. Raises EvidenceError."""
    return _read_checked(folder, name, None)


def _read_regular(path: str) -> bytes:
    # Don't wait for a named pipe, don't follow a link: the gate only writes plain files.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", path)
        parts: list[bytes] = []
        room = _MOST_BYTES + 1
        # It may grow while it is read. A buffer for the most that a file may have would be made for each small one.
        if status.st_size < room:
            while room and (part := os.read(descriptor, min(room, max(status.st_size, 4096) + 1))):
                parts.append(part)
                room -= len(part)
                if _MOST_BYTES + 1 - room == status.st_size:
                    break  # it gave less than it was asked for, which is its end
        if status.st_size > _MOST_BYTES or not room:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return parts[0] if len(parts) == 1 else b"".join(parts)
    finally:
        os.close(descriptor)


def _not_verified_error(folder: Path, name: str, why: str) -> EvidenceError:
    return EvidenceError(f"not verified: {why}", where=str(folder / name), hint=f"run `gate verify {folder.name}`")
