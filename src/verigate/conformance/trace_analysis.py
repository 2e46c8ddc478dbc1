"""Analyze a trace: programs an adapter started, networks it requested, files it wrote. Pure.

A declared tool may start any program; the programs that the adapter's own code starts have to be declared. A process is
the adapter's own while it runs a file of the adapter's folder or one that it has compiled where it may write, the
gate's Python, sh or coreutils, or an interpreter on such a file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from verigate.conformance.trace_parser import Event, Trace

_WRITING_OPEN = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b")
_OPENS = frozenset({"open", "openat", "openat2"})
_FIRST = frozenset(
    [
        "creat",
        "mkdir",
        "mkdirat",
        "rmdir",
        "unlink",
        "unlinkat",
        "truncate",
        "chmod",
        "fchmodat",
        "fchmodat2",
        "chown",
        "lchown",
        "fchownat",
        "utime",
        "utimes",
        "utimensat",
        "futimesat",
        "mknod",
        "mknodat",
        "setxattr",
        "lsetxattr",
        "removexattr",
        "lremovexattr",
    ]
)
_LAST = frozenset({"link", "linkat", "symlink", "symlinkat"})
_ALL = frozenset({"rename", "renameat", "renameat2"})
_LOOKS = frozenset(
    [
        "execve",
        "execveat",
        "access",
        "faccessat",
        "faccessat2",
        "stat",
        "lstat",
        "newfstatat",
        "statx",
        "readlink",
        "readlinkat",
    ]
)
_MISSING = frozenset({"ENOENT", "ENOTDIR"})
_INET = re.compile(
    r"sa_family=AF_INET6?, sin6?_port=htons\((\d+)\).*?(?:inet_addr\(\"|inet_pton\(AF_INET6, \")([^\"]+)"
)
_DNS_PORT = 53
_PROGRAM_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*")
_SUFFIXES = re.compile(r"\.(?:cfg|json|toml|ini|py|js|mjs|so|zip|_pth|pth)$|^lib|^node_modules$|^package\.json$")


class CallPlaces(Struct, frozen=True):
    """The absolute paths of a call's files and folders, as the call saw them.

    ``launcher`` is the folder of the program that calls a tool in TOML, which counts as the adapter's. ``writable`` are
    the folders it may write to; ``toolbox`` is the folder of its tools on PATH, ``programs`` their real paths, by name;
    ``core`` the folder of the programs that every adapter may use, ``core_programs`` their real paths; ``declared`` are
    all declared names, also those that aren't installed; ``python`` is the gate's, ``gate`` the folder of what was
    installed with it, None without one of its own; ``project`` are the folders on the PATH of the project's programs.
    """

    adapter: str
    subject: str
    writable: tuple[str, ...]
    toolbox: str
    core: str
    programs: Mapping[str, str]
    core_programs: frozenset[str]
    declared: frozenset[str]
    python: str
    gate: str | None = None
    launcher: str | None = None
    project: tuple[str, ...] = ()

    @property
    def own(self) -> tuple[str, ...]:
        """The folders of the adapter's own code."""
        return (self.adapter, self.launcher) if self.launcher is not None else (self.adapter,)


class ObservedActions(Struct, frozen=True):
    """``undeclared`` programs that were started, or ``looked_for`` in vain; ``network`` addresses; files ``written``.

    ``asked`` are requested files that don't exist, ``moved`` the targets of moved files, by any process.
    """

    undeclared: tuple[str, ...] = ()
    looked_for: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


def analyze_trace(trace: Trace, places: CallPlaces) -> ObservedActions:
    """Analyze what the processes of a trace did."""
    watch = _Analysis(trace, places)
    for event in trace.events:
        watch.see(event)
    return ObservedActions(*(tuple(dict.fromkeys(found)) for found in watch.found))


class _Analysis:
    def __init__(self, trace: Trace, places: CallPlaces) -> None:
        self._parents = trace.parents
        self._places = places
        self._is_tool: dict[int, bool] = {trace.first: False}
        self.found: tuple[list[str], ...] = ([], [], [], [], [], [])

    def see(self, event: Event) -> None:
        undeclared, looked_for, network, written, asked, moved = self.found
        own = not self._belongs_to_tool(event.pid)
        network += _find_addresses(event)
        if event.error in _MISSING:
            asked += event.paths
        if event.call in _ALL and not event.error:
            moved += event.paths[-1:]
        if own and event.call in _LOOKS and event.error in _MISSING:
            looked_for += filter(None, map(self._find_looked_for, event.paths))
        if event.call.startswith("execve") and not event.error and event.paths:
            if own:
                undeclared += self._record_start(event)
        elif own or not event.error:
            written += (path for path in _list_targets(event) if self._is_outside(path, own=own))

    def _belongs_to_tool(self, pid: int) -> bool:
        if pid not in self._is_tool:
            parent = self._parents.get(pid)
            self._is_tool[pid] = self._belongs_to_tool(parent) if parent is not None and parent != pid else False
        return self._is_tool[pid]

    def _record_start(self, event: Event) -> Iterator[str]:
        """Record the new program of a process; yield its name if it isn't declared."""
        path, places = event.paths[0], self._places
        given = path == places.python or path in places.core_programs
        given = given or _is_below(path, (*places.own, places.core, *places.writable))
        # Programs that come with the gate exist wherever the gate is.
        given = given or (places.gate is not None and posixpath.dirname(path) == places.gate)
        self._is_tool[event.pid] = not (given or _is_below(_find_script(event.argv), places.own))
        declared = path in places.programs.values() or _is_below(path, (places.toolbox,))
        declared = declared or posixpath.dirname(path) in places.project
        if not (given or declared or _is_below(path, (places.subject,))):
            yield path

    def _find_looked_for(self, path: str) -> str | None:
        """Return the name of a program that was searched up to the last folder of PATH, if it isn't declared."""
        folder, name = posixpath.split(path)
        if folder != self._places.core or name in self._places.declared or _SUFFIXES.search(name):
            return None
        return name if _PROGRAM_NAME.fullmatch(name) else None

    def _is_outside(self, path: str, *, own: bool) -> bool:
        places = self._places
        if "/__pycache__" in path:
            return False
        if _is_below(path, (places.subject,)):
            # A tool's files in the checkout are found there afterwards.
            return own
        # The folders may be anywhere: a writable one may contain the adapter's.
        return _is_below(path, places.own) or not _is_below(path, (*places.writable, "/dev", "/proc"))


def _find_script(argv: tuple[str, ...]) -> str:
    """Return the first argument that isn't an option: the file that an interpreter runs."""
    return next((argument for argument in argv[1:] if not argument.startswith("-")), "")


def _list_targets(event: Event) -> tuple[str, ...]:
    """List the paths that a call writes to."""
    if event.call in _OPENS:
        return event.paths[:1] if _WRITING_OPEN.search(event.arguments) else ()
    if event.call in _FIRST:
        return event.paths[:1]
    if event.call in _LAST:
        return event.paths[-1:]
    return event.paths if event.call in _ALL else ()


def _find_addresses(event: Event) -> Iterator[str]:
    if event.call not in {"connect", "sendto", "sendmsg", "sendmmsg"}:
        return
    for port, address in _INET.findall(event.arguments):
        local = address.startswith("127.") or address in {"::1", "0.0.0.0", "::"}  # noqa: S104 (compared, not bound)
        if not local or int(port) == _DNS_PORT:
            yield f"{address} port {port}" if int(port) != _DNS_PORT else f"a name server, {address}"


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
