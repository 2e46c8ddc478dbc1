"""Build a sandbox by user namespaces where bubblewrap isn't installed: the same options, the same view.

Run as a script: ``python -I -S namespaces.py OPTIONS... -- ARGV...``, with those options of bwrap(1) that
``sandbox_view.py`` writes; another one is an error. Only the standard library is used: this runs once per adapter.

The kernel holds what is built, and no privilege is needed: the process makes a user namespace with its own user alone,
and has rights in it, not outside. It becomes the parent of the first process of a pid namespace, which becomes the
parent of ARGV, or ARGV itself with ``--as-pid-1``, as with bubblewrap. Sources: user_namespaces(7), mount_setattr(2),
pivot_root(2), capabilities(7).
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys

SETUP_FAILED = 125
_NEW = {"user": 0x10000000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000}
_NEWNS = 0x00020000
_BIND, _REC, _PRIVATE, _NOSUID, _NODEV, _NOEXEC = 4096, 16384, 1 << 18, 2, 4, 8
_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITIES = {"CAP_CHOWN": 0, "CAP_DAC_OVERRIDE": 1, "CAP_FOWNER": 3, "CAP_FSETID": 4}
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
_CAPABILITY_VERSION = 0x20080522
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_BINDS = ("--bind", "--ro-bind", "--ro-bind-try")
_VALUES = {
    **dict.fromkeys((*_BINDS, "--symlink"), 2),
    **dict.fromkeys(("--tmpfs", "--dev", "--proc", "--remount-ro", "--chdir", "--perms", "--seccomp"), 1),
    **dict.fromkeys(("--cap-add", "--cap-drop"), 1),
    **dict.fromkeys(("--die-with-parent", "--new-session", "--as-pid-1", *(f"--unshare-{name}" for name in _NEW)), 0),
}
"""Option -> how many values it has."""

_OLD, _NEW_ROOT = "/oldroot", "/newroot"
_MOST_LINKS = 40

_libc = ctypes.CDLL(None, use_errno=True)


class _MountAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns"))


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


def parse_options(words: list[str]) -> tuple[list[tuple[str, ...]], list[str]]:
    """Split a command line into options with their values, and the program. Raises ValueError for an unknown option."""
    found: list[tuple[str, ...]] = []
    rest = list(words)
    while rest and rest[0] != "--":
        number = _VALUES.get(rest[0])
        if number is None or len(rest) <= number:
            raise ValueError(f"unknown or incomplete option {rest[0]!r}")
        found.append(tuple(rest[: number + 1]))
        del rest[: number + 1]
    if len(rest) < 2:
        raise ValueError("no program")
    return found, rest[1:]


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    _check(_libc.mount(*words, ctypes.c_ulong(flags), None if data is None else data.encode()), f"mount {target}")


def _restrict(target: str, attributes: int, *, below: bool) -> None:
    value = _MountAttributes(set=attributes)
    flags = _AT_RECURSIVE if below else 0
    result = _libc.syscall(
        _MOUNT_SETATTR, _AT_FDCWD, os.fsencode(target), flags, ctypes.byref(value), ctypes.sizeof(value)
    )
    _check(result, f"mount_setattr {target}")


def _bind(source: str, target: str, *, read_only: bool, devices: bool = False) -> None:
    _mount(source, target, None, _BIND | _REC)
    attributes = _ATTR_NOSUID | (0 if devices else _ATTR_NODEV) | (_ATTR_RDONLY if read_only else 0)
    _restrict(target, attributes, below=True)


def _locate(path: str) -> str:
    """Return where a path of the new root is now; its links lead to places in the new root."""
    found, rest, links = _NEW_ROOT, [part for part in path.split("/") if part], 0
    while rest:
        part = rest.pop(0)
        if part == "..":
            found = found.rpartition("/")[0] if found != _NEW_ROOT else found
            continue
        candidate = f"{found}/{part}"
        if os.path.islink(candidate):
            links += 1
            if links > _MOST_LINKS:
                raise OSError(f"too many links in {path}")
            target = os.readlink(candidate)
            found = _NEW_ROOT if target.startswith("/") else found
            rest = [word for word in target.split("/") if word not in {"", "."}] + rest
            continue
        found = candidate
    return found


def _make_place(path: str, *, folder: bool) -> str:
    """Make the place of a mount if there is none; where it is now."""
    place = _locate(path)
    if folder:
        os.makedirs(place, mode=0o755, exist_ok=True)
    elif not os.path.lexists(place):
        os.makedirs(os.path.dirname(place), mode=0o755, exist_ok=True)
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    return place


def _make_devices(path: str) -> None:
    place = _make_place(path, folder=True)
    _mount("tmpfs", place, "tmpfs", _NOSUID | _NOEXEC, "mode=0755")
    for name in _DEVICES:
        if os.path.exists(f"{_OLD}/dev/{name}"):
            os.close(os.open(f"{place}/{name}", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
            _bind(f"{_OLD}/dev/{name}", f"{place}/{name}", read_only=False, devices=True)
    for name, target in (("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"), ("fd", "")):
        os.symlink(f"/proc/self/{target or 'fd'}", f"{place}/{name}")
    os.symlink("pts/ptmx", f"{place}/ptmx")
    for name in ("shm", "pts"):
        os.mkdir(f"{place}/{name}", 0o755)
    os.chmod(f"{place}/shm", 0o1777)  # noqa: S103 (its own, as /dev/shm is)
    _mount("devpts", f"{place}/pts", "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=620")


def _make_processes(path: str) -> None:
    place = _make_place(path, folder=True)
    _mount("proc", place, "proc", _NOSUID | _NODEV | _NOEXEC)


def _build(options: list[tuple[str, ...]]) -> None:
    """Build the new root of mounts and change into it."""
    # Links of the sources lead to places of the machine, so they are resolved before it is moved away.
    real = {
        words[1]: os.path.realpath(words[1])
        for words in options
        if words[0] in {"--bind", "--ro-bind", "--ro-bind-try"}
    }
    _mount(None, "/", None, _PRIVATE | _REC)
    _mount("tmpfs", "/tmp", "tmpfs", _NOSUID | _NODEV, "mode=0755")  # noqa: S108 (in a namespace of its own)
    os.chdir("/tmp")  # noqa: S108
    for name in ("oldroot", "newroot"):
        os.mkdir(name, 0o755)
    _mount("newroot", "newroot", None, _BIND | _REC)
    _pivot(".", "oldroot")
    os.chdir("/")
    mode = "0755"
    for name, *values in options:
        if name in _BINDS:
            source = _OLD + real[values[0]]
            if name == "--ro-bind-try" and not os.path.exists(source):
                continue
            place = _make_place(values[1], folder=os.path.isdir(source))
            _bind(source, place, read_only=name != "--bind")
        elif name == "--perms":
            mode = values[0]
            continue
        elif name == "--tmpfs":
            place = _make_place(values[0], folder=True)
            _mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV, f"mode={mode}")
        elif name == "--symlink":
            place = _locate(os.path.dirname(values[1]))
            os.makedirs(place, exist_ok=True)
            os.symlink(values[0], f"{place}/{os.path.basename(values[1])}")
        elif name == "--remount-ro":
            _restrict(_locate(values[0]), _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV, below=False)
        elif name == "--dev":
            _make_devices(values[0])
        elif name == "--proc":
            _make_processes(values[0])
        mode = "0755"
    _detach(_OLD)
    os.chdir(_NEW_ROOT)
    _pivot(".", ".")
    _detach(".")
    os.chdir("/")


def _pivot(new: str, old: str) -> None:
    _check(_libc.syscall(_PIVOT_ROOT[os.uname().machine], new.encode(), old.encode()), "pivot_root")


def _detach(path: str) -> None:
    _check(_libc.umount2(path.encode(), _DETACH), f"umount {path}")


def _raise_loopback() -> None:
    """Set lo up in a network namespace, which has nothing else (netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        request = struct.pack("16sh14x", b"lo", 0)
        (flags,) = struct.unpack_from("h", fcntl.ioctl(line, 0x8913, request), 16)
        fcntl.ioctl(line, 0x8914, struct.pack("16sh14x", b"lo", flags | 1))


def _keep_capabilities(kept: list[str]) -> None:
    """Drop all capabilities but these, for this process and whatever it starts."""
    numbers = {_CAPABILITIES[name] for name in kept}
    for number in range(64):
        if number not in numbers and _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break  # the last one that this kernel knows is behind
    bits = sum(1 << number for number in numbers)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)(bits, bits, 0, 0, 0, 0)
    _check(_libc.syscall(_CAPSET[os.uname().machine], header, sets), "capset")
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def install_filter(program: bytes) -> None:
    """Install a program for seccomp(2) in this process. Raises OSError."""
    buffer = ctypes.create_string_buffer(program, len(program))
    value = _Filter(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    _check(_libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(value), 0, 0), "seccomp")


