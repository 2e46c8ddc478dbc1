"""run_tool against real programs: sh and this Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from verigate.sdk import ToolFailed, run_tool
from verigate.sdk.tools import start_tool

if TYPE_CHECKING:
    from pathlib import Path


def gone(pid: int) -> bool:
    """Whether the process has ended (a zombie that nobody reaped yet has)."""
    for _ in range(100):
        try:
            with open(f"/proc/{pid}/stat", "rb") as stream:  # noqa: PTH123
                if stream.read().rpartition(b")")[2].split()[0] == b"Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


def test_output_and_exit_code(tmp_path: Path) -> None:
    run = run_tool(["sh", "-c", "pwd; echo no >&2; exit 3"], cwd=tmp_path, timeout_s=10)
    assert (run.exit_code, run.signal, run.timed_out, run.truncated) == (3, None, False, False)
    assert run.stdout.decode().strip() == str(tmp_path)
    assert run.stderr == b"no\n"
    assert run.ended == "exit code 3"
    assert run.tail() == "no"
    assert run.add_cause("sh failed") == "sh failed: no"


def test_the_ends_of_the_output_are_bounded_and_can_not_act_on_a_terminal(tmp_path: Path) -> None:
    hostile = r"\033]0;title\007\033[31mred\033[0m\rnext\b\302\233J\342\200\256"
    run = run_tool(["printf", hostile], cwd=tmp_path, timeout_s=10)
    assert run.tail() == "red\nnextJ"


def test_a_failure_names_the_cause_and_keeps_the_output(tmp_path: Path) -> None:
    script = "echo start; echo out; echo 'Error: no port' >&2; echo advice >&2; exit 3"
    run = run_tool(["sh", "-c", script], cwd=tmp_path, timeout_s=10)
    failure = run.as_failure(f"sh ended with {run.ended}", where="shop", hint="free a port")
    assert isinstance(failure, ToolFailed)
    assert str(failure.faults[0]) == "shop: sh ended with exit code 3: Error: no port (free a port)"
    assert failure.output == f"$ sh -c {script}\nstart\nout\nError: no port\nadvice"
    quiet = run_tool(["false"], cwd=tmp_path, timeout_s=10).as_failure("false failed")
    assert (quiet.message, quiet.output) == ("false failed", "$ false")


def test_the_output_of_a_failure_is_bounded_and_in_whole_lines(tmp_path: Path) -> None:
    """A half of a secret couldn't be redacted."""
    script = "seq -f 'token-%012.0f-end' 100000"
    lines = run_tool(["sh", "-c", script], cwd=tmp_path, timeout_s=10).output.splitlines()[1:]
    assert sum(map(len, lines)) < 420_000
    left_out = [line for line in lines if not re.fullmatch(r"token-\d{12}-end", line)]
    assert len(left_out) == 1
    assert re.fullmatch(r"\[\.\.\. \d+ bytes left out \.\.\.\]", left_out[0])
    assert (lines[0], lines[-1]) == ("token-000000000001-end", "token-000000100000-end")


def test_stdin_is_what_is_given_and_else_empty(tmp_path: Path) -> None:
    assert run_tool(["cat"], cwd=tmp_path, timeout_s=10).stdout == b""
    much = b"line\n" * 100_000  # more than a pipe holds
    assert run_tool(["cat"], cwd=tmp_path, timeout_s=10, stdin=much).stdout == much
    assert run_tool(["true"], cwd=tmp_path, timeout_s=10, stdin=much).exit_code == 0


def test_a_signal_is_told_apart(tmp_path: Path) -> None:
    run = run_tool(["sh", "-c", "kill -9 $$"], cwd=tmp_path, timeout_s=10)
    assert (run.exit_code, run.signal) == (None, 9)
    assert "SIGKILL" in run.ended


def test_arguments_are_never_read_by_a_shell(tmp_path: Path) -> None:
    run = run_tool(["printf", "%s", "$(touch x); `touch y`\n"], cwd=tmp_path, timeout_s=10)
    assert run.stdout == b"$(touch x); `touch y`\n"
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="can't be started"):
        run_tool(["no-such-program-here"], cwd=tmp_path, timeout_s=10)
    with pytest.raises(ToolFailed):
        run_tool(["echo", "a\0b"], cwd=tmp_path, timeout_s=10)


@pytest.mark.slow
def test_a_timeout_ends_the_whole_group(tmp_path: Path) -> None:
    started = time.monotonic()
    run = run_tool(["sh", "-c", 'trap "" TERM; sleep 60 & echo $! > child; sleep 60'], cwd=tmp_path, timeout_s=0.5)
    assert run.timed_out
    assert run.exit_code is None
    assert run.ended == "timeout"
    assert time.monotonic() - started < 10
    assert gone(int((tmp_path / "child").read_text()))


