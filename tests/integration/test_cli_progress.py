"""What is told while the gate runs: on a real terminal, to a pipe, and not at all."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest

from verigate.cli.progress import is_live

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
TOLD = re.compile(r"✓ code:tests +\d+\.\d s  5 tests passed, 1 skipped")
LIVE = re.compile(r"[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] code:tests +(\d+\.\d) s")


def repository(folder: Path, seconds: float) -> gr.GatedRepository:
    made = gr.make(folder, CODE, {"tests_pass": True}, acts={"code:tests": f"sleep {seconds}\n"})
    made.begin()
    made.put("a.py", "answer = 42\n")
    made.claim("file:a.py")
    return made


class Terminal:
    """``gate verify`` with its stderr on a terminal, of ``T1`` unless ``what`` says otherwise."""

    def __init__(self, place: gr.GatedRepository, *arguments: str, what: str = "T1", **environ: str) -> None:
        self._leader, follower = pty.openpty()
        self.process = subprocess.Popen(
            (*gr.GATE, "verify", what, *arguments),
            cwd=place.root,
            env=place.environ(**{"TERM": "xterm-256color", "NO_COLOR": "1", **environ}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=follower,
        )
        os.close(follower)
        self.written = ""

    def read(self, until: re.Pattern[str] | None = None) -> str:
        """What was written up to now, at least until a pattern was; without one until its end."""
        while until is None or not until.search(self.written):
            try:
                chunk = os.read(self._leader, 65536)
            except OSError:
                break
            if not chunk:
                break
            self.written += chunk.decode()
        return self.written

    def end(self) -> int:
        self.read()
        os.close(self._leader)
        return self.process.wait(60)


@pytest.mark.parametrize(
    ("terminal", "environ", "live"),
    [
        (True, {"TERM": "xterm"}, True),
        (False, {"TERM": "xterm"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {}, False),
        (True, {"TERM": "xterm", "GITHUB_ACTIONS": "true"}, False),
    ],
)
def test_lines_are_live_where_they_can_be_drawn_anew(terminal: bool, environ: dict[str, str], live: bool) -> None:
    assert is_live(terminal, environ) is live


def test_a_terminal_sees_what_runs_and_keeps_what_has_ended(tmp_path: Path) -> None:
    place = repository(tmp_path, 0.8)
    seen = Terminal(place)
    assert seen.end() == 0, seen.written
    seconds = [float(found) for found in LIVE.findall(seen.written)]
    assert seconds[0] < seconds[-1], seen.written
    assert len(TOLD.findall(seen.written)) == 1, seen.written
    assert seen.written.rindex(HIDE) < seen.written.rindex(SHOW)
    # What ended is above what is live, and nothing live is left: the last thing drawn is the erasure of its line.
    assert "\x1b[2K" in seen.written[TOLD.search(seen.written).end() :]  # type: ignore[union-attr] - counted above
    dumb, quiet = Terminal(place, "--no-cache", TERM="dumb"), Terminal(place, "--quiet", "--only", "code:tests")
    assert (dumb.end(), quiet.end()) == (0, 4)
    assert "\x1b" not in dumb.written
    assert TOLD.search(dumb.written)
    assert quiet.written == ""


def test_what_runs_is_seen_where_several_are_verified(tmp_path: Path) -> None:
    place = repository(tmp_path, 0.8)
    seen = Terminal(place, what="--all")
    assert seen.end() == 0, seen.written
    seconds = [float(found) for found in LIVE.findall(seen.written)]
    assert seconds[0] < seconds[-1], seen.written
    # Each verdict has a line of its own on stdout: of the capabilities nothing is left.
    assert "✓" not in seen.written
    assert seen.written.rindex(HIDE) < seen.written.rindex(SHOW)
    quiet = Terminal(place, "--quiet", "--no-cache", what="--all")
    assert quiet.end() == 0, quiet.written
    assert quiet.written == ""


def test_an_interrupted_terminal_has_its_cursor_again(tmp_path: Path) -> None:
    seen = Terminal(repository(tmp_path, 30))
    seen.read(until=LIVE)
    time.sleep(0.1)
    seen.process.send_signal(signal.SIGINT)
    assert seen.end() == 130, seen.written
    assert seen.written.rindex(HIDE) < seen.written.rindex(SHOW)
    assert "interrupted" in seen.written


def test_a_program_that_asks_for_it_hears_of_starts_as_well(tmp_path: Path) -> None:
    place = repository(tmp_path, 0)
    done = place.gate("verify", "T1", GATE_REPORT_STARTS="1")
    lines = done.err.splitlines()
    started, ended = (next(i for i, line in enumerate(lines) if line.startswith(f"{mark} code:tests")) for mark in "…✓")
    assert started < ended, done.output
    assert lines[started].endswith("runs")
    assert "…" not in place.gate("verify", "T1", "--quiet", "--no-cache", GATE_REPORT_STARTS="1").err
    assert "…" not in place.gate("verify", "T1", "--no-cache").err


def test_a_pipe_gets_plain_lines_and_never_loads_what_draws(tmp_path: Path) -> None:
    place = repository(tmp_path, 0)
    done = subprocess.run(
        (sys.executable, "-I", "-X", "importtime", "-m", "verigate", "verify", "T1"),
        cwd=place.root, env=place.environ(TERM="xterm"), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert TOLD.search(done.stderr)
    assert "\x1b" not in done.stderr
    assert "verigate.cli.progress" in done.stderr
    assert not re.search(r"\| +rich", done.stderr)


def test_a_run_that_publishes_nothing_shows_what_was_printed(tmp_path: Path) -> None:
    noise = "seq 1 60 >&2\nprintf 'an \\033[31mescape\\n' >&2\n"
    place = gr.make(tmp_path, CODE, {"tests_pass": True}, acts={"code:tests": noise})
    place.begin()
    place.put("a.py", "answer = 42\n")
    quiet = place.gate("verify", "T1", "--only", "code:tests")
    assert "printed on" not in quiet.err, quiet.err
    said = place.gate("verify", "T1", "--only", "code:tests", "--verbose", "--no-cache").err
    assert "code:tests printed on stderr, the last 40 of 61 lines:\n  22\n" in said, said
    assert "\x1b" not in said
    assert "an" in said
    assert "printed on" not in place.gate("verify", "T1", "--verbose", "--no-cache").err
