"""What packages need by paths alone: symbolic links, and paths in their settings that lead out of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from code_adapter.packages.graph import PackageGraph
from code_adapter.packages.manifest_tree import ManifestTree, UnclearPackagesError, parent, resolve
from verigate.sdk import path_text

_SETTINGS = re.compile(
    r"package\.json|pyproject\.toml|Cargo\.toml|go\.mod|setup\.(?:py|cfg)|conftest\.py|build\.rs|Makefile|tox\.ini"
    r"|pytest\.ini|.*requirements.*\.(?:txt|in)|[tj]sconfig.*\.json|project\.json|\..*rc(?:\.\w+)?"
    r"|.*\.(?:config|setup|workspace|preset)\.[cm]?[jt]s(?:on)?"
)
"""Names of files that say how a package is built and tested."""

_UP = re.compile(r"(?:\.\./)+[\w@.+~/-]*\*?")


def is_settings(name: str) -> bool:
    """Whether a file of this name says how a package is built and tested."""
    return _SETTINGS.fullmatch(name) is not None


def read_path_needs(tree: ManifestTree, graph: PackageGraph) -> Iterator[tuple[str, str]]:
    """Yield pairs of a package and one that a path in its settings leads to; of a pattern, all that may be meant."""
    for path in tree.paths:
        if not is_settings(path.rpartition("/")[2]) or (owner := graph.find_owner(path)) is None:
            continue
        for word in set(_UP.findall(tree.read(path).decode("utf-8", "replace"))):
            place = resolve(parent(path), word.removesuffix("*"))
            if place is None:
                continue
            if (other := graph.find_owner(place)) is not None:
                yield owner, other
            elif word.endswith("*"):
                prefix = f"{place}/" if place else ""
                yield from ((owner, folder) for folder in graph.needs if folder.startswith(prefix))


def read_link_needs(links: Mapping[str, str], graph: PackageGraph) -> Iterator[tuple[str, str]]:
    """Yield pairs of a package and one that a symbolic link in it leads to. ``links`` are targets by path.

    Raises UnclearPackagesError for a link outside of every package that leads into one, or into a folder of several:
    any package may use it.
    """
    for path, target in sorted(links.items()):
        owner, place = graph.find_owner(parent(path)), resolve(parent(path), target)
        if place is None:
            continue
        other = graph.find_owner(place)
        if owner is not None and other is not None:
            yield owner, other
        elif owner is None and other is not None:
            raise UnclearPackagesError(f"{path_text(path)} links into {path_text(other)}, outside of every package")
        elif any(folder.startswith(f"{place}/") or not place for folder in graph.needs):
            raise UnclearPackagesError(f"{path_text(path)} links to a folder of packages")
