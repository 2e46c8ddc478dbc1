"""What Yarn's Plug'n'Play has written next to a yarn.lock and git ignores: the loader, and the packages' archives.

Source: https://yarnpkg.com/features/pnp, https://yarnpkg.com/getting-started/qa#which-files-should-be-gitignored
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from verigate.subject.generated_files import GeneratedFile

FILES = (b".pnp.cjs", b".pnp.loader.mjs", b".pnp.data.json", b".yarn/install-state.gz")
FOLDERS = (b".yarn/cache", b".yarn/unplugged")
_LOCK = b"yarn.lock"


def find_loader_files(root: bytes, names: Sequence[bytes]) -> Iterator[GeneratedFile]:
    """Find the loader and what belongs to it, among the tree at ``root``, without ``names``, the subject's paths."""
    tracked = frozenset(names)
    for folder in _list_projects(root, names):
        for name in FILES:
            path = folder + name
            if path not in tracked and os.path.isfile(root + b"/" + path):
                yield GeneratedFile(path, root + b"/" + path)


def find_archive_folders(root: bytes, names: Sequence[bytes]) -> Iterator[bytes]:
    """Find the folders of archives and of unpacked packages below ``root``, also those of the subject."""
    for folder in _list_projects(root, names):
        yield from (folder + name for name in FOLDERS if os.path.isdir(root + b"/" + folder + name))


def _list_projects(root: bytes, names: Sequence[bytes]) -> Iterator[bytes]:
    for name in names:
        parent, _, last = name.rpartition(b"/")
        folder = parent + b"/" if parent else b""
        if last == _LOCK and os.path.isfile(root + b"/" + folder + b".pnp.cjs"):
            yield folder
