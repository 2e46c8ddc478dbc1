"""Find what might be missing in the sandbox: from a trace of failed system calls, messages and the environment. Pure.

The trace and the messages are hostile text. What is found here is only tried, and shown to a person; stores of secrets
and paths to write to are never candidates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from verigate.conformance.trace_parser import Event, parse_trace
from verigate.domain.grants import Grant, GrantKind
from verigate.domain.suite_comparison import Candidate

MAX_CANDIDATES = 6
"""Each candidate may cost a run of the suite."""

_ADDRESS = re.compile(
    r"sin6?_port=htons\((\d+)\).*?(?:inet_addr\(\"|inet_pton\(AF_INET6, \")([^\"]+)"
    r"|->\[?([0-9a-fA-F.:]+?)\]?:(\d+)\]>"
)
_UNIX = re.compile(r'sun_path="((?:[^"\\]|\\.)*)"')
_HOST = r"([A-Za-z0-9.-]+\.[A-Za-z]{2,})"
_HOSTS = (
    re.compile(rf"https?://{_HOST}"),
    re.compile(rf"(?:host=|resolve host:? ?|Failed to resolve |ENOTFOUND |EAI_AGAIN |lookup )['\"]?{_HOST}"),
)
_NAME = r"([A-Za-z0-9_][A-Za-z0-9._+-]*)"
_NOT_FOUND = (
    re.compile(rf"{_NAME}: (?:command )?not found"),
    re.compile(rf"No such file or directory: ['\"]{_NAME}['\"]"),
    re.compile(rf"spawn {_NAME} ENOENT"),
    re.compile(rf"\"{_NAME}\": executable file not found"),
)
"""How shells, Python, node and Go say that a program is missing."""

_UNREACHABLE = frozenset({"ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EADDRNOTAVAIL"})
_NOT_CONNECTED = frozenset({"ECONNREFUSED", "EINPROGRESS"})
_MISSING = frozenset({"ENOENT", "ENOTDIR"})
_REFUSED = frozenset({"EACCES", "EROFS", "EPERM"})
_NET_CALLS = frozenset({"connect", "sendto", "sendmsg", "sendmmsg", "recvfrom", "recvmsg"})
_RIGHTS = frozenset(
    [
        "ptrace",
        "mount",
        "umount2",
        "unshare",
        "setns",
        "setuid",
        "setgid",
        "setgroups",
        "setresuid",
        "setresgid",
        "chroot",
        "perf_event_open",
        "bpf",
    ]
)
_DNS = 53
_NOISE = re.compile(
    r"/__pycache__(?:/|$)|\.pyc$|/\.(?:git|artifacts|pytest_cache|mypy_cache|ruff_cache)(?:/|$)|/node_modules/\.cache|/go-build(?:/|$)"
)
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/boot")
_TEMPORARY = "<temporary>"
"""What messages have in place of the private home: an adapter's texts name no folder of a call."""

_MEMORY = "/dev/shm"  # noqa: S108 (compared, not used): folders of people, below one of the system's


class Machine(Struct, frozen=True):
    """What is known of the machine outside the sandbox.

    ``root`` is the repository, ``home`` the caller's home, ``private_home`` the one inside. ``ignored`` returns the
    topmost folder or file, relative to the root, that git ignores and that holds a relative path; None for what is
    verified. ``listens`` returns whether a port of the loopback accepts connections.
    """

    root: str
    home: str
    private_home: str
    environ: Mapping[str, str]
    exists: Callable[[str], bool]
    is_secret: Callable[[str], bool]
    ignored: Callable[[str], str | None]
    listens: Callable[[int], bool]
    mentioned: Callable[[Sequence[str]], Sequence[str]]
    finds_program: Callable[[str], bool]


class Causes(Struct, frozen=True):
    """Grants to try, and sentences about what no grant changes."""

    candidates: tuple[Candidate, ...]
    others: tuple[str, ...]


