"""The system calls that no sandbox allows, as a classic BPF program for seccomp(2).

A namespace holds files, processes and IP. It doesn't hold what the kernel has once for all: keyrings, bpf(2),
performance events, modules, the terminal's input, and families of sockets that no network namespace separates (AF_VSOCK
reaches the host of a virtual machine). A machine may lack libseccomp, and bubblewrap takes a finished program; that is
a table of thirty numbers, so it is built here. Sources: seccomp(2), linux/filter.h, asm/unistd.h.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import cache

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_NUMBER_AT, _ARCH_AT, _FIRST_AT, _SECOND_AT = 0, 4, 16, 24
"""Offsets in struct seccomp_data; of the arguments the lower halves, which are all that the kernel looks at here."""

_X32 = 0x40000000
_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_PLACE = {"x86_64": 0, "aarch64": 1}
REFUSED = {
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "open_by_handle_at": (304, 265),
    "pidfd_getfd": (438, 438),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "quotactl": (179, 60),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "syslog": (103, 116),
    "iopl": (172, None),
    "ioperm": (173, None),
}
"""System call -> its number on x86_64 and on aarch64. io_uring does what its rings say past any filter."""

_SHARED = {
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
}
"""What all processes of a machine share that have no namespace of their own."""

_OF_THE_FIRST = {
    "ptrace": (101, 117, _SECOND_AT),
    "process_vm_readv": (310, 270, _FIRST_AT),
    "process_vm_writev": (311, 271, _FIRST_AT),
}
"""What reads or writes another process: refused for process 1, which reports how the adapter ended."""

_OF_A_PROCESS = {
    "prlimit64": (302, 261, _FIRST_AT),
    "setpriority": (141, 140, _SECOND_AT),
    "sched_setaffinity": (203, 122, _FIRST_AT),
}
"""And what changes another process: numbers, and where the argument is that is 0 for the caller itself."""

_SOCKET, _SOCKETPAIR, _IOCTL = (41, 198), (53, 199), (16, 29)
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
_TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: they type into the terminal that the gate was started on."""


@cache
def build_filter(machine: str, *, internet: bool = True, namespaces: bool = True) -> bytes:
    """Build the program for a machine as uname(2) names it; empty for one whose numbers aren't known.

    Refused calls fail with EPERM, families of sockets with EAFNOSUPPORT, calls of another architecture (32 bits, x32)
    with ENOSYS. Without ``internet`` there is no IP socket at all, for where no namespace closes the network. Without
    ``namespaces`` nothing is shared with processes outside, and their attributes can't be changed.
    """
    if machine not in _MACHINES:
        return b""
    place = _PLACE[machine]
    families = (AF_UNIX, AF_NETLINK, *((AF_INET, AF_INET6) if internet else ()))
    lines = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_EQUAL, 1, 0, _MACHINES[machine]),
        (_RETURN, 0, 0, _ERRNO | _ENOSYS),
        (_LOAD, 0, 0, _NUMBER_AT),
        *((((_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERRNO | _ENOSYS))) if machine == "x86_64" else ()),
    ]
    for numbers in (*REFUSED.values(), *(() if namespaces else _SHARED.values())):
        if (number := numbers[place]) is not None:
            lines += _choose(number, [(_RETURN, 0, 0, _ERRNO | _EPERM)])
    for number, other, at in () if namespaces else _OF_A_PROCESS.values():
        itself = [*_compare(at, (0,), _ALLOW), (_RETURN, 0, 0, _ERRNO | _EPERM)]
        lines += _choose((number, other)[place], itself)
    for number, other, at in _OF_THE_FIRST.values() if namespaces else ():
        first = [*_compare(at, (1,), _ERRNO | _EPERM), (_RETURN, 0, 0, _ALLOW)]
        lines += _choose((number, other)[place], first)
    for numbers in (_SOCKET, _SOCKETPAIR):
        known = _compare(_FIRST_AT, families, _ALLOW)
        lines += _choose(numbers[place], [*known, (_RETURN, 0, 0, _ERRNO | _EAFNOSUPPORT)])
    checked = [*_compare(_SECOND_AT, _TERMINAL_INPUT, _ERRNO | _EPERM), (_RETURN, 0, 0, _ALLOW)]
    lines += [*_choose(_IOCTL[place], checked), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _choose(number: int, lines: Sequence[tuple[int, int, int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield ``lines``, which end with a return, for this system call; others go on after them."""
    yield (_EQUAL, 0, len(lines), number)
    yield from lines


def _compare(at: int, values: Sequence[int], answer: int) -> Iterator[tuple[int, int, int, int]]:
    yield (_LOAD, 0, 0, at)
    for value in values:
        yield (_EQUAL, 0, 1, value)
        yield (_RETURN, 0, 0, answer)
