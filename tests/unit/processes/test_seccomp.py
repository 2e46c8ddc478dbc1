"""The filter of system calls, run by an interpreter of classic BPF: of both machines, whichever this one is."""

from __future__ import annotations

import struct
from typing import NamedTuple

import pytest

from verigate.processes.seccomp import AF_INET, AF_INET6, AF_NETLINK, AF_UNIX, REFUSED, build_filter

ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PLACES = {"x86_64": 0, "aarch64": 1}
SOCKET, IOCTL, READ = (41, 198), (16, 29), (0, 63)
ALLOWED, EPERM, ENOSYS, EAFNOSUPPORT = 0x7FFF0000, 0x50001, 0x50026, 0x50061


class Call(NamedTuple):
    """A system call as the kernel shows it to a filter."""

    number: int
    arch: int
    arguments: tuple[int, ...] = ()

    def word(self, at: int) -> int:
        padded = (*self.arguments, *[0] * 6)[:6]
        (found,) = struct.unpack_from("=I", struct.pack("=iIQ6Q", self.number, self.arch, 0, *padded), at)
        return int(found)


def run(program: bytes, call: Call) -> int:
    """What the kernel would do: the value that the program returns."""
    lines = list(struct.iter_unpack("=HBBI", program))
    at = loaded = 0
    while True:
        code, true, false, value = lines[at]
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            loaded = call.word(value)
        elif code in {0x15, 0x35}:
            at += true if (loaded == value if code == 0x15 else loaded >= value) else false
        else:
            raise ValueError(code)


@pytest.fixture(params=sorted(ARCHES))
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def decide(machine: str, numbers: tuple[int | None, ...], *arguments: int, **options: bool) -> int:
    number = numbers[PLACES[machine]]
    assert number is not None
    return run(build_filter(machine, **options), Call(number, ARCHES[machine], arguments))


def test_what_is_in_the_table_is_refused_and_the_rest_is_not(machine: str) -> None:
    for numbers in REFUSED.values():
        if numbers[PLACES[machine]] is not None:
            assert decide(machine, numbers) == EPERM
    assert decide(machine, READ) == ALLOWED


def test_the_first_process_is_neither_traced_nor_read_where_it_reports_the_end(machine: str) -> None:
    for numbers, before in {(101, 117): (16,), (310, 270): (), (311, 271): ()}.items():
        assert decide(machine, numbers, *before, 1) == EPERM
        assert decide(machine, numbers, *before, 2) == ALLOWED
        assert decide(machine, numbers, *before, 1, namespaces=False) == ALLOWED


def test_sockets_are_of_four_families(machine: str) -> None:
    allowed = [family for family in range(64) if decide(machine, SOCKET, family) == ALLOWED]
    assert allowed == sorted((AF_UNIX, AF_INET, AF_INET6, AF_NETLINK))
    assert decide(machine, SOCKET, 40) == EAFNOSUPPORT


def test_where_no_namespace_closes_the_network_there_is_no_ip_socket(machine: str) -> None:
    assert decide(machine, SOCKET, AF_INET, internet=False) == EAFNOSUPPORT
    assert decide(machine, SOCKET, AF_INET6, internet=False) == EAFNOSUPPORT
    assert decide(machine, SOCKET, AF_UNIX, internet=False) == ALLOWED


def test_without_namespaces_nothing_is_shared_and_no_other_process_changed(machine: str) -> None:
    shmget, prlimit, priority = (29, 194), (302, 261), (141, 140)
    assert decide(machine, shmget) == ALLOWED
    assert decide(machine, shmget, namespaces=False) == EPERM
    assert [decide(machine, prlimit, pid, namespaces=False) for pid in (0, 7)] == [ALLOWED, EPERM]
    assert [decide(machine, priority, 0, pid, namespaces=False) for pid in (0, 7)] == [ALLOWED, EPERM]


def test_the_upper_half_of_an_argument_changes_nothing(machine: str) -> None:
    tiocsti = 0x5412
    assert decide(machine, IOCTL, 0, tiocsti) == EPERM
    assert decide(machine, IOCTL, 0, tiocsti | 1 << 32) == EPERM
    assert decide(machine, IOCTL, 0, 0x5413) == ALLOWED


def test_calls_of_another_architecture_are_unknown() -> None:
    program = build_filter("x86_64")
    assert run(program, Call(0, 0x40000003)) == ENOSYS
    assert run(program, Call(0x40000000 | 41, ARCHES["x86_64"])) == ENOSYS
    assert run(build_filter("aarch64"), Call(0x40000000 | 41, ARCHES["aarch64"])) == ALLOWED


def test_a_machine_without_numbers_has_no_filter() -> None:
    assert build_filter("loongarch64") == b""
