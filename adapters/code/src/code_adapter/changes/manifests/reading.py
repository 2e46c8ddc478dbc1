"""Choose the reader of a file by its path, and compare the pins of both sides of a change."""

from __future__ import annotations

import configparser
import fnmatch
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError

from code_adapter.changes.manifests import compiled, npm, python, services, versions
from code_adapter.changes.manifests.pin import Read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from code_adapter.syntax.changes import ChangedFile, Side

_READERS: tuple[tuple[str, Read], ...] = (
    *python.READERS,
    *npm.READERS,
    *compiled.READERS,
    *services.READERS,
    *versions.READERS,
)
_LOCKS = frozenset(
    {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "package-lock.json", "npm-shrinkwrap.json"}
    | {"pnpm-lock.yaml", "yarn.lock", "Cargo.lock", "go.sum", "bun.lock", "bun.lockb", "Gemfile.lock"}
    | {"composer.lock", "gradle.lockfile", "flake.lock", "deno.lock"}
)

Pins = Mapping[tuple[str, str, str], frozenset[tuple[str, str]]]
"""Role, ecosystem and name -> versions with their remarks."""


def is_lock(path: str) -> bool:
    """Whether a package manager writes this file."""
    return PurePosixPath(path).name in _LOCKS


@cache
def find_reader(path: str) -> Read | None:
    """Find what reads this file; None if it pins nothing that is known."""
    name = PurePosixPath(path).name
    return next(
        (read for pattern, read in _READERS if fnmatch.fnmatchcase(path if "/" in pattern else name, pattern)), None
    )


def compare_pins(files: Iterable[ChangedFile]) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Compare the pins of each changed file; return the entries of changes.json, and the files that can't be read."""
    found: list[dict[str, Any]] = []
    unread: list[dict[str, str]] = []
    for file in files:
        if all(side is None or find_reader(side.path) is None for side in (file.before, file.after)):
            continue
        try:
            before, after = _read_side(file.before), _read_side(file.after)
        except UNREADABLE as error:
            unread.append({"path": file.path, "why": f"not the document it should be: {error}"[:300]})
            continue
        found += _compare(file.path, before, after)
    return sorted(found, key=lambda each: (each["role"], each["name"], each["path"], each["ecosystem"])), unread


UNREADABLE = (
    configparser.Error,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    ParseError,
    RecursionError,
)
"""What readers raise for a document of another shape; json's and tomllib's errors are of ValueError."""


def _read_side(side: Side | None) -> Pins:
    if side is None:
        return {}
    if side.content is None:
        raise ValueError(side.why or "not a file")
    read = find_reader(side.path)
    pins: dict[tuple[str, str, str], set[tuple[str, str]]] = defaultdict(set)
    for pin in read(side.content.decode("utf-8-sig", "replace")) if read is not None else ():
        if pin.name or pin.role == "own":
            pins[pin.role, pin.ecosystem, pin.name].add((pin.version, pin.remark))
    return {key: frozenset(versions) for key, versions in pins.items()}


def _compare(path: str, before: Pins, after: Pins) -> Iterator[dict[str, Any]]:
    for key in before.keys() | after.keys():
        old, new = before.get(key, frozenset()), after.get(key, frozenset())
        if old == new:
            continue
        role, ecosystem, name = key
        gone, come = sorted(old - new), sorted(new - old)
        yield {
            "role": role,
            "ecosystem": ecosystem,
            "name": name,
            "path": path,
            "change": "added" if not old else "removed" if not new else "changed",
            "from": [version for version, _ in gone],
            "to": [version for version, _ in come],
            "from_remarks": [remark for _, remark in gone if remark],
            "to_remarks": [remark for _, remark in come if remark],
            "locked": is_lock(path),
        }
