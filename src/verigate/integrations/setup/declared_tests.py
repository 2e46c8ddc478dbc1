"""Declare the commands that run a repository's tests, linters and build in config/adapters.json."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from verigate.errors import ConfigError, Fault, UsageError
from verigate.formats import strict_json

ADAPTERS_FILE = "config/adapters.json"
ADAPTER = "code"
KEY = "tests"


class Declaration(Struct, frozen=True):
    """The content of config/adapters.json with a command added; ``command`` is it as words."""

    path: str
    content: str
    command: tuple[str, ...]


def declare_tests(root: Path, line: str) -> Declaration:
    """Add the command ``line`` (words as a shell splits them; no shell runs it) to those of the code adapter.

    Its exit code decides: another format is chosen by hand. Raises UsageError for a line that can't be split or is
    empty, ConfigError where the present file can't be read.
    """
    try:
        words = shlex.split(line)
    except ValueError as problem:
        raise UsageError(f"the command can't be split into words: {problem}", where=line) from None
    if not words:
        raise UsageError("the command is empty", hint="for example --tests 'make check'")
    return declare_command(root, KEY, words)


def declare_command(root: Path, key: str, words: Sequence[str]) -> Declaration:
    """Add a command to those below ``key`` of the code adapter; its exit code decides.

    Raises ConfigError where the present file can't be read.
    """
    words = list(words)
    document = _read(root)
    entry = document.setdefault(ADAPTER, {})
    declared = entry.setdefault(key, []) if isinstance(entry, dict) else None
    if not isinstance(declared, list):
        raise ConfigError([Fault("this isn't a list of commands", file=ADAPTERS_FILE, pointer=f"/{ADAPTER}/{key}")])
    if not any(isinstance(item, dict) and item.get("command") == words for item in declared):
        declared.append({"command": words, "format": "exit-code"})
    content = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return Declaration(ADAPTERS_FILE, content, tuple(words))


def _read(root: Path) -> dict[str, Any]:
    try:
        content = (root / ADAPTERS_FILE).read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as problem:
        raise ConfigError([Fault(f"it can't be read: {problem.strerror}", file=ADAPTERS_FILE)]) from problem
    try:
        document = strict_json.loads(content)
    except strict_json.StrictJsonError as problem:
        raise ConfigError([problem.to_fault(ADAPTERS_FILE)]) from problem
    if not isinstance(document, dict):
        raise ConfigError([Fault("this isn't an object", file=ADAPTERS_FILE)])
    return document


def read_declared(document: Any, key: str) -> Sequence[str]:
    """Read the names of the commands declared below ``key`` of the code adapter's configuration."""
    entry = document.get(ADAPTER) if isinstance(document, dict) else None
    listed = entry.get(key) if isinstance(entry, dict) else None
    commands = (
        [item.get("command") for item in listed or () if isinstance(item, dict)] if isinstance(listed, list) else []
    )
    return [PurePosixPath(command[0]).name for command in commands if isinstance(command, list) and command]


def read_excluded(document: Any) -> frozenset[str]:
    """Read the names of the tools that the code adapter's configuration excludes, each with a reason."""
    entry = document.get(ADAPTER) if isinstance(document, dict) else None
    listed = entry.get("excluded") if isinstance(entry, dict) else None
    items = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return frozenset(item["what"] for item in items if isinstance(item.get("what"), str))
