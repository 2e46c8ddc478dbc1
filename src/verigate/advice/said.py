"""What an agent was advised of in a session, so that it reads of each thing once. Kept outside of the repository."""

from __future__ import annotations

import os
import time

from verigate.user_folders import UserFolders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST_BYTES = 1 << 16
_LONGEST = 400
_KEPT_S = 30 * 24 * 3600.0


def list_new(keys: Sequence[str], root: str, name: str, environ: Mapping[str, str]) -> list[bool]:
    """List which of these are new in the session ``name``, and remember them; all are where nothing can be kept."""
    folder = UserFolders(environ, root).state("edits")
    lines = [key.replace("\n", " ")[:_LONGEST] for key in keys]
    if folder is None:
        return [True] * len(keys)
    place = f"{folder}/{_digest(root, name)}"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - pathlib is slow to load
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if not os.fstat(descriptor).st_size:
                _forget_old(folder)
            there = os.read(descriptor, _MOST_BYTES).decode("utf-8", "replace").split("\n")
            new = [line not in there for line in lines]
            if len(there) < _MOST_BYTES // _LONGEST:
                added = "".join(f"{line}\n" for line, is_new in zip(lines, new, strict=True) if is_new)
                os.write(descriptor, added.encode("utf-8", "replace"))
        finally:
            os.close(descriptor)
    except OSError:
        return [True] * len(keys)
    return new


def _digest(*texts: str) -> str:
    """Return hexadecimal digits that stand for texts. hashlib loads OpenSSL, which takes longer than all the rest."""
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b("\n".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _forget_old(folder: str) -> None:
    """Remove what nobody came back to in a month. Raises OSError."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.stat(follow_symlinks=False).st_mtime < time.time() - _KEPT_S:
                os.unlink(entry.path)  # noqa: PTH108 - as above
