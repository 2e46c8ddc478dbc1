"""Find installed Python packages that offer adapters, without importing their code."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec

ENTRY_POINT_GROUP = "verigate.adapters"


def find_package_folders() -> tuple[str, ...]:
    """Find the folders of the packages that entry points of the group name, by entry point name.

    The value of an entry point is a package; its folder contains the manifest.json.
    """
    if not _is_group_used():
        return ()
    from importlib.metadata import entry_points

    named = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name, point.value))
    found = (_find_folder(point.module) for point in named)
    return tuple(dict.fromkeys(folder for folder in found if folder))


def _is_group_used() -> bool:
    marker = f"[{ENTRY_POINT_GROUP}]".encode()
    for folder in dict.fromkeys(sys.path):
        try:
            entries = [
                entry.path for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))
            ]
        except OSError:
            continue
        for entry in entries:
            if marker in _read_head(f"{entry}/entry_points.txt"):
                return True
    return False


def _read_head(path: str) -> bytes:
    """Read the first MiB of a file; empty if unreadable. A Python file object would take three times as long."""
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


def _find_folder(module: str) -> str | None:
    """Find the folder of a package through the finders, part by part: importing a parent would run its code."""
    path: list[str] | None = None
    for index in range(module.count(".") + 1):
        spec = _find_spec(".".join(module.split(".")[: index + 1]), path)
        if spec is None or not spec.submodule_search_locations:
            return None
        path = list(spec.submodule_search_locations)
    return path[0] if path else None


def _find_spec(name: str, path: list[str] | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        spec = finder.find_spec(name, path)
        if spec is not None:
            return spec
    return None
