"""Packages of workspaces of npm, yarn, pnpm and lerna.

Sources: https://docs.npmjs.com/cli/using-npm/workspaces, https://pnpm.io/pnpm-workspace_yaml,
https://yarnpkg.com/features/workspaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from code_adapter.packages.manifest_tree import (
    ManifestTree,
    join,
    matches,
    parent,
    require_patterns,
    require_table,
    require_text,
    resolve,
)
from code_adapter.packages.package import FoundPackages, Package

KIND = "npm"
_MANIFEST = "package.json"
_PNPM = "pnpm-workspace.yaml"
_LERNA = "lerna.json"
_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_FORCED = ("overrides", "resolutions")
_ALIAS = re.compile(r"(?:npm|workspace):((?:@[^/@]+/)?[^/@~^*]+)(?:@|$)")
_PATH = re.compile(r"(?:file|link|portal|workspace):(?://)?([./][^#]*)")


def find_node_packages(tree: ManifestTree) -> FoundPackages:
    """Find the packages of all workspaces. What their root needs concerns all of them: it is installed for all.

    Raises UnclearPackagesError.
    """
    packages: dict[str, Package] = {}
    wide: dict[str, str] = {}
    wide_paths: dict[str, str] = {}
    for root, patterns in _find_roots(tree):
        if tree.has(root, _MANIFEST):
            package = _read(tree, root)
            packages[root] = package
            why = f"{join(root, _MANIFEST)} of the workspace needs it"
            names, paths = _read_forced(tree, root)
            wide |= dict.fromkeys(package.needs | names, why)
            wide_paths |= dict.fromkeys(package.needs_paths | paths, why)
        cut = len(root) + 1 if root else 0
        for folder in tree.folders(_MANIFEST, root):
            if folder != root and folder not in packages and _is_member(folder[cut:], patterns):
                packages[folder] = _read(tree, folder)
    return FoundPackages(tuple(packages.values()), wide, wide_paths)


def _find_roots(tree: ManifestTree) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the folder of each workspace with its patterns."""
    for path in tree.projects(_MANIFEST):
        folder = parent(path)
        if tree.has(folder, _PNPM) or '"workspaces"' not in tree.text(path):
            continue
        declared = tree.json(path).get("workspaces")
        if isinstance(declared, dict):
            declared = declared.get("packages")
        yield folder, require_patterns(declared, path, "workspaces")
    for path in tree.projects(_PNPM):
        yield parent(path), require_patterns(tree.yaml(path).get("packages"), path, "packages")
    for path in tree.projects(_LERNA):
        if (declared := tree.json(path).get("packages")) is not None:
            yield parent(path), require_patterns(declared, path, "packages")


def _is_member(place: str, patterns: tuple[str, ...]) -> bool:
    kept = any(matches(place, word) for word in patterns if not word.startswith("!"))
    return kept and not any(matches(place, word[1:]) for word in patterns if word.startswith("!"))


def _read(tree: ManifestTree, folder: str) -> Package:
    path = join(folder, _MANIFEST)
    document = tree.json(path)
    names: set[str] = set()
    paths: set[str] = set()
    for table in _TABLES:
        for key, value in require_table(document.get(table), path, table).items():
            names.add(key)
            _add(folder, require_text(value, path, f"{table} {key}"), names, paths)
    name = require_text(document.get("name"), path, "name")
    return Package(KIND, folder, name, frozenset(names), frozenset(paths))


def _add(folder: str, value: str, names: set[str], paths: set[str]) -> None:
    """Add what the range of a dependency names: ``npm:name@1``, ``workspace:name@*``, ``file:../name``."""
    if alias := _ALIAS.match(value):
        names.add(alias[1])
    if (found := _PATH.match(value)) and (place := resolve(folder, found[1])) is not None:
        paths.add(place)


def _read_forced(tree: ManifestTree, root: str) -> tuple[set[str], set[str]]:
    """Read what the root of a workspace puts in the place of packages that others need."""
    names: set[str] = set()
    paths: set[str] = set()
    document = tree.json(join(root, _MANIFEST))
    tables: list[Any] = [document.get(key) for key in _FORCED]
    tables.append(require_table(document.get("pnpm"), join(root, _MANIFEST), "pnpm").get("overrides"))
    if tree.has(root, _PNPM):
        settings = tree.yaml(join(root, _PNPM))
        tables += [settings.get("overrides"), settings.get("catalog"), settings.get("catalogs")]
    waiting = [table for table in tables if isinstance(table, Mapping)]
    while waiting:
        for key, value in waiting.pop().items():
            names.add(re.sub(r"(?<=.)@[^/]*$", "", str(key).rpartition(">")[2].strip()))
            if isinstance(value, Mapping):
                waiting.append(value)
            elif isinstance(value, str):
                _add(root, value, names, paths)
    return names, paths
