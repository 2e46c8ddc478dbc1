"""A bounded scan of an unknown repository: names and small files, nothing executed, no link followed."""

from __future__ import annotations

import configparser
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field

from verigate.formats.visible import format_path
from verigate.subject.git_query import read_git_lines

MAX_ENTRIES = 50_000
MAX_DEPTH = 32
"""Packages of Java alone are eight folders deep where a project has modules."""

MAX_BYTES = 1_048_576

_SKIPPED = frozenset(
    {"node_modules", "venv", "env", "target", "dist", "build", "vendor", "site-packages", "__pycache__", "third_party"}
)


class Scan(Struct, frozen=True):
    """The files of a repository, as sorted paths relative to ``root``, without dependency folders and links.

    ``notes`` report what could not be scanned.
    """

    root: Path
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    """File name -> the shortest path that has it."""

    def find_first(self, *names: str) -> str | None:
        """Return the path of the first of these names that exists, nearest to the root."""
        return next((self.names[name] for name in names if name in self.names), None)

    def find_suffix(self, *suffixes: str) -> str | None:
        """Return the first path with one of these suffixes, without hidden files, which configure tools."""
        return next((path for path in self.find_matching(r"(?s)[^.].*") if path.endswith(suffixes)), None)

    def find_matching(self, pattern: str) -> Iterator[str]:
        """Yield paths whose file name matches the regular expression."""
        compiled = re.compile(pattern)
        return (path for path in self.files if compiled.fullmatch(PurePosixPath(path).name))

    def read(self, path: str) -> bytes:
        """Read the first MiB of a regular file below the root; nothing of an unreadable one."""
        try:
            descriptor = os.open(self.root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return b""
        with os.fdopen(descriptor, "rb") as stream:
            return stream.read(MAX_BYTES) if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else b""

    def read_text(self, path: str | None) -> str:
        """Read a file as text; empty if it doesn't exist."""
        return "" if path is None else self.read(path).decode("utf-8", "replace")

    def read_table(self, path: str | None) -> dict[str, Any]:
        """Read a .toml, .json, .ini or .cfg file as a mapping; empty if it doesn't exist or can't be parsed."""
        if path is None:
            return {}
        try:
            value = _parse(path, self.read_text(path))
        except (ValueError, RecursionError, configparser.Error):
            return {}
        return value if isinstance(value, dict) else {}


def _parse(path: str, text: str) -> Any:
    if path.endswith(".toml"):
        return tomllib.loads(text)
    if path.endswith(".json"):
        return json.loads(text)
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    return {section: dict(parser[section]) for section in parser.sections()}


def scan_repository(root: Path) -> Scan:
    """Scan the repository at ``root``. Stops after 50,000 entries or 32 levels, and reports that in the notes.

    What git ignores, such as a report of coverage, is no part of the repository.
    """
    ignored = frozenset(
        path.rstrip("/")
        for path in read_git_lines(
            root, os.environ, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory"
        )
    )
    files: list[str] = []
    notes: list[str] = []
    seen = 0
    folders = [("", 0)]
    while folders:
        prefix, depth = folders.pop(0)
        try:
            with os.scandir(root / prefix) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            notes.append(f"{format_path(prefix) or '.'} can't be read")
            continue
        for entry in found:
            seen += 1
            path = f"{prefix}{entry.name}"
            if path in ignored:
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name in _SKIPPED or entry.name.startswith("."):
                    continue
                if depth < MAX_DEPTH:
                    folders.append((f"{path}/", depth + 1))
                else:
                    notes.append(f"{format_path(path)} is too deep to be scanned")
            elif entry.is_file(follow_symlinks=False):
                files.append(path)
        if seen > MAX_ENTRIES:
            notes.append(f"only the first {seen} entries were scanned")
            break
    names: dict[str, str] = {}
    for path in files:
        names.setdefault(path.rpartition("/")[2], path)
    return Scan(root, tuple(sorted(files)), tuple(notes), names)
