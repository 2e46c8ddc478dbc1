"""Limit the memory and the number of processes of a call by control groups, where the gate may make them.

A limit of the kernel's on what one process may map (RLIMIT_DATA) counts each process alone, and one on the number of
processes doesn't hold root. A group counts what a call and all that it starts really use. Version 2 is used where its
controllers are delegated, which is where systemd runs a user's sessions, and version 1 where they are mounted by it.
Sources: cgroups(7), https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1/memory.html.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

MOST_PROCESSES = 4096
"""Processes and threads of one call: a build of Java has some hundred of them, a fork bomb has all."""

MEMORY, PROCESSES = "memory", "pids"
_PREFIX = "verigate-"
_LIMITS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "cgroup2": {MEMORY: ("memory.max",), PROCESSES: ("pids.max",)},
    "cgroup": {MEMORY: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), PROCESSES: ("pids.max",)},
}
_NO_SWAP = "memory.swap.max"
_EVENTS = {
    MEMORY: (("memory.events", "oom_kill"), ("memory.oom_control", "oom_kill")),
    PROCESSES: (("pids.events", "max"),),
}
_PATIENCE_S = 0.5
_numbers = itertools.count()


class Parent(Struct, frozen=True):
    """A group in which others may be made: its folder and the file system of its version."""

    folder: str
    kind: str


class Limits(Struct, frozen=True):
    """Limits of one call: bytes of memory (None: no limit), processes, and the groups that can hold them."""

    parents: Mapping[str, Parent]
    memory: int | None
    processes: int = MOST_PROCESSES


def find_parents(mounts: str | None = None, own: str | None = None) -> Mapping[str, Parent]:
    """Find where groups can be made: controller -> parent. Empty where none are delegated.

    ``mounts`` and ``own`` are /proc/self/mountinfo and /proc/self/cgroup.
    """
    try:
        mounts = _read("/proc/self/mountinfo") if mounts is None else mounts
        own = _read("/proc/self/cgroup") if own is None else own
    except OSError:
        return {}
    found: dict[str, Parent] = {}
    for controllers, path, kind in _list_own(own):
        for controller in (MEMORY, PROCESSES) if kind == "cgroup2" else controllers:
            if controller in {MEMORY, PROCESSES} and controller not in found:
                places = (
                    folder for folder in _locate(mounts, path, kind, controller) if _can_hold(folder, kind, controller)
                )
                if (place := next(places, None)) is not None:
                    found[controller] = Parent(place, kind)
    return found


def _list_own(own: str) -> Iterator[tuple[list[str], str, str]]:
    lines = [line.split(":", 2) for line in own.splitlines() if line.count(":") >= 2]
    for number, controllers, path in sorted(lines, key=lambda words: words[0] != "0"):
        yield controllers.split(","), path, "cgroup2" if number == "0" else "cgroup"


def _locate(mounts: str, path: str, kind: str, controller: str) -> Iterator[str]:
    """Yield the folders of a process's own group, and of version 2 the one above, since no process is in that one."""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        words, kinds = before.split(), after.split()
        if len(words) < 5 or len(kinds) < 3 or kinds[0] != kind:
            continue
        if kind == "cgroup" and controller not in kinds[2].split(","):
            continue
        root, place = words[3].rstrip("/"), words[4]
        if not f"{path}/".startswith(f"{root}/"):
            continue
        folder = (place + path[len(root) :]).rstrip("/")
        if kind == "cgroup2" and folder != place:
            yield os.path.dirname(folder)
        yield folder


def _can_hold(folder: str, kind: str, controller: str) -> bool:
    """Whether groups with this controller can be made there, and processes of the gate's own group moved into them."""
    if not (os.access(folder, os.W_OK) and os.access(f"{folder}/cgroup.procs", os.W_OK)):
        return False
    try:
        return kind == "cgroup" or controller in _read(f"{folder}/cgroup.subtree_control").split()
    except OSError:
        return False


class ControlGroup:
    """The groups of one call, one for each hierarchy."""

    def __init__(self, limits: Limits) -> None:
        """Make them. Raises OSError."""
        wanted = {PROCESSES: limits.processes, **({} if limits.memory is None else {MEMORY: limits.memory})}
        self._folders: dict[str, str] = {}
        name = f"{_PREFIX}{os.getpid()}-{_read_start(os.getpid())}-{next(_numbers)}"
        try:
            for controller, parent in limits.parents.items():
                if controller not in wanted:
                    continue
                folder = f"{parent.folder}/{name}"
                if folder not in self._folders.values():
                    _sweep(parent.folder)
                    os.mkdir(folder)
                self._folders[controller] = folder
                for file in _LIMITS[parent.kind][controller]:
                    if os.path.exists(f"{folder}/{file}"):
                        _write(f"{folder}/{file}", wanted[controller])
                if controller == MEMORY and os.path.exists(f"{folder}/{_NO_SWAP}"):
                    _write(f"{folder}/{_NO_SWAP}", 0)
        except OSError:
            self.close()
            raise

    def add(self, pids: Iterable[int]) -> None:
        """Move processes into it; what they start is in it. Raises OSError."""
        for pid in pids:
            for folder in set(self._folders.values()):
                _write(f"{folder}/cgroup.procs", pid)

    def find_reached(self) -> str | None:
        """Return the controller whose limit was reached, None if none was."""
        for controller, folder in self._folders.items():
            for file, word in _EVENTS[controller]:
                with contextlib.suppress(OSError):
                    counts = dict(line.split(maxsplit=1) for line in _read(f"{folder}/{file}").splitlines())
                    if int(counts.get(word, "0")) > 0:
                        return controller
        return None

    def close(self) -> None:
        """Remove it. What isn't empty yet, as the kernel still ends a process, is left to the next call's sweep."""
        until = time.monotonic() + _PATIENCE_S
        for folder in set(self._folders.values()):
            while True:
                try:
                    os.rmdir(folder)
                except FileNotFoundError:
                    pass
                except OSError:
                    if time.monotonic() < until:
                        time.sleep(0.005)
                        continue
                break


def _sweep(parent: str) -> None:
    """Remove empty groups of gates that were killed, also where nobody has asked for their exit codes yet."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in list(entries):
            number, _, rest = entry.name.removeprefix(_PREFIX).partition("-")
            start = rest.partition("-")[0]
            if entry.name.startswith(_PREFIX) and number.isdigit() and _read_start(int(number)) != start:
                with contextlib.suppress(OSError):
                    os.rmdir(entry.path)


def _read_start(pid: int) -> str | None:
    """Return when a process began, in ticks since the machine's start: a number may be used again. None: it ended."""
    try:
        state, *numbers = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if state in {"Z", "X"} else numbers[18]


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as stream:
        return stream.read()


def _write(path: str, value: int) -> None:
    with open(path, "w", encoding="ascii") as stream:
        stream.write(str(value))
