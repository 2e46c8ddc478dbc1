"""How far a capability is: written for people, by programs that may write anything."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from verigate.cli.progress import read_last_durations, read_step
from verigate.reporting.console_lines import render_running
from verigate.sdk import run_tool
from verigate.sdk.progress import ProgressReport, Step


def test_nothing_is_written_where_nobody_looks(tmp_path: Path) -> None:
    report = ProgressReport(None)
    report.report(Step(1, 2, "a"))
    assert (report.is_wanted, report.watch_lines(lambda _line: None), list(tmp_path.iterdir())) == (False, None, [])


def test_steps_are_seen_while_a_tool_runs(tmp_path: Path) -> None:
    file = tmp_path / "now"
    code = "import sys\nfor n in range(3):\n    print('at', n, flush=True)\nsys.stdout.write('at 9')"
    watch = ProgressReport(str(file)).watch_lines(lambda line: Step(int(line.split()[1]), 3, line))
    run = run_tool([sys.executable, "-c", code], cwd=tmp_path, timeout_s=60, watch=watch)
    assert run.stdout == b"at 0\nat 1\nat 2\nat 9"
    assert read_step(str(file)) == "0 of 3  at 0"


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    ProgressReport(str(tmp_path / "gone" / "now")).report(Step(1, None, "a"))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"done": 3, "total": null, "now": "x"}', "3 done  x"),
        ('{"done": "3", "total": null, "now": "x"}', ""),
        ('{"done": 3, "total": 4, "now": 5}', ""),
        ("[" * 4000, ""),
        ("[1]", ""),
        ("\xff", ""),
        ('{"done": 1, "total": 2, "now": "' + "x" * 5000 + '"}', ""),
    ],
)
def test_anything_may_be_in_the_file(tmp_path: Path, content: str, text: str) -> None:
    file = tmp_path / "now"
    file.write_text(content, "latin-1")
    assert read_step(str(file)) == text
    assert read_step(str(tmp_path / "none")) == ""


def test_the_line_is_one_line_without_control_characters() -> None:
    line = render_running("code:tests", 3.0, "+", step="1 of 2  a\x1b[31m\nb\u202e", expected_s=12.4, width=60)
    assert line.startswith("+ code:tests             3.0 s of about 12 s  1 of 2  a")
    assert not {"\x1b", "\n", "\u202e"} & set(line)
    assert len(line) <= 60


def test_the_newest_run_says_how_long_each_capability_took(tmp_path: Path) -> None:
    assert read_last_durations(str(tmp_path)) == {}
    folder = tmp_path / ".artifacts" / "t"
    folder.mkdir(parents=True)
    runs = [{"capability": "code:tests", "outcome": {"duration_s": 3.5}}, {"capability": "x:y", "outcome": None}]
    (folder / "run.json").write_text(json.dumps({"invocations": runs}))
    assert read_last_durations(str(tmp_path)) == {"code:tests": 3.5}
    for content in (
        "{",
        "[]",
        '{"invocations": [1]}',
        '{"invocations": [{"outcome": {"duration_s": "x"}, "capability": 1}]}',
    ):
        (folder / "run.json").write_text(content)
        assert read_last_durations(str(tmp_path)) == {}
