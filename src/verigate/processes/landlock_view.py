"""What Landlock opens for one call: its rules only ever open, so all but the hidden folders are listed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from verigate.processes.home_view import is_below
from verigate.processes.sandbox_view import HIDDEN

if TYPE_CHECKING:
    from verigate.processes.sandbox_view import Confinement

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts")


def build_landlock_options(confinement: Confinement) -> Iterator[str]:
    """Yield the options of ``landlock.py`` that open what ``confinement`` shows."""
    masked = [os.path.realpath(path) for path in confinement.masked]
    hidden = [*(os.path.realpath(path) for path in HIDDEN), *confinement.homes, *masked]
    shown = [*confinement.visible, *(mount.source for mount in confinement.mounts if mount.source is not None)]
    shown += [path.source for path in confinement.granted]
    opened = list(_expand("/", hidden))
    for path in dict.fromkeys(map(os.path.realpath, shown)):
        opened += _expand(path, [secret for secret in masked if secret != path])
    for path in dict.fromkeys(opened):
        yield from ("--read", path)
    for name in _DEVICES:
        yield from ("--device", f"/dev/{name}")
    for path in _list_writable(confinement):
        yield from ("--write", path)
    if not confinement.network:
        yield "--no-network"


def _list_writable(confinement: Confinement) -> Iterator[str]:
    yield from () if confinement.read_only else (confinement.root,)
    yield from (*confinement.writable, confinement.tmp)
    yield from (path.source for path in confinement.granted if path.writable)


def _expand(path: str, hidden: Iterable[str]) -> Iterator[str]:
    """Yield this path, or what is in it around the ``hidden`` paths. Links are left out: their targets are listed."""
    below = [each for each in hidden if is_below(each, [path])]
    if path in below:
        return
    if not below:
        yield path
        return
    try:
        with os.scandir(path) as entries:
            children = sorted(entry.path for entry in entries if not entry.is_symlink())
    except OSError:
        return
    for child in children:
        yield from _expand(child, below)
