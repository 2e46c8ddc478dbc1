"""Where adapters are looked for, in order of precedence. Nothing is executed here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from verigate.discovery.packages import package_folders
from verigate.domain.origin import Origin

MANIFEST = "manifest.json"


class Shelf(NamedTuple):
    """A directory whose sub-folders may be adapters, or (``is_adapter``) a folder that is one.

    ``folder`` is where it is read; ``stands`` where it stands for everybody else, if that is another place: the
    adapters of a repository are read from a copy of the subject. ``name`` is then its path in the repository.
    """

    folder: str
    origin: Origin
    is_adapter: bool = False
    stands: str | None = None
    name: str = "adapters"

    @property
    def indexed(self) -> bool:
        """Whether an index tells what lies here as TOML: on the shelf of what ships with the gate."""
        return self.origin is Origin.BUILTIN

    def standing(self, path: str) -> str:
        """Where a path on this shelf stands for everybody else."""
        return path if self.stands is None else self.stands + path.removeprefix(self.folder)

    def shown(self, path: str) -> str:
        """How messages name a path on this shelf: those of a repository relative to it, where that is known."""
        return path if self.stands is None else f"{self.name}{path.removeprefix(self.folder)}"

    def manifests(self) -> tuple[list[str], list[str]]:
        """The manifest files on this shelf, by folder name, and the folders without one, the shelf's own first.

        Raises OSError for a folder that can't be listed.
        """
        if self.is_adapter:
            path = f"{self.folder}/{MANIFEST}"
            return ([path], []) if os.path.lexists(path) else ([], [self.folder])
        try:
            names = sorted(entry.name for entry in os.scandir(self.folder) if _is_folder(entry))
        except (FileNotFoundError, NotADirectoryError):
            return [], []
        found: list[str] = []
        without = [self.folder]
        for name in names:
            path = f"{self.folder}/{name}/{MANIFEST}"
            if os.path.lexists(path):
                found.append(path)
            else:
                without.append(f"{self.folder}/{name}")
        return found, without


def toml_files(folder: str) -> list[str]:
    """The paths of the .toml files in a folder, by name; none where it can't be listed.

    Who may enter a folder and not list it reads its manifest all the same, and nothing beside it.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 - once for every adapter, and there may be a thousand
    except OSError:
        return []
    return sorted(f"{folder}/{name}" for name in names if name.endswith(".toml"))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # A link that leads in circles; a folder that can't be looked into is found out when its manifest is read.
        return False


def shelves(
    policy_root: str,
    builtin_root: str,
    environ: Mapping[str, str],
    root: str | None = None,
    packages: Iterable[Shelf] = (),
) -> tuple[Shelf, ...]:
    """The repository's ``adapters/``, GATE_ADAPTER_PATH, installed packages, the built-in adapters.

    ``root`` is the repository's own path where ``policy_root`` is a copy of it, ``packages`` are those that the
    repository pins: they come before those that happen to be installed beside the gate.
    """
    stands = f"{root}/adapters" if root is not None else None
    found = [Shelf(f"{policy_root}/adapters", Origin.REPOSITORY, stands=stands)]
    named = (folder for folder in environ.get("GATE_ADAPTER_PATH", "").split(os.pathsep) if folder)
    found += [Shelf(os.path.realpath(folder), Origin.PATH) for folder in named]
    found += packages
    found += [Shelf(folder, Origin.PACKAGE, is_adapter=True) for folder in package_folders()]
    builtin = f"{builtin_root}/adapters"
    if os.path.realpath(builtin) != os.path.realpath(found[0].folder):
        found.append(Shelf(builtin, Origin.BUILTIN))
    return tuple(found)
