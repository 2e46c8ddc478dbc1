"""A folder of links that replaces a dependency folder: tools write into it, never into the user's folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from verigate.subject.outside_programs import is_below

Link = tuple[bytes, bytes | None]
"""A path relative to the folder and the target of the link there; None for a real folder."""

STORES = (b".pnpm", b".store", b".bun")
"""Folders of a node_modules in which package managers keep the packages, and to which the other entries are links."""

MOUNTED = (b".bin", *STORES)
"""Folders of a node_modules that are mounted at their own path: programs in them find the rest from where they are."""

_CACHES = frozenset({b".cache", b".vite", b".vite-temp", b".vitest"})


def plan_entry_links(source: bytes, target: bytes) -> Iterator[Link]:
    """Yield one link per entry of ``source``, to the same name below ``target``."""
    for name in _list_names(source):
        yield name, target + b"/" + name


def plan_package_links(source: bytes, target: bytes, root: bytes) -> Iterator[Link]:
    """Yield one link per package of the node_modules at ``source``, also within scopes; not in MOUNTED folders.

    The links lead below ``target``. A link of the original to the repository's own files (a workspace's package, below
    ``root``) or into a store keeps its relative text, so that it leads into the checkout: the stores are there as well,
    as folders of their own. Caches are left out.
    """
    for name in _list_names(source):
        if name in _CACHES or name in MOUNTED:
            continue
        inner = source + b"/" + name
        if name.startswith(b"@") and os.path.isdir(inner) and not os.path.islink(inner):
            yield name, None
            for entry in _list_names(inner):
                path = name + b"/" + entry
                yield path, _find_workspace_link(source, path, root) or target + b"/" + path
        else:
            yield name, _find_workspace_link(source, name, root) or target + b"/" + name


def _find_workspace_link(source: bytes, path: bytes, root: bytes) -> bytes | None:
    link = source + b"/" + path
    if not os.path.islink(link):
        return None
    place = os.path.realpath(link)
    real_root = os.path.realpath(root)
    if not is_below(os.fsdecode(place), os.fsdecode(real_root)):
        return None
    inside = place[len(real_root) + 1 :].split(b"/")
    if b"node_modules" in inside and not (place != link and _leads_through_store(inside)):
        return None
    return os.path.relpath(place, os.path.dirname(os.path.realpath(source) + b"/" + path))


def _leads_through_store(parts: list[bytes]) -> bool:
    return any(parts[index - 1] == b"node_modules" and part in STORES for index, part in enumerate(parts) if index)


def make_links(folder: bytes, links: Callable[[], Iterator[Link]]) -> None:
    """Create ``folder`` and write the links into it."""
    os.makedirs(folder, 0o755, exist_ok=True)
    for path, text in links():
        if text is None:
            os.mkdir(folder + b"/" + path, 0o755)
        else:
            os.symlink(text, folder + b"/" + path)


def _list_names(folder: bytes) -> list[bytes]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
