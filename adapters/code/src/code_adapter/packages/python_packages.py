"""Packages of uv's workspaces, and those that its sources name by path.

Source: https://docs.astral.sh/uv/concepts/projects/workspaces/.
"""

from __future__ import annotations

import re
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

KIND = "python"
_MANIFEST = "pyproject.toml"
_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")
_FILE = re.compile(r"@\s*(?:file:)?(?://)?(\.[^\s;]*)")


def find_python_packages(tree: ManifestTree) -> FoundPackages:
    """Find the members of all workspaces, projects with sources by path, and these sources.

    Raises UnclearPackagesError.
    """
    packages: dict[str, Package] = {}
    waiting: list[str] = []
    for path in tree.projects(_MANIFEST):
        text = tree.text(path)
        if "workspace" not in text and "sources" not in text:
            continue
        folder, uv = parent(path), _get_uv(tree, path)
        if uv.get("workspace") is not None:
            waiting += [folder, *_list_members(tree, folder, require_table(uv["workspace"], path, "workspace"))]
        if _read_sources(folder, uv, path)[1]:
            waiting.append(folder)
    while waiting:
        folder = waiting.pop()
        if folder in packages or not tree.has(folder, _MANIFEST):
            continue
        packages[folder] = package = _read(tree, folder)
        waiting += package.needs_paths
    return FoundPackages(tuple(packages.values()))


def _get_uv(tree: ManifestTree, path: str) -> Mapping[str, Any]:
    tool = require_table(tree.toml(path).get("tool"), path, "tool")
    return require_table(tool.get("uv"), path, "tool.uv")


def _list_members(tree: ManifestTree, root: str, workspace: Mapping[str, Any]) -> Iterator[str]:
    path = join(root, _MANIFEST)
    wanted = require_patterns(workspace.get("members"), path, "members")
    excluded = require_patterns(workspace.get("exclude"), path, "exclude")
    cut = len(root) + 1 if root else 0
    for folder in tree.folders(_MANIFEST, root):
        place = folder[cut:]
        is_wanted = folder != root and any(matches(place, word) for word in wanted)
        if is_wanted and not any(matches(place, word) for word in excluded):
            yield folder


def _read(tree: ManifestTree, folder: str) -> Package:
    path = join(folder, _MANIFEST)
    document = tree.toml(path)
    project = require_table(document.get("project"), path, "project")
    uv = _get_uv(tree, path)
    lines = list(_list_requirements(document, project, uv, path))
    names = {normalise(match[1]) for line in lines if (match := _NAME.match(line))}
    if odd := next((line for line in lines if not _NAME.match(line)), None):
        raise UnclearPackagesError(f"{path}: {odd!r} isn't a requirement")
    sources, paths = _read_sources(folder, uv, path)
    paths |= {place for line in lines if (found := _FILE.search(line)) and (place := resolve(folder, found[1]))}
    poetry, more = _read_poetry(document, folder, path)
    name = require_text(project.get("name"), path, "name")
    dynamic = require_texts(project.get("dynamic"), path, "dynamic")
    unknown = ""
    if "dependencies" in dynamic or "optional-dependencies" in dynamic:
        unknown = f"{path} leaves its dependencies to other files"
    elif not project and not poetry and folder and not _is_virtual(document):
        unknown = f"{path} doesn't list its dependencies"
    return Package(KIND, folder, normalise(name), frozenset(names | sources | poetry), frozenset(paths | more), unknown)


def _is_virtual(document: Mapping[str, Any]) -> bool:
    return "dependency-groups" in document


def normalise(name: str) -> str:
    """Normalise a name by PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _list_requirements(
    document: Mapping[str, Any], project: Mapping[str, Any], uv: Mapping[str, Any], path: str
) -> Iterator[str]:
    yield from require_texts(project.get("dependencies"), path, "dependencies")
    for key, value in require_table(project.get("optional-dependencies"), path, "optional-dependencies").items():
        yield from require_texts(value, path, key)
    for key, value in require_table(document.get("dependency-groups"), path, "dependency-groups").items():
        if not isinstance(value, list):
            raise UnclearPackagesError(f"{path}: the group {key} isn't a list")
        yield from require_texts([item for item in value if not isinstance(item, dict)], path, key)
    build = require_table(document.get("build-system"), path, "build-system")
    yield from require_texts(build.get("requires"), path, "requires")
    yield from require_texts(uv.get("dev-dependencies"), path, "dev-dependencies")


def _read_sources(folder: str, uv: Mapping[str, Any], path: str) -> tuple[set[str], set[str]]:
    """Read the names and folders that ``tool.uv.sources`` takes from the repository."""
    names: set[str] = set()
    paths: set[str] = set()
    for key, value in require_table(uv.get("sources"), path, "sources").items():
        for entry in value if isinstance(value, list) else [value]:
            source = require_table(entry, path, f"sources {key}")
            if source.get("workspace"):
                names.add(normalise(key))
            place = require_text(source.get("path"), path, f"sources {key} path")
            if place and (found := resolve(folder, place)) is not None:
                paths.add(found)
    return names, paths


def _read_poetry(document: Mapping[str, Any], folder: str, path: str) -> tuple[set[str], set[str]]:
    """Read the names and folders of poetry's tables of dependencies."""
    tool = require_table(document.get("tool"), path, "tool")
    poetry = require_table(tool.get("poetry"), path, "tool.poetry")
    groups = require_table(poetry.get("group"), path, "group")
    tables = [poetry.get("dependencies"), poetry.get("dev-dependencies")]
    tables += [require_table(group, path, key).get("dependencies") for key, group in groups.items()]
    names: set[str] = set()
    paths: set[str] = set()
    for table in tables:
        for key, value in require_table(table, path, "dependencies").items():
            names.add(normalise(key))
            for entry in value if isinstance(value, list) else [value]:
                place = entry.get("path") if isinstance(entry, dict) else None
                if isinstance(place, str) and (found := resolve(folder, place)) is not None:
                    paths.add(found)
    return names, paths
