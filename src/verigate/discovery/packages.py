"""Installed packages that offer adapters, found without importing any of their code."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec

ENTRY_POINT_GROUP = "verigate.adapters"


def package_folders() -> tuple[str, ...]:
    """The folders that entry points of the group name, by entry point name.

    An entry point's value is a package; its folder holds the manifest.json.
    """
    if not _group_is_used():
        return ()
    from importlib.metadata import entry_points

    named = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name, point.value))
    found = (_folder(point.module) for point in named)
    return tuple(dict.fromkeys(folder for folder in found if folder))


def _group_is_used() -> bool:
    marker = f"[{ENTRY_POINT_GROUP}]".encode()
    for folder in dict.fromkeys(sys.path):
        try:
            entries = [
                entry.path for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))
            ]
        except OSError:
            continue
        for entry in entries:
            if marker in _beginning(f"{entry}/entry_points.txt"):
                return True
    return False


def _beginning(path: str) -> bytes:
    """The first MiB of a file, empty where there is none. A Python file object costs three times the read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 1_048_576)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _folder(module: str) -> str | None:
    """The folder of a package, by asking the finders part by part; importing a parent would run its code."""
    path: list[str] | None = None
    for index in range(module.count(".") + 1):
        spec = _find(".".join(module.split(".")[: index + 1]), path)
        if spec is None or not spec.submodule_search_locations:
            return None
        path = list(spec.submodule_search_locations)
    return path[0] if path else None


def _find(name: str, path: list[str] | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        spec = finder.find_spec(name, path)
        if spec is not None:
            return spec
    return None
