"""Packages of Cargo's workspaces.

Source: https://doc.rust-lang.org/cargo/reference/workspaces.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from code_adapter.packages.manifest_tree import (
    ManifestTree,
    UnclearPackagesError,
    join,
    matches,
    parent,
    require_patterns,
    require_table,
    require_text,
    require_texts,
    resolve,
)
from code_adapter.packages.package import FoundPackages, Package

KIND = "cargo"
_MANIFEST = "Cargo.toml"
_TABLES = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")


def find_cargo_packages(tree: ManifestTree) -> FoundPackages:
    """Find the members of all workspaces. What is patched in concerns all. Raises UnclearPackagesError."""
    packages: dict[str, Package] = {}
    wide: dict[str, str] = {}
    wide_paths: dict[str, str] = {}
    for path in tree.projects(_MANIFEST):
        if "workspace" not in tree.text(path):
            continue
        root, document = parent(path), tree.toml(path)
        if "workspace" not in document:
            continue
        packages |= {package.folder: package for package in _read_workspace(tree, root, document)}
        names, paths = _read_patched(document, root, path)
        why = f"{path} patches it in"
        wide |= dict.fromkeys(names, why)
        wide_paths |= dict.fromkeys(paths, why)
    return FoundPackages(tuple(packages.values()), wide, wide_paths)


def _read_workspace(tree: ManifestTree, root: str, document: Mapping[str, Any]) -> Iterator[Package]:
    """Read the root package, the listed members, and what they need by path inside the workspace."""
    path = join(root, _MANIFEST)
    workspace = require_table(document["workspace"], path, "workspace")
    members = require_patterns(workspace.get("members"), path, "members")
    excluded = [resolve(root, word) for word in require_texts(workspace.get("exclude"), path, "exclude")]
    shared = require_table(workspace.get("dependencies"), path, "workspace.dependencies")
    cut = len(root) + 1 if root else 0
    waiting = [root] if "package" in document else []
    for folder in tree.folders(_MANIFEST, root):
        place = folder[cut:]
        if folder != root and any(matches(place, word) for word in members):
            listed = any(place == word.removeprefix("./").rstrip("/") for word in members)
            if listed or not _is_excluded(folder, excluded):
                waiting.append(folder)
    seen: set[str] = set()
    prefix = f"{root}/" if root else ""
    while waiting:
        folder = waiting.pop()
        if folder in seen or not tree.has(folder, _MANIFEST):
            continue
        seen.add(folder)
        package = _read(tree, folder, shared, root)
        yield package
        waiting += [
            each for each in package.needs_paths if each.startswith(prefix) and not _is_excluded(each, excluded)
        ]


def _is_excluded(folder: str, excluded: list[str | None]) -> bool:
    return any(word is not None and (folder == word or folder.startswith(f"{word}/")) for word in excluded)


def _read(tree: ManifestTree, folder: str, shared: Mapping[str, Any], root: str) -> Package:
    path = join(folder, _MANIFEST)
    document = tree.toml(path)
    own = require_table(document.get("package"), path, "package")
    name = require_text(own.get("name"), path, "name")
    if not name:
        raise UnclearPackagesError(f"{path}: the package has no name")
    names: set[str] = set()
    paths: set[str] = set()
    for table in _list_tables(document, path):
        for key, value in table.items():
            entry = _as_table(value, path, key)
            _add(folder, key, entry, path, names, paths)
            if entry.get("workspace"):
                _add(root, key, _as_table(shared.get(key, {}), path, key), path, names, paths)
    return Package(KIND, folder, normalise(name), frozenset(names), frozenset(paths))


def normalise(name: str) -> str:
    """Normalise a name: in Cargo ``-`` and ``_`` are the same."""
    return name.replace("_", "-")


def _as_table(value: object, path: str, key: str) -> Mapping[str, Any]:
    return {} if isinstance(value, str) else require_table(value, path, key)


def _add(  # noqa: PLR0917 - what an entry is read with
    folder: str, key: str, entry: Mapping[str, Any], path: str, names: set[str], paths: set[str]
) -> None:
    names |= {normalise(key), normalise(require_text(entry.get("package"), path, f"{key} package") or key)}
    place = require_text(entry.get("path"), path, f"{key} path")
    if place and (found := resolve(folder, place)) is not None:
        paths.add(found)


def _list_tables(document: Mapping[str, Any], path: str) -> Iterator[Mapping[str, Any]]:
    targets = require_table(document.get("target"), path, "target")
    for holder in (document, *(require_table(value, path, key) for key, value in targets.items())):
        yield from (require_table(holder.get(key), path, key) for key in _TABLES)


def _read_patched(document: Mapping[str, Any], root: str, path: str) -> tuple[set[str], set[str]]:
    """Read what takes the place of a package that also packages of others need."""
    names: set[str] = set()
    paths: set[str] = set()
    tables = [*require_table(document.get("patch"), path, "patch").values(), document.get("replace")]
    for table in tables:
        for key, value in require_table(table, path, "patch").items():
            entry = _as_table(value, path, key)
            if "path" in entry:
                _add(root, key.partition(":")[0], entry, path, names, paths)
    return names, paths
