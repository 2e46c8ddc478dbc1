"""Remember in the user's state folder what the gate added to the chains of a repository's verdicts.

One file for each chain, ``chains/<repository>.<chain>``: the newest entry, and the verdicts that git didn't take. It is
a second record, which whoever can only reach the repository can't change. See ``domain.verdict_chain``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.verdict_chain import ChainEntry, Witness, describe_entry, parse_entry
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.subject.whole_file import write_whole
from verigate.user_folders import UserFolders

MOST_UNWRITTEN = 100
"""So many verdicts that git didn't take are remembered of a chain, the newest."""

_SCHEMA = "verigate:chain-witness.v1"
_FOLDER = "chains"
_LARGEST = 1_000_000
_NAME_LENGTH = 32


def read_witness(root: Path, environ: Mapping[str, str], ref: str) -> Witness:
    """Read what is remembered of the chain ``ref``; nothing where this machine never saw it, or has no such folder."""
    path = _locate(root, environ, ref)
    return Witness() if path is None else _read(path)[1]


def write_witness(root: Path, environ: Mapping[str, str], ref: str, witness: Witness) -> str | None:
    """Remember this of the chain ``ref``, in the place of whatever is there. Returns a warning where that can't be."""
    path = _locate(root, environ, ref)
    if path is None:
        return None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)  # no file of ours: whoever put it there wants nothing to be remembered
        write_whole(path, json.dumps(_describe(ref, witness)).encode(), mode=0o600)
    except OSError as problem:
        why = problem.strerror or "it can't be written"
        return f"this machine can't remember this verdict, and won't miss it if it is taken away: {path}: {why}"
    return None


def list_witnessed_refs(root: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the chains of this repository that are remembered, sorted."""
    folder, name = UserFolders(environ, str(root)).state(_FOLDER), _name_repository(root)
    if folder is None or name is None:
        return ()
    try:
        paths = [Path(entry.path) for entry in os.scandir(folder) if entry.name.startswith(f"{name}.")]
    except OSError:
        return ()
    found = (_read(path)[0] for path in paths if path.suffix != ".part")
    return tuple(sorted(ref for ref in found if ref is not None))


def _locate(root: Path, environ: Mapping[str, str], ref: str) -> Path | None:
    folder, name = UserFolders(environ, str(root)).state(_FOLDER), _name_repository(root)
    return None if folder is None or name is None else Path(folder) / f"{name}.{_hash(ref)}"


def _name_repository(root: Path) -> str | None:
    """Name it by its ``.git`` and that folder's inode: a new repository in its place starts again."""
    place = root / ".git"
    try:
        status = place.stat()
    except OSError:
        return None
    return _hash(json.dumps([str(place.resolve()), status.st_dev, status.st_ino if place.is_dir() else 0]))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:_NAME_LENGTH]


def _read(path: Path) -> tuple[str | None, Witness]:
    """Return the ref and what is remembered of it; the ref is None where that can't be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            return None, Witness(fault=f"{path} is no regular file")
        with os.fdopen(file, "rb") as stream:
            content = stream.read(_LARGEST)
    except FileNotFoundError:
        return None, Witness()
    except OSError as problem:
        return None, Witness(fault=f"{path}: {problem.strerror}")
    try:
        return _parse(loads(content))
    except (ValueError, StrictJsonError) as problem:
        return None, Witness(fault=f"{path}: {problem}")


def _describe(ref: str, witness: Witness) -> dict[str, Any]:
    last = witness.last
    return {
        "schema": _SCHEMA,
        "ref": ref,
        "last": None if last is None else {"commit": last.commit, "entry": describe_entry(last)},
        "unwritten": [describe_entry(entry) for entry in witness.unwritten],
    }


def _parse(document: Any) -> tuple[str, Witness]:
    try:
        ref, last = document["ref"], document["last"]
        if document["schema"] != _SCHEMA or not isinstance(ref, str):
            raise ValueError("it isn't what the gate writes")
        newest: ChainEntry | None = None if last is None else parse_entry(str(last["commit"]), last["entry"])
        return ref, Witness(newest, tuple(parse_entry("", entry) for entry in document["unwritten"]))
    except (KeyError, TypeError) as problem:
        raise ValueError("it isn't what the gate writes") from problem
