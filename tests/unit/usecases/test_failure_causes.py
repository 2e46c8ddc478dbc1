"""What a trace of failed system calls leads to: grants to try, sentences, and nothing for a forged one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from verigate.domain.grants import GrantKind
from verigate.usecases.failure_causes import MAX_CANDIDATES, Causes, Machine, find_causes

ROOT, HOME, PRIVATE = "/srv/shop", "/home/a", "/var/lib/run/calls/home.d"
THERE = {
    "/home/a/.cache/words",
    "/home/a/.ssh",
    "/run/database/socket",
    "/srv/shop/made/words",
    "/srv/shop/made",
    "/srv/shop/src/a.py",
    "/var/tmp/words",  # noqa: S108 (only compared)
    "/etc/shop.conf",
}


def machine(environ: dict[str, str] | None = None, mentioned: Sequence[str] = (), listening: int = 5432) -> Machine:
    return Machine(
        root=ROOT,
        home=HOME,
        private_home=PRIVATE,
        environ=environ or {},
        exists=THERE.__contains__,
        is_secret=lambda path: path.startswith("/home/a/.ssh"),
        ignored=lambda path: "made" if path.startswith("made") else None,
        listens=listening.__eq__,
        mentioned=lambda names: [name for name in names if name in mentioned],
        finds_program={"dot", "git"}.__contains__,
    )


def causes(*lines: str, messages: Sequence[str] = (), at: Machine | None = None) -> Causes:
    trace = "".join(f"{number} {line}\n" for number, line in enumerate(lines, 7))
    return find_causes(trace.encode(), messages, at or machine())


def tried(found: Causes) -> list[str]:
    return [f"{each.grant.kind} {each.grant.what}" for each in found.candidates]


def connecting(port: int, address: str, error: str) -> str:
    place = f'{{sa_family=AF_INET, sin_port=htons({port}), sin_addr=inet_addr("{address}")}}'
    return f"connect(3<TCP:[1]>, {place}, 16) = -1 {error} (as it says)"


ENOENT = "= -1 ENOENT (No such file or directory)"


@pytest.mark.parametrize(
    ("line", "grant"),
    [
        (f'openat(AT_FDCWD</srv/shop>, "{PRIVATE}/.cache/words", O_RDONLY) {ENOENT}', "bind ~/.cache/words"),
        (f'openat(AT_FDCWD</srv/shop>, "/home/a/.cache/words", O_RDONLY) {ENOENT}', "bind ~/.cache/words"),
        (f'openat(AT_FDCWD</srv/shop>, "made/words", O_RDONLY|O_CLOEXEC) {ENOENT}', "bind made"),
        (f'stat("/srv/shop/made/words", 0x7ffe) {ENOENT}', "bind made"),
        (f'access("/var/tmp/words", R_OK) {ENOENT}', "bind /var/tmp/words"),
        (
            f'connect(3<UNIX:[1]>, {{sa_family=AF_UNIX, sun_path="/run/database/socket"}}, 110) {ENOENT}',
            "bind /run/database/socket",
        ),
        (connecting(443, "93.184.216.34", "ENETUNREACH"), "network hosts"),
        (connecting(53, "10.0.0.2", "ENETUNREACH"), "network hosts"),
        (
            "recvfrom(3<UDP:[127.0.0.1:1->127.0.0.53:53]>, 0x7f, 2048, 0, NULL, NULL) = -1 ECONNREFUSED (refused)",
            "network hosts",
        ),
        (connecting(5432, "127.0.0.1", "EINPROGRESS"), "network hosts"),
    ],
)
def test_a_failed_call_leads_to_a_grant(line: str, grant: str) -> None:
    assert tried(causes(line)) == [grant]


@pytest.mark.parametrize(
    "line",
    [
        f'openat(AT_FDCWD</srv/shop>, "/home/a/.ssh/id", O_RDONLY) {ENOENT}',
        f'openat(AT_FDCWD</srv/shop>, "{PRIVATE}/.ssh", O_RDONLY) {ENOENT}',
        f'openat(AT_FDCWD</srv/shop>, "/etc/shop.conf", O_RDONLY) {ENOENT}',
        f'openat(AT_FDCWD</srv/shop>, "/nowhere/at/all", O_RDONLY) {ENOENT}',
        f'openat(AT_FDCWD</srv/shop>, "src/a.py", O_RDONLY) {ENOENT}',
        f'openat(AT_FDCWD</srv/shop>, "made/__pycache__/a.pyc", O_RDONLY) {ENOENT}',
        f'openat(AT_FDCWD</srv/shop>, "/", O_RDONLY) {ENOENT}',
        f'openat(AT_FDCWD</srv/shop>, "/tmp", O_RDONLY) {ENOENT}',
        'openat(AT_FDCWD</srv/shop>, "/home/a/.cache/words", O_RDONLY) = 3',
        'openat(AT_FDCWD</srv/shop>, "/home/a/.cache/words", O_RDWR) = -1 EROFS (Read-only file system)',
        connecting(80, "127.0.0.1", "ECONNREFUSED"),
        "no trace at all",
        "openat(",
    ],
)
def test_what_leads_to_nothing(line: str) -> None:
    assert tried(causes(line)) == []


def test_the_host_that_a_message_names_is_in_the_cause() -> None:
    line = connecting(53, "10.0.0.2", "ENETUNREACH")
    found = causes(line, messages=["E   NameResolutionError: Failed to resolve 'api.example.org'"])
    assert found.candidates[0].cause == "a host name isn't resolved: api.example.org"


def test_variables_that_sources_or_messages_name_are_tried() -> None:
    environ = {"SHOP_KEY": "x", "OTHER_KEY": "y", "UNNAMED": "z", "PATH": "/bin", "LD_PRELOAD": "e.so"}
    at = machine(environ, mentioned=["OTHER_KEY", "PATH", "LD_PRELOAD"])
    found = causes(messages=["E   KeyError: 'SHOP_KEY'"], at=at)
    assert tried(found) == ["env SHOP_KEY", "env OTHER_KEY"]
    assert {each.grant.kind for each in found.candidates} == {GrantKind.ENV}


def test_what_no_grant_changes_is_named() -> None:
    found = causes(
        "unshare(CLONE_NEWNET) = -1 EPERM (Operation not permitted)",
        f'execve("/usr/bin/dot", ["dot"], 0x7ffe /* 9 vars */) {ENOENT}',
        f'execve("/usr/bin/git", ["git"], 0x7ffe /* 9 vars */) {ENOENT}',
        'mkdir("/home/a/.cache/new", 0777) = -1 EROFS (Read-only file system)',
        messages=["FileNotFoundError: [Errno 2] No such file or directory: 'dot'", "a git file"],
    )
    assert found.others == (
        "a system call is refused: unshare (EPERM)",
        "a program isn't on PATH inside: dot",
        "a path can't be written: /home/a/.cache/new (EROFS)",
    )


def test_a_forged_trace_costs_a_bounded_number_of_runs_and_opens_nothing_to_write() -> None:
    """Tests can write to the file of the trace: each candidate has to exist, is read-only and no secret."""
    forged = [f'openat(AT_FDCWD</srv/shop>, "/forged/{n}/x", O_RDONLY) {ENOENT}' for n in range(50)]
    at = machine()
    at = Machine(**{name: getattr(at, name) for name in at.__struct_fields__} | {"exists": lambda _: True})
    found = causes(*forged, f'stat("/home/a/.ssh/id", 0x7) {ENOENT}', "\x00\xff garbage", "<... x resumed>)", at=at)
    assert len(found.candidates) == MAX_CANDIDATES
    assert {each.grant.mode for each in found.candidates} == {"ro"}
    assert not [each for each in found.candidates if ".ssh" in each.grant.what]


def test_a_path_with_hostile_characters_is_never_a_candidate() -> None:
    at = machine()
    at = Machine(**{name: getattr(at, name) for name in at.__struct_fields__} | {"exists": lambda _: True})
    lines = [
        f'stat("/opt/a\\nb/c", 0x7) {ENOENT}',
        f'stat("/opt/*/c", 0x7) {ENOENT}',
        f'stat("/opt/\\"/c", 0x7) {ENOENT}',
    ]
    assert tried(causes(*lines, at=at)) == []


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ('home_test.go:49: "/home/a" != "<temporary>"', True),
        (f"expected /home/a, got {PRIVATE}/x", True),
        ('"/home/a/shop" != "<temporary>"', False),
        ('"/home/ab" != "<temporary>"', False),
        ("expected /home/a", False),
        ("expected /home/a\nmade <temporary>", False),
        ("made <temporary>", False),
    ],
)
def test_a_message_that_compares_the_home_inside_with_the_callers_says_which_variable_it_is(
    message: str, named: bool
) -> None:
    said = [each for each in causes(messages=[message]).others if "env HOME=/home/a" in each]
    assert bool(said) is named


def test_the_folder_where_go_compiles_is_no_cause() -> None:
    line = 'openat(AT_FDCWD</srv/shop>, "/dev/shm/go-build/40/4041-a", O_RDWR) = -1 EROFS (Read-only file system)'
    assert causes(line).others == ()
