"""Which packages need which: of one tree, or of two trees together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from code_adapter.packages.cargo_packages import find_cargo_packages
from code_adapter.packages.go_packages import find_go_packages
from code_adapter.packages.manifest_tree import ManifestTree, UnclearPackagesError, parent
from code_adapter.packages.node_packages import find_node_packages
from code_adapter.packages.package import FoundPackages, Package
from code_adapter.packages.python_packages import find_python_packages
from verigate.sdk import path_text

_FINDERS = (find_node_packages, find_python_packages, find_cargo_packages, find_go_packages)


@dataclass(frozen=True)
class PackageGraph:
    """Packages by their folders. One of several kinds has what each of its manifests says.

    ``needs`` are the folders of packages that a package needs, ``wide`` says of packages why they concern all others.
    """

    needs: Mapping[str, frozenset[str]]
    wide: Mapping[str, str]

    @cached_property
    def users(self) -> Mapping[str, frozenset[str]]:
        """The packages that need a package, by its folder."""
        found: dict[str, set[str]] = {folder: set() for folder in self.needs}
        for folder, needed in self.needs.items():
            for each in needed:
                found[each].add(folder)
        return {folder: frozenset(users) for folder, users in found.items()}

    def find_owner(self, path: str) -> str | None:
        """Return the innermost package that ``path`` is in, or is the folder of; None for the root's and others."""
        folder = path
        while folder:
            if folder in self.needs:
                return folder
            folder = parent(folder)
        return None

    def find_affected(self, paths: Iterable[str]) -> frozenset[str]:
        """Find the packages of ``paths`` and all that need them, one by another.

        A package at the root contains what is outside of others, and is always among them. Raises
        UnclearPackagesError, with the reason, if that may be all.
        """
        waiting = []
        for path in sorted(paths):
            if (owner := self.find_owner(path)) is None:
                raise UnclearPackagesError(f"{path_text(path)} changed, outside of every package")
            waiting.append(owner)
        found: set[str] = set()
        while waiting:
            folder = waiting.pop()
            if folder in found:
                continue
            if why := self.wide.get(folder):
                raise UnclearPackagesError(f"{path_text(folder)} concerns all packages: {why}")
            found.add(folder)
            waiting += self.users[folder]
        return frozenset(found | {folder for folder in self.needs if not folder})

    def find_needed(self, folders: Iterable[str]) -> frozenset[str]:
        """Find these packages and all that they need, one by another."""
        waiting, found = list(folders), set[str]()
        while waiting:
            folder = waiting.pop()
            if folder not in found:
                found.add(folder)
                waiting += self.needs[folder]
        return frozenset(found)


def read_graph(tree: ManifestTree) -> PackageGraph:
    """Read the packages of ``tree``. Raises UnclearPackagesError for manifests that can't be read."""
    return make_graph([finder(tree) for finder in _FINDERS])


def make_graph(found: Iterable[FoundPackages]) -> PackageGraph:
    """Connect packages by names and paths. One that contains others needs these: its files may name theirs."""
    found = list(found)
    packages = [package for kind in found for package in kind.packages]
    bare = PackageGraph({package.folder: frozenset() for package in packages}, {})
    needs: dict[str, set[str]] = {folder: set() for folder in bare.needs}
    wide: dict[str, str] = {}
    for kind in found:
        places: dict[str, list[str]] = {}
        for package in kind.packages:
            places.setdefault(package.name, []).append(package.folder)
        for package in kind.packages:
            needs[package.folder] |= _connect(package, places, bare)
        wide |= {folder: why for name, why in kind.wide.items() for folder in places.get(name, ())}
        wide |= {owner: why for path, why in kind.wide_paths.items() if (owner := bare.find_owner(path)) is not None}
    for folder in bare.needs:
        if folder and (above := bare.find_owner(parent(folder))) is not None:
            needs[above].add(folder)
    return PackageGraph({folder: frozenset(each - {folder}) for folder, each in needs.items()}, wide)


def _connect(package: Package, places: Mapping[str, list[str]], bare: PackageGraph) -> set[str]:
    if package.unknown:
        return set(bare.needs)
    found = {folder for name in package.needs for folder in places.get(name, ())}
    return found | {owner for path in package.needs_paths if (owner := bare.find_owner(path)) is not None}


def unite(first: PackageGraph, second: PackageGraph) -> PackageGraph:
    """Unite two graphs: what one of both says counts. A change can't hide what was needed before it."""
    none: frozenset[str] = frozenset()
    folders = {*first.needs, *second.needs}
    needs = {folder: first.needs.get(folder, none) | second.needs.get(folder, none) for folder in folders}
    return PackageGraph(needs, {**first.wide, **second.wide})


def add_needs(graph: PackageGraph, more: Iterable[tuple[str, str]]) -> PackageGraph:
    """Add pairs of a package and one that it needs."""
    needs = {folder: set(each) for folder, each in graph.needs.items()}
    for folder, needed in more:
        needs[folder] |= {needed} - {folder}
    return PackageGraph({folder: frozenset(each) for folder, each in needs.items()}, graph.wide)
