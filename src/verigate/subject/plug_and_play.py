"""What Yarn's Plug'n'Play has written next to a yarn.lock and git ignores: the loader, and the packages' archives.

Source: https://yarnpkg.com/features/pnp, https://yarnpkg.com/getting-started/qa#which-files-should-be-gitignored
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from verigate.subject.generated_files import GeneratedFile

FILES = (b".pnp.cjs", b".pnp.loader.mjs", b".pnp.data.json", b".yarn/install-state.gz")
FOLDERS = (b".yarn/cache", b".yarn/unplugged")
_LOCK = b"yarn.lock"


def find_loader_files(root: bytes, projects: Iterable[bytes]) -> Iterator[GeneratedFile]:
    """Find the loader and what belongs to it in each of the ``projects`` below ``root``, also what git tracks."""
    for folder in projects:
        for name in FILES:
            path = folder + name
            if os.path.isfile(root + b"/" + path):
                yield GeneratedFile(path, root + b"/" + path)


def find_archive_folders(root: bytes, projects: Iterable[bytes]) -> Iterator[bytes]:
    """Find the folders of archives and of unpacked packages in ``projects``, also those of the subject."""
    for folder in projects:
        yield from (folder + name for name in FOLDERS if os.path.isdir(root + b"/" + folder + name))


def list_projects(root: bytes, names: Iterable[bytes]) -> list[bytes]:
    """List the folders, each with a slash, that have a lock file among ``names`` and a loader below ``root``."""
    parents = (name.removesuffix(_LOCK) for name in names if name.rpartition(b"/")[2] == _LOCK)
    return [folder for folder in parents if os.path.isfile(root + b"/" + folder + b".pnp.cjs")]
