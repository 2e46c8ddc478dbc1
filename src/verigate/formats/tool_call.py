"""What a call of an agent's tool would run and write, by the names that hosts' tools have for it.

Apart from the hosts, since the hook after each edit reads it before anything else is loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_PATCHED = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
"""What precedes the files of a patch in the form of the tool apply_patch."""

_NOUNS = ("path", "file", "file_name", "filename", "target", "destination", "uri")
_CAPITAL_NOUNS = ("Path", "File", "FileName", "Filename", "Target", "Destination", "Uri")
_NESTED = 6


def call_of(arguments: Any) -> tuple[str | None, tuple[str, ...]]:
    """Return the shell text and the files of a tool's arguments, by the names that the hosts' tools have for them."""
    if not isinstance(arguments, dict):
        return None, ()
    paths = list(_list_paths(arguments))
    texts = [value for name in ("command", "cmd", "input", "patch", "patchText") if (value := arguments.get(name))]
    flat = [_join(value) if isinstance(value, list) else value for value in texts]
    patched = [path for text in flat if isinstance(text, str) for path in _list_patched(text)]
    command = next((text for text in flat if isinstance(text, str) and not any(_list_patched(text))), None)
    return command, (*paths, *patched)


def _list_paths(value: Any, depth: int = 0) -> Iterator[str]:
    """List the strings that a tool's input names as files, also in lists and objects within it."""
    members = value.items() if isinstance(value, dict) else ()
    for name, member in members:
        if _names_paths(str(name)):
            each = member if isinstance(member, list) else [member]
            yield from (path for path in each if isinstance(path, str) and "\n" not in path)
        if depth < _NESTED and isinstance(member, dict):
            yield from _list_paths(member, depth + 1)
        if depth < _NESTED and isinstance(member, list):
            for part in member:
                yield from _list_paths(part, depth + 1)


def _list_patched(text: str) -> Iterator[str]:
    """List the files of a patch; none for another text."""
    if "*** " in text:
        for line in text.split("\n"):
            mark = next((mark for mark in _PATCHED if line.startswith(mark)), None)
            if mark is not None and len(line) > len(mark):
                yield line[len(mark) :].strip()


def _names_paths(name: str) -> bool:
    """Whether a member of this name holds files: ``path``, ``old_files``, ``targetUri``."""
    stem = name.removesuffix("s")
    if stem in _NOUNS or any(stem.endswith(f"_{noun}") for noun in _NOUNS):
        return True
    noun = next((noun for noun in _CAPITAL_NOUNS if stem.endswith(noun)), "")
    before = stem[: len(stem) - len(noun)][-1:]
    return bool(noun) and before.isascii() and before.islower()


def _join(words: list[Any]) -> str:
    import shlex  # slow to load, and seldom needed

    return shlex.join(map(str, words))
