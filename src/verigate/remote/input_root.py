"""Fetch the input root of an action by its digests, and write it to a folder.

What a server sends is checked against the digest that was asked for. Names that a folder can't have, links that lead
out, and more than the limits are refused: whoever may write to a server may have made the tree.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from itertools import dropwhile
from pathlib import Path

from google.protobuf.message import DecodeError

from verigate.domain.remote_call import InputFile
from verigate.remote.action import from_message
from verigate.remote.blobs import Digest
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import reapi

MOST_FILES = 100_000
MOST_BYTES = 1024**3
_MOST_OF_FOLDERS = 64 * 1_048_576
_DEEPEST = 100
_AT_ONCE = 64 * 1_048_576
"""Bytes of blobs that are in memory."""


class BadInputRootError(ValueError):
    """An input root that can't be used."""


def read_tree(server: RemoteServer, root: Digest) -> dict[str, InputFile]:
    """Return the files and links of an input root by path. Raises BadInputRootError, RemoteFault."""
    found: dict[str, InputFile] = {}
    level = [("", root)]
    size = of_folders = seen = 0
    for _ in range(_DEEPEST):
        if not level:
            return found
        seen += len(level)
        of_folders += sum(digest.size for digest in {_check_digest(digest) for _, digest in level})
        if of_folders > _MOST_OF_FOLDERS:
            raise BadInputRootError(f"its folders have more than {_MOST_OF_FOLDERS >> 20} MiB of names")
        blobs = server.read([digest for _, digest in level])
        below: list[tuple[str, Digest]] = []
        for prefix, digest in level:
            if digest not in blobs:
                raise BadInputRootError(f"the server lacks the folder {prefix or '/'}")
            message = _decode(blobs[digest])
            for path, child in _list_folders(prefix, message):
                below.append((f"{path}/", child))
                _check_limits(len(found) + seen + len(below), size)
            for path, file in _list_entries(prefix, message):
                found[path] = file
                size += file.size
                _check_limits(len(found) + seen + len(below), size)
        level = below
    raise BadInputRootError(f"it has folders more than {_DEEPEST} deep")


def write_tree(server: RemoteServer, files: Mapping[str, InputFile], folder: Path) -> None:
    """Write the files below ``folder``, which is empty. Raises BadInputRootError, RemoteFault, OSError."""
    for path, file in files.items():
        if file.target is not None:
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(file.target)
    for batch in _split(files):
        blobs = server.read([Digest(file.sha256, file.size) for _, file in batch])
        for path, file in batch:
            content = blobs.get(Digest(file.sha256, file.size))
            if content is None:
                raise BadInputRootError(f"the server lacks {path}")
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            mode = 0o755 if file.executable else 0o644
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)


def _split(files: Mapping[str, InputFile]) -> Iterator[list[tuple[str, InputFile]]]:
    batch: list[tuple[str, InputFile]] = []
    size = 0
    for path, file in files.items():
        if file.target is not None:
            continue
        if batch and size + file.size > _AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append((path, file))
        size += file.size
    if batch:
        yield batch


def _decode(content: bytes) -> reapi.Directory:
    try:
        message: reapi.Directory = reapi.Directory.FromString(content)
    except DecodeError as problem:
        raise BadInputRootError("a folder of it is no Directory") from problem
    return message


def _list_folders(prefix: str, message: reapi.Directory) -> Iterator[tuple[str, Digest]]:
    names = [node.name for nodes in (message.files, message.directories, message.symlinks) for node in nodes]
    if len(names) != len(set(names)):
        raise BadInputRootError(f"two entries of {prefix or '/'} have one name")
    for name in names:
        if name in {"", ".", ".."} or "/" in name or "\0" in name or name.lower() == ".git":
            raise BadInputRootError(f"{name!r:.90} is no name of a file")
    return ((f"{prefix}{node.name}", from_message(node.digest)) for node in message.directories)


def _list_entries(prefix: str, message: reapi.Directory) -> Iterator[tuple[str, InputFile]]:
    for file in message.files:
        digest = _check_digest(from_message(file.digest))
        yield f"{prefix}{file.name}", InputFile(digest.hash, digest.size, file.is_executable)
    for link in message.symlinks:
        path = f"{prefix}{link.name}"
        end = posixpath.normpath(f"{posixpath.dirname(path)}/{link.target}")
        out = not link.target or link.target.startswith("/") or end == ".." or end.startswith(("../", "/"))
        # Behind a name that is a link itself, ".." is the parent of where that one leads.
        if out or ".." in dropwhile("..".__eq__, link.target.split("/")):
            raise BadInputRootError(f"the link {path!r:.90} leads out of it")
        yield path, InputFile("", 0, target=link.target)


def _check_digest(digest: Digest) -> Digest:
    if not digest.is_valid:
        raise BadInputRootError("an entry of it has no digest of SHA-256")
    return digest


def _check_limits(entries: int, size: int) -> None:
    if entries > MOST_FILES or size > MOST_BYTES:
        raise BadInputRootError(f"it has more than {MOST_FILES} entries, or {MOST_BYTES >> 30} GiB")
