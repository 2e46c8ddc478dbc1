"""Describe what is installed on this machine by names, sizes and times, for keys that hold on this machine only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path


def list_path_folders(environ: Mapping[str, str]) -> list[tuple[str, int]]:
    """List the folders of PATH that exist, with their times; without git's own, which git puts before its hooks."""
    found = []
    for folder in dict.fromkeys(environ.get("PATH", os.defpath).split(os.pathsep)):
        place = Path(folder)
        if folder and place.is_dir() and not (place / "git-sh-setup").exists():
            found.append((folder, place.stat().st_mtime_ns))
    return found


def describe_installation() -> list[list[object]]:
    """Describe the gate's own files, and the packages that are installed with it, on which what adapters find depends.

    Raises OSError.
    """
    package = Path(__file__).resolve().parents[1]
    packages = [place for place in sys.path if Path(place).is_dir()]
    return [*map(list, _list_sources(str(package))), *map(list, _list_distributions(packages))]


def _list_sources(folder: str) -> Iterator[tuple[object, ...]]:
    """Yield path, size and times of each file. No program can set the time of change."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _list_sources(entry.path)
                continue
            status = entry.stat(follow_symlinks=False)
            yield entry.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _list_distributions(places: list[str]) -> Iterator[tuple[object, ...]]:
    """Yield name, which has the version, and times of the metadata of each distribution."""
    for place in places:
        with os.scandir(place) as entries:
            found = sorted(entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info", ".pth")))
        for path in found:
            status = Path(path).stat()
            yield path, status.st_mtime_ns, status.st_ctime_ns