def find_causes(trace: bytes, messages: Iterable[str], machine: Machine) -> Causes:
    """Find what to try, the likeliest first, and what else was refused."""
    texts = [message[:20_000] for message in messages][:500]
    events = parse_trace(trace, machine.root).events
    network = list(_find_network(events, texts, machine))
    paths = list(_find_paths(events, machine))
    paths.sort(key=lambda candidate: not _is_mentioned(candidate.grant.what, texts))
    found = [*network, *_find_variables(texts, machine), *paths]
    unique = {candidate.grant.scope: candidate for candidate in reversed(found)}
    ordered = sorted(unique.values(), key=found.index)
    return Causes(tuple(ordered[:MAX_CANDIDATES]), _find_others(events, texts, machine))


def _find_network(events: Sequence[Event], texts: Sequence[str], machine: Machine) -> Iterator[Candidate]:
    hosts = sorted({host for text in texts for pattern in _HOSTS for host in pattern.findall(text)})
    addresses: dict[str, None] = {}
    names = False
    for event in events:
        if event.call not in _NET_CALLS:
            continue
        if unix := _UNIX.search(event.arguments):
            yield from _open_socket(unix[1], event, machine)
        for first_port, first, second, second_port in _ADDRESS.findall(event.arguments):
            address, port = first or second, int(first_port or second_port)
            local = address.startswith("127.") or address in {"::1", "0.0.0.0", "::"}  # noqa: S104 (compared, not bound)
            if port == _DNS and (event.error in _UNREACHABLE or event.error == "ECONNREFUSED"):
                names = True
            elif not local and event.error in _UNREACHABLE:
                addresses[f"{address} port {port}"] = None
            elif local and event.error in _NOT_CONNECTED and machine.listens(port):
                addresses[f"port {port} of this machine"] = None
    if not (names or addresses):
        return
    shown = [*hosts[:3]] if names or hosts else []
    shown += list(addresses)[: 3 - len(shown)]
    what = "a host name isn't resolved" if names else "a network connection is refused"
    cause = f"{what}: {', '.join(shown)}" if shown else what
    yield Candidate(Grant(GrantKind.NETWORK, "hosts", cause), cause)


def _open_socket(path: str, event: Event, machine: Machine) -> Iterator[Candidate]:
    plain = path.startswith("/") and "\\" not in path
    if plain and event.error in _MISSING | {"ECONNREFUSED", "EACCES"} and _is_open_to_grants(path, machine):
        cause = f"a socket isn't visible: {path}"
        yield Candidate(Grant(GrantKind.BIND, path, cause, "ro"), cause)


def _find_paths(events: Sequence[Event], machine: Machine) -> Iterator[Candidate]:
    seen: set[str] = set()
    for event in events:
        if event.error not in _MISSING or event.call in _NET_CALLS:
            continue
        for path in event.paths:
            if path in seen or len(seen) > 200_000:
                continue
            seen.add(path)
            written = _name_path(path, machine)
            if written is not None:
                cause = f"a path isn't visible: {written}"
                yield Candidate(Grant(GrantKind.BIND, written, cause, "ro"), cause)


def _name_path(path: str, machine: Machine) -> str | None:
    """Return how the file of grants would name a path that exists outside, None if it isn't to be granted."""
    if _NOISE.search(path):
        return None
    if _is_below(path, machine.private_home):
        rest = path[len(machine.private_home) + 1 :]
        outside = f"{machine.home}/{rest}"
        return f"~/{rest}" if rest and _is_open_to_grants(outside, machine) else None
    if _is_below(path, machine.root):
        rest = path[len(machine.root) + 1 :]
        if not rest or not machine.exists(path):
            return None
        return machine.ignored(rest)
    if not _is_open_to_grants(path, machine):
        return None
    home = machine.home.rstrip("/")
    return f"~/{path[len(home) + 1 :]}" if home and _is_below(path, home) and path != home else path


def _is_open_to_grants(path: str, machine: Machine) -> bool:
    if path.count("/") < 2 or _is_of_the_system(path):
        return False
    if any(ord(character) < 32 or character in '*?["' for character in path):
        return False
    return machine.exists(path) and not machine.is_secret(path)


