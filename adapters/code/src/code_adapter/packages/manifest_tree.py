"""The manifests of one tree, read strictly: what can't be read could hide a package or what it needs."""

from __future__ import annotations

import fnmatch
import json
import posixpath
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from code_adapter.subject_files import NOT_PROJECTS
from verigate.sdk import path_text

MANIFESTS = ("package.json", "pnpm-workspace.yaml", "lerna.json", "pyproject.toml", "Cargo.toml", "go.mod", "go.work")
"""Names of files that say which packages there are and what they need."""

_MOST_PATTERNS = 1000
_UNKNOWN_SYNTAX = frozenset("{}()|+@")
_STARS = "**"


class UnclearPackagesError(Exception):
    """Nobody can say which packages there are, or what they need; the message says why."""


@dataclass(frozen=True)
class ManifestTree:
    """The regular files ``paths`` of a tree. ``read`` returns the content of one; it raises UnclearPackagesError."""

    paths: Collection[str]
    read: Callable[[str], bytes] = field(repr=False)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        """The paths of manifests by their file's name, outside of ``node_modules``."""
        found: dict[str, list[str]] = {name: [] for name in MANIFESTS}
        for path in self.paths:
            name = path.rpartition("/")[2]
            if name in found and "node_modules" not in path.split("/"):
                found[name].append(path)
        return {name: tuple(sorted(paths)) for name, paths in found.items()}

    def projects(self, name: str) -> tuple[str, ...]:
        """Return the paths of the manifests ``name`` outside of folders of test data and of others' code."""
        return tuple(path for path in self.by_name[name] if NOT_PROJECTS.isdisjoint(path.split("/")[:-1]))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(path for paths in self.by_name.values() for path in paths)

    def has(self, folder: str, name: str) -> bool:
        """Whether the manifest ``name`` is in ``folder``."""
        return join(folder, name) in self._known

    def folders(self, name: str, below: str) -> Iterator[str]:
        """Yield the folders below ``below``, and itself, that have the manifest ``name``."""
        prefix = f"{below}/" if below else ""
        return (parent(path) for path in self.by_name[name] if path.startswith(prefix))

    def text(self, path: str) -> str:
        """Read ``path``. Raises UnclearPackagesError, also for what isn't UTF-8."""
        try:
            return self.read(path).decode("utf-8")
        except UnicodeDecodeError:
            raise _make_error(path, "isn't UTF-8") from None

    def json(self, path: str) -> Mapping[str, Any]:
        """Read a JSON object. Raises UnclearPackagesError."""
        try:
            value = json.loads(self.text(path))
        except (ValueError, RecursionError):
            raise _make_error(path, "isn't JSON") from None
        return require_table(value, path, "the file")

    def toml(self, path: str) -> Mapping[str, Any]:
        """Read a TOML file. Raises UnclearPackagesError."""
        try:
            return tomllib.loads(self.text(path))
        except (ValueError, RecursionError):
            raise _make_error(path, "isn't TOML") from None

    def yaml(self, path: str) -> Mapping[str, Any]:
        """Read a YAML mapping. Raises UnclearPackagesError."""
        import yaml  # workspaces of pnpm alone need it

        try:
            value = yaml.safe_load(self.text(path))
        except (yaml.YAMLError, ValueError, RecursionError, TypeError, KeyError):
            raise _make_error(path, "isn't YAML") from None
        return require_table(value, path, "the file")


def join(folder: str, name: str) -> str:
    """Join paths of the repository; "" is the root."""
    return f"{folder}/{name}" if folder else name


def parent(path: str) -> str:
    """Return the folder of ``path``; "" is the root."""
    return path.rpartition("/")[0]


def resolve(folder: str, path: str) -> str | None:
    """Resolve a relative ``path`` from ``folder``; None for one outside of the repository."""
    found = posixpath.normpath(posixpath.join("/", folder, path)) if not path.startswith("/") else None
    depth = 0
    for part in (*folder.split("/"), *path.split("/")):
        depth += 0 if part in {"", "."} else -1 if part == ".." else 1
        if depth < 0:
            return None
    return None if found is None else found.strip("/")


def require_table(value: object, path: str, what: str) -> Mapping[str, Any]:
    """Return ``value`` if it is a mapping with text as keys, {} for None. Raises UnclearPackagesError."""
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise _make_error(path, f"{what} isn't a table")
    return value


def require_texts(value: object, path: str, what: str) -> tuple[str, ...]:
    """Return ``value`` if it is a list of texts, () for None. Raises UnclearPackagesError."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _make_error(path, f"{what} isn't a list of texts")
    return tuple(value)


def require_text(value: object, path: str, what: str) -> str:
    """Return ``value`` if it is text, "" for None. Raises UnclearPackagesError."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _make_error(path, f"{what} isn't text")
    return value


def require_patterns(value: object, path: str, what: str) -> tuple[str, ...]:
    """Return a list of glob patterns that ``matches`` understands. Raises UnclearPackagesError."""
    found = require_texts(value, path, what)
    if len(found) > _MOST_PATTERNS:
        raise _make_error(path, f"{what} has more than {_MOST_PATTERNS} patterns")
    if odd := next((word for word in found if not _UNKNOWN_SYNTAX.isdisjoint(word) or "\\" in word), None):
        raise _make_error(path, f"{what} has the pattern {odd!r}, whose syntax isn't known here")
    return found


def matches(place: str, pattern: str) -> bool:
    """Whether a folder matches a glob pattern, part by part; ``**`` stands for any number of parts."""
    parts = [part for part in place.split("/") if part]
    words = [word for word in pattern.split("/") if word not in {"", "."}]
    return _match(parts, words)


def _match(parts: Sequence[str], words: Sequence[str]) -> bool:
    # One row for each word: which numbers of parts the words so far can take. Never exponential.
    row = [True, *(False for _ in parts)]
    for word in words:
        if word == _STARS:
            first = next((number for number, taken in enumerate(row) if taken), len(row))
            row = [number >= first for number in range(len(row))]
        else:
            row = [
                False,
                *(taken and fnmatch.fnmatchcase(part, word) for taken, part in zip(row[:-1], parts, strict=True)),
            ]
    return row[-1]


def _make_error(path: str, why: str) -> UnclearPackagesError:
    return UnclearPackagesError(f"{path_text(path)}: {why}")
