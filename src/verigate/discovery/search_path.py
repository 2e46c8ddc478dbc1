"""The search path of adapters, in order of precedence. Nothing is executed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from verigate.discovery.entry_points import find_package_folders
from verigate.domain.origin import Origin

MANIFEST = "manifest.json"


class AdapterFolder(NamedTuple):
    """A folder with a manifest or without one, and the paths of the .toml files in it, by name."""

    path: str
    has_manifest: bool
    tables: list[str]

    @property
    def manifest(self) -> str:
        """The path of the manifest, if there is one."""
        return f"{self.path}/{MANIFEST}"


class SearchLocation(NamedTuple):
    """A directory whose sub-folders may be adapters, or (``is_adapter``) a folder that is one.

    ``folder`` is the path that is read. Adapters of a repository are read from a copy of the subject: ``real_folder``
    is then the original path, and ``name`` its path in the repository.
    """

    folder: str
    origin: Origin
    is_adapter: bool = False
    real_folder: str | None = None
    name: str = "adapters"

    @property
    def indexed(self) -> bool:
        """Whether the TOML files here have an index: true for the built-in adapters."""
        return self.origin is Origin.BUILTIN

    def real_path(self, path: str) -> str:
        """Map a path in ``folder`` to the original path."""
        return path if self.real_folder is None else self.real_folder + path.removeprefix(self.folder)

    def display_path(self, path: str) -> str:
        """Format a path for messages: relative to the repository, if read from a copy of it."""
        return path if self.real_folder is None else f"{self.name}{path.removeprefix(self.folder)}"

    def list_folders(self) -> list[AdapterFolder]:
        """List the folders that may be adapters, by name, after ``folder`` itself.

        Raises OSError for a folder that can't be listed.
        """
        if self.is_adapter:
            return [_look_into(self.folder)]
        try:
            names = sorted(entry.name for entry in os.scandir(self.folder) if _is_folder(entry))
        except (FileNotFoundError, NotADirectoryError):
            return []
        own = AdapterFolder(self.folder, has_manifest=False, tables=toml_files(self.folder))
        return [own, *(_look_into(f"{self.folder}/{name}") for name in names)]


def toml_files(folder: str) -> list[str]:
    """List the paths of the .toml files in a folder, by name; empty if it can't be listed."""
    return _look_into(folder).tables


def _look_into(folder: str) -> AdapterFolder:
    """Look into a folder once: there may be a thousand.

    If it may be entered but not listed, its manifest is read and nothing else.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 - once for every adapter
    except OSError:
        return AdapterFolder(folder, os.path.lexists(f"{folder}/{MANIFEST}"), [])
    tables = [f"{folder}/{name}" for name in names if name.endswith(".toml")]
    return AdapterFolder(folder, MANIFEST in names, sorted(tables))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # A circular link. An unreadable folder is reported when its manifest is read.
        return False


def list_locations(
    policy_root: str,
    builtin_root: str,
    environ: Mapping[str, str],
    root: str | None = None,
    packages: Iterable[SearchLocation] = (),
) -> tuple[SearchLocation, ...]:
    """List the repository's ``adapters/``, GATE_ADAPTER_PATH, pinned packages, installed packages, built-in adapters.

    ``root`` is the repository if ``policy_root`` is a copy of it. ``packages`` are those that the repository pins: they
    precede packages that happen to be installed with the gate.
    """
    original = f"{root}/adapters" if root is not None else None
    found = [SearchLocation(f"{policy_root}/adapters", Origin.REPOSITORY, real_folder=original)]
    named = (folder for folder in environ.get("GATE_ADAPTER_PATH", "").split(os.pathsep) if folder)
    found += [SearchLocation(os.path.realpath(folder), Origin.PATH) for folder in named]
    found += packages
    found += [SearchLocation(folder, Origin.PACKAGE, is_adapter=True) for folder in find_package_folders()]
    builtin = f"{builtin_root}/adapters"
    if os.path.realpath(builtin) != os.path.realpath(found[0].folder):
        found.append(SearchLocation(builtin, Origin.BUILTIN))
    return tuple(found)