def _find_variables(texts: Sequence[str], machine: Machine) -> Iterator[Candidate]:
    """Find variables that exist outside and that the sources or the messages name."""
    names = sorted(name for name in machine.environ if _could_matter(name))
    named = set(machine.mentioned(names)) if names else set()
    joined = "\n".join(texts)
    words = set(re.findall(r"[A-Z_][A-Z0-9_]{2,}", joined))
    for name in sorted(names, key=lambda each: each not in words):
        if name in words or name in named:
            cause = f"an environment variable isn't set: {name}"
            yield Candidate(Grant(GrantKind.ENV, name, cause), cause)


_SHELL = frozenset(
    (
        *("PWD", "OLDPWD", "SHLVL", "_", "TERM", "COLUMNS", "LINES", "HOME", "PATH", "USER", "LOGNAME", "SHELL"),
        *("TMPDIR", "LS_COLORS", "HOSTNAME", "MAIL", "EDITOR", "PAGER", "DISPLAY", "VIRTUAL_ENV", "PS1", "CI"),
        *("VIRTUAL_ENV_PROMPT", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "NO_COLOR", "FORCE_COLOR"),
    )
)
"""Variables of a shell, and those that the sandbox sets to the same value for everybody."""

_PASSED = ("GATE_", "GIT_", "LD_", "XDG_", "SSH_", "DBUS_", "PYTEST_", "COV_", "VERIGATE_", "LESS")


def _could_matter(name: str) -> bool:
    return (
        re.fullmatch(r"[A-Z_][A-Z0-9_]{2,200}", name) is not None
        and name not in _SHELL
        and not name.startswith(_PASSED)
    )


def _find_others(events: Sequence[Event], texts: Sequence[str], machine: Machine) -> tuple[str, ...]:
    """Describe each refusal that no grant changes: system calls, programs that the messages name, paths to write to."""
    missed = {name for text in texts for pattern in _NOT_FOUND for name in pattern.findall(text)}
    calls: dict[str, None] = {}
    programs: dict[str, None] = {}
    places: dict[str, None] = {}
    for event in events:
        if event.call in _RIGHTS and event.error in {"EPERM", "EACCES"}:
            calls[f"a system call is refused: {event.call} ({event.error})"] = None
        elif event.call.startswith("execve") and event.error in _MISSING and event.paths:
            # PATH is searched folder by folder: only what a message misses wasn't found in the end.
            name = event.paths[0].rpartition("/")[2]
            if name in missed and machine.finds_program(name):
                programs[f"a program isn't on PATH inside: {name}"] = None
        elif event.error in {"EROFS", "EACCES"} and event.paths and _is_worth_naming(event.paths[0], machine):
            places[f"a path can't be written: {event.paths[0]} ({event.error})"] = None
    mentioned = sorted(places, key=lambda place: not any(place.split()[-2] in text for text in texts))
    return (*calls, *programs, *_find_home(texts, machine), *mentioned)


def _find_home(texts: Sequence[str], machine: Machine) -> Iterator[str]:
    """Say that HOME is another folder inside, where a line of a message names both it and the caller's home."""
    home = machine.home.rstrip("/")
    private = (machine.private_home, _TEMPORARY)
    lines = (line for text in texts for line in text.splitlines())
    if home and any(_names(line, home) and any(place and place in line for place in private) for line in lines):
        yield f"HOME is a private folder inside, and a test compares it with {home}: a command sets it: env HOME={home}"


def _names(text: str, path: str) -> bool:
    return re.search(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])", text) is not None


def _is_worth_naming(path: str, machine: Machine) -> bool:
    return not (_is_below(path, machine.root) or _is_of_the_system(path)) and _NOISE.search(path) is None


def _is_of_the_system(path: str) -> bool:
    return not _is_below(path, _MEMORY) and any(_is_below(path, folder) for folder in _SYSTEM)


def _is_mentioned(path: str, texts: Sequence[str]) -> bool:
    tail = path.removeprefix("~/")
    return any(tail in text for text in texts)


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(f"{folder.rstrip('/')}/"))
