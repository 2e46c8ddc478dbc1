"""The lines of strace, and what they tell of an adapter."""

from __future__ import annotations

import pytest

from verigate.conformance.trace_analysis import CallPlaces, ObservedActions, analyze_trace
from verigate.conformance.trace_parser import parse_trace

PLACES = CallPlaces(
    adapter="/adapters/own",
    subject="/repo",
    writable=("/run/task", "/run/home", "/tmp"),  # noqa: S108 (a name)
    toolbox="/run/bin.d",
    core="/run/core.d",
    programs={"git": "/usr/bin/git", "python3": "/usr/bin/python3"},
    core_programs=frozenset({"/bin/sh", "/usr/bin/env", "/usr/bin/cat"}),
    declared=frozenset({"git", "python3", "cat", "sh"}),
    python="/venv/bin/python",
    gate="/venv/bin",
    project=("/home/shims",),
)
INET, V4 = "{sa_family=AF_INET", "sin_addr=inet_addr"
INET6, V6 = "{sa_family=AF_INET6", "sin6_flowinfo=htonl(0), inet_pton(AF_INET6"
START = '1 execve("/adapters/own/bin/run", ["/adapters/own/bin/run", "x:y"], 0x1 /* 9 vars */) = 0'
GIT = (
    "1 vfork() = 2",
    '2 execve("/run/bin.d/git", ["git", "ls-files"], 0x1 /* 9 vars */) = 0',
    '2 execve("/usr/bin/git", ["/usr/bin/git", "ls-files"], 0x1 /* 9 vars */) = 0',
)


def told(*lines: str) -> ObservedActions:
    return analyze_trace(parse_trace("\n".join((START, *lines)).encode() + b"\n", "/repo"), PLACES)


@pytest.mark.parametrize(
    ("lines", "undeclared"),
    [
        (['1 execve("/usr/bin/perl", ["perl", "-e", "1"], 0x1 /* 9 vars */) = 0'], ("/usr/bin/perl",)),
        (['1 execve("/usr/bin/perl", ["perl"], 0x1 /* 9 vars */) = -1 ENOENT (No such file or directory)'], ()),
        (['1 execve("/bin/sh", ["sh", "-c", "true"], 0x1 /* 9 vars */) = 0'], ()),
        (['1 execve("/run/core.d/cat", ["cat"], 0x1 /* 9 vars */) = 0'], ()),
        (['1 execve("/venv/bin/lychee", ["lychee"], 0x1 /* 9 vars */) = 0'], ()),
        (['1 execve("/home/shims/node", ["node"], 0x1 /* 9 vars */) = 0'], ()),
        (['1 execve("/repo/build.sh", ["./build.sh"], 0x1 /* 9 vars */) = 0'], ()),
        ([*GIT, '2 execve("/usr/lib/git-core/git-x", ["git-x"], 0x1 /* 9 vars */) = 0'], ()),
        ([*GIT, "2 clone(child_stack=NULL) = 3", '3 execve("/usr/bin/less", ["less"], 0x1 /* 9 vars */) = 0'], ()),
        # An interpreter on a file of the adapter's is the adapter.
        (
            [
                '1 execve("/run/bin.d/python3", ["python3", "-I", "/adapters/own/main.py"], 0x1 /* 9 vars */) = 0',
                '1 execve("/usr/bin/python3", ["python3", "-I", "/adapters/own/main.py"], 0x1 /* 9 vars */) = 0',
                "1 fork() = 2",
                '2 execve("/usr/bin/jq", ["jq"], 0x1 /* 9 vars */) = 0',
            ],
            ("/usr/bin/jq",),
        ),
        # Not so one that an undeclared interpreter runs, though the file is its own.
        (['1 execve("/usr/bin/perl", ["perl", "/adapters/own/x.pl"], 0x1 /* 9 vars */) = 0'], ("/usr/bin/perl",)),
    ],
)
def test_programs(lines: list[str], undeclared: tuple[str, ...]) -> None:
    assert told(*lines).undeclared == undeclared


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ('1 openat(AT_FDCWD</repo>, "/run/task/a.json", O_WRONLY|O_CREAT, 0666) = 3</run/task/a.json>', ()),
        ('1 openat(AT_FDCWD</repo>, "a.json", O_WRONLY|O_CREAT, 0666) = 3</repo/a.json>', ("/repo/a.json",)),
        ('1 openat(AT_FDCWD</repo>, "a.json", O_RDONLY|O_CLOEXEC) = 3</repo/a.json>', ()),
        ('1 openat(AT_FDCWD</repo>, "/etc/x", O_RDWR) = -1 EROFS (Read-only file system)', ("/etc/x",)),
        ('1 openat(AT_FDCWD</repo>, "/dev/null", O_RDWR) = 3</dev/null>', ()),
        ('1 mkdir("/adapters/own/__pycache__", 0777) = -1 EROFS (Read-only file system)', ()),
        ('1 mkdirat(AT_FDCWD</tmp>, "../var/x", 0777) = 0', ("/var/x",)),
        ('1 rename("/run/task/a.part", "/run/task/a.json") = 0', ()),
        ('1 renameat2(AT_FDCWD</repo>, "/run/task/a", AT_FDCWD</repo>, "b", 0) = 0', ("/repo/b",)),
        ('1 symlink("/etc/passwd", "/run/task/link") = 0', ()),
        ('1 unlink("/run/../opt/x") = -1 ENOENT (No such file or directory)', ("/opt/x",)),
        ('1 unlinkat(5</srv>, "x", 0) = -1 EACCES (Permission denied)', ("/srv/x",)),
        ('1 openat(AT_FDCWD</repo>, "a\\nb\\303\\251", O_WRONLY) = 3', ("/repo/a\nb\u00e9",)),
        ('1 openat(AT_FDCWD</repo>, "/etc/x", O_WRONLY <unfinished ...>\n1 <... openat resumed>) = 3', ("/etc/x",)),
    ],
)
def test_files(line: str, written: tuple[str, ...]) -> None:
    assert told(line).written == written


