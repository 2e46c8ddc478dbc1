"""What a call of an agent's tool would run and write, by the names that hosts' tools have for it.

Apart from the hosts, since the hook after each edit reads it before anything else is loaded.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
"""The files of a patch in the form of the tool apply_patch."""

_NAMES_PATHS = re.compile(
    r"(?:^|_)(?:paths?|files?|file_?names?|targets?|destinations?|uris?)$"
    r"|[a-z](?:Paths?|Files?|FileNames?|Filenames?|Targets?|Destinations?|Uris?)$"
)
_NESTED = 6


def call_of(arguments: Any) -> tuple[str | None, tuple[str, ...]]:
    """Return the shell text and the files of a tool's arguments, by the names that the hosts' tools have for them."""
    if not isinstance(arguments, Mapping):
        return None, ()
    paths = list(_list_paths(arguments))
    texts = [value for name in ("command", "cmd", "input", "patch", "patchText") if (value := arguments.get(name))]
    flat = [shlex.join(map(str, value)) if isinstance(value, list) else value for value in texts]
    patched = [path.strip() for text in flat if isinstance(text, str) for path in _PATCHED.findall(text)]
    command = next((text for text in flat if isinstance(text, str) and not _PATCHED.search(text)), None)
    return command, (*paths, *patched)


def _list_paths(value: Any, depth: int = 0) -> Iterator[str]:
    """List the strings that a tool's input names as files, also in lists and objects within it."""
    members = value.items() if isinstance(value, Mapping) else ()
    for name, member in members:
        if _NAMES_PATHS.search(str(name)):
            each = member if isinstance(member, list) else [member]
            yield from (path for path in each if isinstance(path, str) and "\n" not in path)
        if depth < _NESTED and isinstance(member, Mapping):
            yield from _list_paths(member, depth + 1)
        if depth < _NESTED and isinstance(member, list):
            for part in member:
                yield from _list_paths(part, depth + 1)