def test_a_background_child_neither_holds_the_call_nor_survives(tmp_path: Path) -> None:
    started = time.monotonic()
    run = run_tool(["sh", "-c", "sleep 60 & echo $!"], cwd=tmp_path, timeout_s=30)
    assert run.exit_code == 0
    assert not run.timed_out
    assert time.monotonic() - started < 10
    assert gone(int(run.stdout))


@pytest.mark.slow
def test_a_daemon_in_another_session_does_not_hold_the_call(tmp_path: Path) -> None:
    code = "import os, time\nif os.fork() == 0:\n os.setsid()\n time.sleep(15)"
    started = time.monotonic()
    run = run_tool([sys.executable, "-c", code], cwd=tmp_path, timeout_s=30)
    assert run.exit_code == 0
    assert time.monotonic() - started < 10


LEAVES = """
import os, subprocess, sys
from pathlib import Path
from verigate.sdk import run_tool
from verigate.sdk.stragglers import own_what_is_started
kept = subprocess.Popen(["sleep", "60"])
with own_what_is_started():
    run_tool([sys.executable, "-c", sys.argv[1]], cwd=Path.cwd(), timeout_s=30)
    left = Path("pids").read_text().split()
    print([pid for pid in left if os.path.exists(f"/proc/{pid}")], kept.poll())
kept.kill()
"""
FORKS = {
    "a daemon": "if os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  note()\n  time.sleep(60)",
    "a group of its own": "if os.fork() == 0:\n os.setpgid(0, 0)\n note()\n time.sleep(60)",
    "a tree": "if os.fork() == 0:\n os.setsid()\n for _ in range(5):\n  os.fork()\n note()\n time.sleep(60)",
    "one that forks as it dies": "if os.fork() == 0:\n os.setsid()\n for _ in range(300):\n"
    "  if os.fork(): os._exit(0)\n  os.setsid()\n  note()\n  time.sleep(0.001)\n time.sleep(60)",
}


@pytest.mark.parametrize("code", FORKS.values(), ids=FORKS)
def test_what_left_the_group_is_ended_before_the_result_is_read(tmp_path: Path, code: str) -> None:
    start = "import os, time\ndef note():\n with open('pids', 'a') as f: f.write(f'{os.getpid()}\\n')\n"
    argv = [sys.executable, "-c", LEAVES, f"{start}{code}\nif os.getppid() != 1: time.sleep(0.3)"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "[] None\n", done.stderr
    assert (tmp_path / "pids").read_text().split()


def test_a_flood_is_bounded_and_said_so(tmp_path: Path) -> None:
    run = run_tool(["sh", "-c", "head -c 3000000 /dev/zero; echo end >&2"], cwd=tmp_path, timeout_s=30, max_bytes=1000)
    assert len(run.stdout) == 1000
    assert run.truncated
    assert run.exit_code == 0
    assert run.stderr == b"end\n"


def test_the_environment_is_what_was_given(tmp_path: Path) -> None:
    run = run_tool(["env"], cwd=tmp_path, timeout_s=10, env={"PATH": os.environ["PATH"], "ONLY": "1"})
    assert b"ONLY=1" in run.stdout.split()
    assert b"HOME" not in run.stdout


def test_a_started_tool_runs_while_others_do_and_is_waited_for(tmp_path: Path) -> None:
    with start_tool(["sh", "-c", "read word; echo $word"], cwd=tmp_path, timeout_s=10, stdin=b"first\n") as tool:
        assert run_tool(["echo", "second"], cwd=tmp_path, timeout_s=10).stdout == b"second\n"
        run = tool.wait()
    assert (run.stdout, run.exit_code) == (b"first\n", 0)


def test_a_started_tool_that_nobody_waits_for_ends_with_its_context(tmp_path: Path) -> None:
    with start_tool(["sh", "-c", "sleep 60 & echo $! > pid; wait"], cwd=tmp_path, timeout_s=90):
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            time.sleep(0.01)
    assert gone(int((tmp_path / "pid").read_text()))


def test_the_time_of_a_started_tool_begins_with_its_start(tmp_path: Path) -> None:
    with start_tool(["sleep", "60"], cwd=tmp_path, timeout_s=0.2) as tool:
        time.sleep(0.3)
        before = time.monotonic()
        assert tool.wait().timed_out
        assert time.monotonic() - before < 30
