"""What an installation changed, kept outside the repository, so that uninstalling can put the very bytes back.

Without a record (another machine, another clone) the gate's entries are still found and taken out; only what was an
empty object or empty lines before can't be distinguished from what came with them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from verigate.errors import ExecutionError
from verigate.user_folders import UserFolders


class Record(Struct, frozen=True):
    """``before`` are the bytes of the settings file, None where there was none; ``after`` the sha256 of what became."""

    before: bytes | None
    after: str


def state_folder(root: Path, environ: Mapping[str, str]) -> Path:
    """Where the gate keeps what it must remember of a repository, out of reach of sandboxed agents.

    Raises ExecutionError where the user has no folder for state outside of the repository.
    """
    name = hashlib.sha256(str(root.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:20]
    folder = UserFolders(environ, str(root)).state("repositories", name)
    if folder is None:
        raise ExecutionError(
            "there is no folder for the gate's state outside of the repository",
            where="XDG_STATE_HOME",
            hint="set XDG_STATE_HOME to an absolute path outside of the repository",
        )
    return Path(folder)


def read(folder: Path, host: str) -> Record | None:
    """The record of a host; None where there is none that can be read."""
    try:
        document = json.loads(_file(folder, host).read_bytes())
        before = document["before"]
        return Record(None if before is None else base64.b64decode(before, validate=True), str(document["after"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(folder: Path, host: str, record: Record) -> None:
    """Keep a record. Raises OSError."""
    before = None if record.before is None else base64.b64encode(record.before).decode("ascii")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = _file(folder, host).with_suffix(".part")
    part.write_text(json.dumps({"before": before, "after": record.after}), "ascii")
    part.replace(_file(folder, host))


def forget(folder: Path, host: str) -> None:
    """Remove a record."""
    _file(folder, host).unlink(missing_ok=True)


def digest(content: bytes) -> str:
    """The sha256 of a settings file's bytes, in hex."""
    return hashlib.sha256(content).hexdigest()


def _file(folder: Path, host: str) -> Path:
    return folder / f"installed-{host}.json"
