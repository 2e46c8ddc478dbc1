"""Where the index of a set of repositories lies: in the user's cache, and never inside a repository."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from verigate.user_folders import UserFolders, is_inside

FOLDER = "serve"


def find_index_place(environ: Mapping[str, str], folders: Sequence[Path], roots: Sequence[Path]) -> Path | None:
    """Return the path of the index of what is found at these folders; its folder is made.

    None where the user has no cache, or where it lies inside one of the repositories, ``roots``, which a change may
    write.
    """
    place = UserFolders(environ).cache(FOLDER)
    if place is None or any(is_inside(place, os.fspath(root)) for root in roots):
        return None
    key = "\0".join(sorted(os.fspath(folder.resolve()) for folder in folders))
    try:
        Path(place).mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return Path(place) / f"{hashlib.sha256(os.fsencode(key)).hexdigest()[:24]}.sqlite"
