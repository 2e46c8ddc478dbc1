"""Parse the lines of strace(1) -f -y into events, and the descent of the processes. Pure.

Source: strace(1). A line is ``PID call(arguments) = value``; an interrupted call comes in two parts. Strings are
written with C escapes, ``-y`` puts the path of a file descriptor after it in angle brackets.
"""

from __future__ import annotations

import codecs
import os
import posixpath
import re
from collections.abc import Iterator

from msgspec import Struct

_LINE = re.compile(rb"^(\d+) +(.*)$")
_CALL = re.compile(rb"^(\w+)\((.*)\) += (-?\w+)(.*)$", re.DOTALL)
_RESUMED = re.compile(rb"^<\.\.\. (\w+) resumed>(.*)$")
_UNFINISHED = b" <unfinished ...>"
_STRING = rb'"((?:[^"\\]|\\.)*)"'
_PATH = re.compile(rb"(?:(AT_FDCWD|\d+)(?:<((?:[^>\\]|\\.)*)>)?, )?" + _STRING)
_DESCRIPTOR = re.compile(rb"^\d+<((?:[^>\\]|\\.)*)>")
_FORKS = frozenset({"clone", "clone3", "fork", "vfork"})
_MOVES = frozenset({"chdir", "fchdir"})
_PROGRAM = re.compile(rb"\[(.*?)\](?:\.\.\.)?, (?:0x[0-9a-f]+|NULL|\[)", re.DOTALL)


class Event(Struct, frozen=True):
    """One finished system call. ``paths`` are absolute, in the order of the arguments; ``error`` is "" on success.

    ``argv`` is that of an execve, ``arguments`` the text between the parentheses.
    """

    pid: int
    call: str
    paths: tuple[str, ...]
    arguments: str
    error: str = ""
    argv: tuple[str, ...] = ()


class Trace(Struct, frozen=True):
    """All events in their order, and process -> its parent."""

    events: tuple[Event, ...]
    parents: dict[int, int]

    @property
    def first(self) -> int:
        """The first traced process."""
        return self.events[0].pid if self.events else 0


def parse_trace(content: bytes, folder: str) -> Trace:
    """Parse a trace whose first process began in ``folder``. Lines that can't be parsed are left out."""
    calls = list(_join_calls(content))
    parents: dict[int, int] = {}
    for pid, name, _, value, _ in calls:
        if name in _FORKS and value.isdigit() and int(value) > 0:
            parents.setdefault(int(value), pid)
    folders: dict[int, str] = {}
    events: list[Event] = []
    for pid, name, arguments, _, rest in calls:
        if pid not in folders:
            folders[pid] = folders.get(parents.get(pid, 0), folder)
        error = rest.split(" ", 1)[0] if rest.startswith("E") else ""
        events.append(_parse_event(pid, name, arguments, error, folders))
    return Trace(tuple(events), parents)


def _join_calls(content: bytes) -> Iterator[tuple[int, str, bytes, str, str]]:
    open_calls: dict[int, bytes] = {}
    for line in content.split(b"\n"):
        found = _LINE.match(line)
        if found is None:
            continue
        pid, text = int(found[1]), found[2]
        if text.endswith(_UNFINISHED):
            open_calls[pid] = text.removesuffix(_UNFINISHED)
            continue
        if resumed := _RESUMED.match(text):
            text = open_calls.pop(pid, resumed[1] + b"(") + resumed[2]
        if call := _CALL.match(text):
            rest = call[4].decode("ascii", "replace").strip()
            yield pid, call[1].decode(), call[2], call[3].decode(), rest


def _parse_event(pid: int, name: str, arguments: bytes, error: str, folders: dict[int, str]) -> Event:
    paths: list[str] = []
    argv: tuple[str, ...] = ()
    if name.startswith("execve"):
        listed = _PROGRAM.search(arguments)
        argv = tuple(_decode(found) for found in re.findall(_STRING, listed[1])) if listed else ()
        arguments = arguments[: listed.start()] if listed else arguments
    if name not in {"connect", "sendto", "sendmsg", "sendmmsg"}:
        for descriptor, place, text in _PATH.findall(arguments):
            if descriptor == b"AT_FDCWD" and place:
                folders[pid] = _decode(place)
            start = _decode(place) if descriptor.isdigit() and place else folders[pid]
            paths.append(posixpath.normpath(posixpath.join(start, _decode(text))))
    if name in _MOVES and not error:
        moved = _DESCRIPTOR.match(arguments)
        folders[pid] = _decode(moved[1]) if moved else (paths[0] if paths else folders[pid])
    return Event(pid, name, tuple(paths), arguments.decode("utf-8", "backslashreplace"), error, argv)


def _decode(escaped: bytes) -> str:
    return os.fsdecode(codecs.escape_decode(escaped)[0])