def _become_alone(kinds: list[str]) -> None:
    """Enter new namespaces; in the one of users, this user and group alone."""
    user, group = os.geteuid(), os.getegid()
    flags = _NEWNS | _NEW["user"]
    for kind in kinds:
        flags |= _NEW[kind]
    _check(_libc.unshare(flags), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as stream:
            stream.write(text)


def _read_all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()


def _wait(pid: int) -> int:
    """Wait for one child and collect all others; its exit code, 128 + the number of its signal."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _end_with(parent: int) -> None:
    _check(_libc.prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0), "pdeathsig")
    if parent and os.getppid() != parent:
        raise OSError("the parent has ended")


def _main(words: list[str]) -> int:
    options, program = parse_options(words)
    kinds = [words[0].removeprefix("--unshare-") for words in options if words[0].startswith("--unshare-")]
    kept = [words[1] for words in options if words[0] == "--cap-add"]
    folder = next((words[1] for words in options if words[0] == "--chdir"), "/")
    filters = [_read_all(int(words[1])) for words in options if words[0] == "--seccomp"]
    parent = os.getppid()
    _become_alone(kinds)
    # After the change of user namespace, which clears it.
    _end_with(parent)
    first = os.fork()
    if first:
        return _wait(first)
    try:
        # In its namespace of processes the parent has no number, so there is nothing to compare.
        _end_with(0)
        _build(options)
        if "net" in kinds:
            _raise_loopback()
        if ("--new-session",) in options:
            os.setsid()
        os.chdir(folder)
        _keep_capabilities(kept)
        for each in filters:
            install_filter(each)
        if ("--as-pid-1",) not in options and (main := os.fork()):
            os._exit(_wait(main))
        os.execv(program[0], program)  # noqa: S606 (an argument vector, no shell)
    except OSError as error:
        os.write(2, os.fsencode(f"namespaces: {error.strerror or error}\n"))
    except BaseException as error:  # noqa: BLE001 (the child must never return into the parent's code)
        os.write(2, os.fsencode(f"namespaces: {error}\n"))
    os._exit(SETUP_FAILED)


if __name__ == "__main__":
    try:
        sys.exit(_main(sys.argv[1:]))
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"namespaces: {problem}\n")
        sys.exit(SETUP_FAILED)