def test_what_a_tool_tries_in_vain_or_leaves_in_the_checkout_is_no_write_of_the_adapter() -> None:
    in_vain = '2 openat(AT_FDCWD</repo>, "/etc/gitconfig.lock", O_WRONLY|O_CREAT, 0666) = -1 EROFS (Read-only)'
    index = '2 openat(AT_FDCWD</repo>, ".git/index.lock", O_WRONLY|O_CREAT, 0666) = 3</repo/.git/index.lock>'
    outside = '2 openat(AT_FDCWD</repo>, "/srv/x", O_WRONLY|O_CREAT, 0666) = 3</srv/x>'
    assert told(*GIT, in_vain, index, outside).written == ("/srv/x",)


@pytest.mark.parametrize(
    ("line", "network"),
    [
        (
            f'1 connect(3, {INET}, sin_port=htons(80), {V4}("192.0.2.1")}}, 16) = -1 ENETUNREACH (x)',
            "192.0.2.1 port 80",
        ),
        (f'1 connect(3, {INET6}, sin6_port=htons(443), {V6}, "2001:db8::1", &x)}}, 28) = 0', "2001:db8::1 port 443"),
        (f'1 connect(3, {INET}, sin_port=htons(8000), {V4}("127.0.0.1")}}, 16) = 0', None),
        (f'1 connect(3, {INET6}, sin6_port=htons(8000), {V6}, "::1", &x)}}, 28) = 0', None),
        (f'1 connect(3, {INET}, sin_port=htons(53), {V4}("127.0.0.53")}}, 16) = 0', "a name server, 127.0.0.53"),
        ('1 connect(3, {sa_family=AF_UNIX, sun_path="/run/nscd/socket"}, 110) = -1 ENOENT (x)', None),
        (f'1 sendto(3, "x", 1, 0, {INET}, sin_port=htons(9), {V4}("10.0.0.1")}}, 16) = 1', "10.0.0.1 port 9"),
    ],
)
def test_network(line: str, network: str | None) -> None:
    assert told(line).network == ((network,) if network else ())


@pytest.mark.parametrize(
    ("name", "looked_for"),
    [("jq", ("jq",)), ("git", ()), ("pyvenv.cfg", ()), ("libx.so", ()), ("a b", ())],
)
def test_a_program_that_is_looked_for_in_vain(name: str, looked_for: tuple[str, ...]) -> None:
    line = f'newfstatat(AT_FDCWD</repo>, "/run/core.d/{name}", 0x1, 0) = -1 ENOENT (No such file or directory)'
    assert told(f"1 {line}").looked_for == looked_for
    assert told(*GIT, f"2 {line}").looked_for == ()


def test_a_folder_that_was_changed_to_counts_for_its_process_and_those_it_starts() -> None:
    lines = (
        '1 chdir("lib") = 0',
        "1 vfork() = 2",
        '2 mkdir("x", 0777) = 0',
        '1 chdir("/run/task") = 0',
        '1 mkdir("y", 0777) = 0',
    )
    assert told(*lines).written == ("/repo/lib/x",)


def test_lines_that_make_no_sense_are_left_out() -> None:
    assert told("", "garbage", "1 openat(", "1 +++ exited with 0 +++", "x y = z") == ObservedActions()
    assert parse_trace(b"", "/repo").first == 0
