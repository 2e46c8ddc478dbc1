"""Restrict a program by Landlock and seccomp where no namespace can be made, as in an unprivileged container.

Run as a script: ``python -I -S landlock.py OPTIONS... -- ARGV...``; it restricts itself and becomes ARGV. Options, each
of them repeatable: ``--read PATH`` (read and execute what is there), ``--write PATH`` (change it as well), ``--device
PATH`` (read and write a file that exists), ``--no-network``, ``--seccomp HEX`` (a program for seccomp(2)). Only the
standard library is used. Sources: landlock(7), https://docs.kernel.org/userspace-api/landlock.html.

What it holds depends on the version of the kernel's interface (ABI): cutting files off since 3, TCP since 4, devices
since 5, signals and abstract sockets since 6. What it never holds: the modes, owners and times of files, sockets at a
path, and the view of other processes.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

SETUP_FAILED = 125
_CREATE, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_READ = sum(1 << bit for bit in (0, 2, 3))  # execute, read file, read folder
_WRITE_FILE = 1 << 1
_CHANGE = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))  # write, remove, make anything
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_OF_FILES = (1 << 0) | _WRITE_FILE | (1 << 2) | _TRUNCATE | _IOCTL_DEVICE
_TCP = 3
_SCOPES = 3
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP = 24, 38, 22
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION = 0x20080522
_VALUES = {"--read": 1, "--write": 1, "--device": 1, "--seccomp": 1, "--no-network": 0}
_FIRST_WITH = {_REFER: 2, _TRUNCATE: 3, _IOCTL_DEVICE: 5}

_libc = ctypes.CDLL(None, use_errno=True)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


def find_abi() -> int:
    """Return the version of this kernel's Landlock; 0 without one."""
    return max(0, int(_libc.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION_FLAG)))


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


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _restrict(options: list[tuple[str, ...]]) -> None:
    abi = find_abi()
    if abi == 0:
        raise OSError("this kernel has no Landlock")
    handled = _READ | _CHANGE
    for right, first in _FIRST_WITH.items():
        handled |= right if abi >= first else 0
    closed = _TCP if ("--no-network",) in options and abi >= 4 else 0
    attributes = struct.pack("QQQ", handled, closed, _SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = _check(_libc.syscall(_CREATE, attributes, ctypes.c_size_t(size), 0), "landlock_create_ruleset")
    for name, *values in options:
        if name in {"--read", "--write", "--device"}:
            rights = {"--read": _READ, "--write": handled & ~_IOCTL_DEVICE, "--device": _OF_FILES}[name]
            _allow(rules, values[0], handled & rights)
    _check(_libc.syscall(_RESTRICT_SELF, rules, 0), "landlock_restrict_self")
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what can't be found isn't opened
    try:
        rights &= -1 if os.path.isdir(path) else _OF_FILES
        beneath = struct.pack("=Qi", rights, place)
        _check(_libc.syscall(_ADD_RULE, rules, _PATH_BENEATH, beneath, 0), f"landlock_add_rule {path}")
    finally:
        os.close(place)


def _drop_capabilities() -> None:
    for number in range(64):
        if _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break  # the last one is behind, or there are none to drop
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)(0, 0, 0, 0, 0, 0)
    _check(_libc.syscall(_CAPSET[os.uname().machine], header, sets), "capset")


def _install_filter(program: bytes) -> None:
    buffer = ctypes.create_string_buffer(program, len(program))
    value = _Filter(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    _check(_libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(value), 0, 0), "seccomp")


def _main(words: list[str]) -> int:
    options, program = parse_options(words)
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    _restrict(options)
    _drop_capabilities()
    for name, *values in options:
        if name == "--seccomp":
            _install_filter(bytes.fromhex(values[0]))
    try:
        os.execv(program[0], program)  # noqa: S606 (an argument vector, no shell)
    except OSError as error:
        sys.stderr.write(f"{program[0]}: {error.strerror}\n")
        return 126 if isinstance(error, PermissionError) else 127


if __name__ == "__main__":
    try:
        sys.exit(_main(sys.argv[1:]))
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"landlock: {problem}\n")
        sys.exit(SETUP_FAILED)
