"""The paths that a call seems to write, as they are from where the text begins."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from verigate.integrations.agents.shell_calls import ShellCall

_WRITE_ALL = frozenset({"rm", "mv", "tee", "truncate", "chmod", "unlink", "rmdir", "shred", "touch"})
_WRITE_LAST = frozenset({"cp", "ln", "install", "rsync"})
_EDITORS = frozenset({"sed", "perl"})
_GIT_WRITERS = frozenset({"rm", "mv", "update-index"})
_GIT_RESTORERS = frozenset({"checkout", "restore"})
_GIT_VALUES = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"})
_OWN_VERSIONS = frozenset({"HEAD", "@", ""})
_REPLACE = frozenset({"rm", "mv", "unlink", "rmdir"})


def list_written(call: ShellCall) -> Iterator[str]:
    """List the files that a call redirects to, and those in the words of programs that write them."""
    yield from (call.place(path) for path in call.written)
    named = _list_named(call.words[1:])
    if call.program in _WRITE_ALL:
        yield from map(call.place, named)
    elif call.program in _WRITE_LAST:
        yield from map(call.place, _list_targets(call.words[1:], named))
    elif call.program in _EDITORS:
        if any(word.startswith("-") and "i" in word for word in call.words[1:3]):
            yield from map(call.place, named)
    elif call.program == "dd":
        yield from (call.place(word.removeprefix("of=")) for word in named if word.startswith("of="))
    elif call.program == "patch":
        yield from map(call.place, named)
    elif call.program == "find":
        yield from _list_found(call)
    elif call.program == "git":
        yield from _list_written_by_git(call)


def list_replaced(call: ShellCall) -> Iterator[str]:
    """List the folders that a call would take away, move or replace."""
    named = _list_named(call.words[1:])
    if call.program in _REPLACE:
        yield from map(call.place, named)
    elif call.program == "ln" and named:
        yield call.place(named[-1])
    elif call.program == "git":
        yield from _list_written_by_git(call)


def _join(folder: str, *parts: str) -> str:
    return str(PurePosixPath(folder, *parts))


def _list_named(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith("-")]


def _list_targets(words: Sequence[str], named: Sequence[str]) -> Iterator[str]:
    """List what programs write that read all but their last word: it, and what it gets as a folder."""
    folder = next((word.partition("=")[2] for word in words if word.startswith("--target-directory=")), None)
    for option, value in itertools.pairwise(words):
        if option in {"-t", "--target-directory"}:
            folder = value
    sources = named if folder is not None else named[:-1]
    target = folder if folder is not None else (named[-1] if named else None)
    if target is not None:
        yield target
        yield from (_join(target, PurePosixPath(source).name) for source in sources)


def _list_found(call: ShellCall) -> Iterator[str]:
    """List what find would take away: the names that it asks for, below where it begins."""
    words = call.words[1:]
    if "-delete" not in words and not any(word in {"rm", "unlink", "mv", "sed", "tee", "cp"} for word in words):
        return
    places: list[str] = []
    for word in words:
        if word.startswith(("-", "(", "!")):
            break
        places.append(word)
    names = [value for option, value in itertools.pairwise(words) if option in {"-name", "-iname"}]
    for place in places or ["."]:
        yield from (call.place(_join(place, "**", name)) for name in names or ["*"])


def _list_written_by_git(call: ShellCall) -> Iterator[str]:
    words = list(call.words[1:])
    folder = ""
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in _GIT_VALUES and words:
            value = words.pop(0)
            folder = _join(folder, value) if option == "-C" else folder
    command, rest = (words[0], words[1:]) if words else ("", [])
    if command in _GIT_WRITERS:
        named = [word.rpartition(",")[2] for word in _list_named(rest)]
    elif command in _GIT_RESTORERS:
        named = _list_restored(command, rest)
    else:
        return
    yield from (call.place(_join(folder, path)) for path in named)


def _list_restored(command: str, words: Sequence[str]) -> list[str]:
    """List the paths that git takes from another version. From the index or from HEAD it puts back what was there."""
    source = ""
    for option, value in itertools.pairwise([*words, ""]):
        source = value if option in {"-s", "--source"} else source
        source = option.partition("=")[2] if option.startswith("--source=") else source
    if command == "restore":
        return [] if source in _OWN_VERSIONS else [word for word in _list_named(words) if word != source]
    before = _list_named(words[: words.index("--")] if "--" in words else words)
    if not before or before[0] in _OWN_VERSIONS or (len(before) == 1 and "--" not in words):
        return []
    return _list_named(words[words.index("--") + 1 :]) if "--" in words else before[1:]
