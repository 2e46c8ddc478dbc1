"""A cached folder of the links that every sandbox shows: binding it is five times faster than making the links.

It is stored in the caller's cache under the digest of its content, never changes, and is used only as long as it holds
exactly that content: whoever changes it makes every sandbox slower, and nothing else.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from verigate.processes.tool_path import link_coreutils
from verigate.removal import remove
from verigate.user_folders import UserFolders


def keep_links(core: Mapping[str, str], folders: UserFolders) -> str | None:
    """Find or make a folder with exactly these links (name -> target); its absolute path, None if that fails."""
    text = "".join(f"{name}\0{target}\0" for name, target in core.items())
    digest = hashlib.sha256(os.fsencode(text)).hexdigest()
    folder = folders.cache("core", digest[:32])
    if folder is None:
        return None
    try:
        return folder if _holds(folder, core) or _make(folder, core) else None
    except OSError:
        return None


def _holds(folder: str, core: Mapping[str, str]) -> bool:
    try:
        found = os.lstat(folder)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
            return False
        names = os.listdir(folder)  # noqa: PTH208 - a Path for each of a hundred names takes longer than the rest
        targets = (os.readlink(f"{folder}/{name}") for name in names)  # noqa: PTH115 - as above
        return len(names) == len(core) and all(
            target == core[name] for name, target in zip(names, targets, strict=True)
        )
    except (OSError, KeyError):
        return False


def _make(folder: str, core: Mapping[str, str]) -> bool:
    draft = f"{folder}.{os.urandom(8).hex()}"
    Path(folder).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        link_coreutils(draft, core)
        _put(draft, folder, core)
    finally:
        if os.path.lexists(draft):
            remove(os.fsencode(draft))
    return _holds(folder, core)


def _put(draft: str, folder: str, core: Mapping[str, str]) -> None:
    """Rename ``draft`` to ``folder``, unless another run was faster: sandboxes that start now bind what it made."""
    try:
        Path(draft).rename(folder)
    except OSError:
        if _holds(folder, core):
            return
        aside = f"{draft}.old"
        Path(folder).rename(aside)
        try:
            Path(draft).rename(folder)
        finally:
            remove(os.fsencode(aside))
