"""npm: package.json, and the lock files of npm, pnpm and Yarn.

Sources: the manuals of npm ("package-lock.json") and pnpm, and Yarn's lock files, versions 1 and later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from code_adapter.changes.manifests.pin import Pin, Read
from verigate.sdk.yaml_documents import load_documents

_SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "resolutions", "overrides")
_YARN_HEAD = re.compile(r'^"?((?:@[^@/"]+/)?[^@"]+)@')
_YARN_VERSION = re.compile(r'^  version:? "?([^"\s]+)"?$')
_PNPM_KEY = re.compile(r"/?((?:@[^@/]+/)?[^@/]+)[@/](\d[^()_]*)")


def _read_package(source: str) -> Iterator[Pin]:
    document = json.loads(source)
    for section in _SECTIONS:
        for name, version in (document.get(section) or {}).items():
            if isinstance(version, str):
                yield Pin("npm", name, version)
    for name, version in (document.get("engines") or {}).items():
        yield Pin("runtime", name, str(version), "runtime")
    manager = str(document.get("packageManager") or "")
    if "@" in manager:
        name, _, version = manager.rpartition("@")
        yield Pin("npm", name, version.partition("+")[0])
    if isinstance(document.get("volta"), dict):
        for name, version in document["volta"].items():
            yield Pin(
                "runtime" if name == "node" else "npm",
                name,
                str(version),
                "runtime" if name == "node" else "dependency",
            )
    if document.get("version"):
        yield Pin("own", str(document.get("name", "")), str(document["version"]), "own")


def _read_package_lock(source: str) -> Iterator[Pin]:
    document = json.loads(source)
    packages: dict[str, Any] = document.get("packages") or {}
    for path, entry in packages.items():
        name = path.rpartition("node_modules/")[2]
        if path and "node_modules/" in path and "version" in entry and not entry.get("link"):
            yield Pin("npm", name, str(entry["version"]))
    if not packages:
        yield from _of_old_lock(document.get("dependencies") or {}, 0)


def _of_old_lock(entries: dict[str, Any], depth: int) -> Iterator[Pin]:
    for name, entry in entries.items():
        yield Pin("npm", name, str(entry.get("version", "")))
        if depth < 20:
            yield from _of_old_lock(entry.get("dependencies") or {}, depth + 1)


def _read_pnpm(source: str) -> Iterator[Pin]:
    for document in load_documents(source):
        for key in document.get("packages") or ():
            if found := _PNPM_KEY.match(str(key)):
                yield Pin("npm", found[1], found[2])


def _read_workspace(source: str) -> Iterator[Pin]:
    for document in load_documents(source):
        catalogs = [document.get("catalog"), *(document.get("catalogs") or {}).values()]
        for catalog in catalogs:
            for name, version in (catalog or {}).items():
                yield Pin("npm", name, str(version))


def _read_yarn(source: str) -> Iterator[Pin]:
    name = ""
    for line in source.splitlines():
        if line and not line.startswith((" ", "#")):
            head = _YARN_HEAD.match(line)
            name = head[1] if head else ""
        elif name and (found := _YARN_VERSION.match(line)):
            yield Pin("npm", name, found[1])


READERS: tuple[tuple[str, Read], ...] = (
    ("package.json", _read_package),
    ("package-lock.json", _read_package_lock),
    ("npm-shrinkwrap.json", _read_package_lock),
    ("pnpm-lock.yaml", _read_pnpm),
    ("pnpm-workspace.yaml", _read_workspace),
    ("yarn.lock", _read_yarn),
)
