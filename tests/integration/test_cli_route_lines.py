"""gate route --lines: many texts by one process."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

GATE = (sys.executable, "-I", "-c", "from verigate.cli import main; main()")
MOST_S = 10.0
"""What a thousand messages may take of a processor, which is none of what other tests take."""


def route(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (*GATE, "route", "--lines", *options), input=text, capture_output=True, text=True, check=False
    )


def test_each_line_is_answered_by_one() -> None:
    lines = [
        "All tests pass.",
        {"text": "Drop Python 3.8 support", "source": "commit"},
        {"text": "Drop Python 3.8 support"},
    ]
    done = route("\n".join(map(json.dumps, lines)) + "\n\n")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line)["statements"] for line in done.stdout.splitlines()]
    assert [[fact["what"] for each in answer for fact in each["facts"]] for answer in found] == [
        ["/failed"],
        ["runtime:python"],
        [],
    ]


def test_a_source_may_be_named_for_all() -> None:
    done = route('"Bump a-b from 1 to 2"\n', "--commit")
    assert json.loads(done.stdout)["statements"][0]["facts"][0]["what"] == "pin:a-b"


@pytest.mark.parametrize("line", ["{", "3", '{"text": 3}', '{"text": "x", "source": "y"}', '"\\ud800"'])
def test_a_line_that_is_no_text_is_named(line: str) -> None:
    done = route(f'"All tests pass."\n{line}\n')
    assert done.returncode == 2
    assert "line 2" in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_a_thousand_messages_take_less_than_ten_seconds(tmp_path: Path) -> None:
    text = "".join(
        json.dumps({"text": f"Bump package-{n} from {n} to {n + 1}\n\nAll {n} tests pass."}) + "\n" for n in range(1000)
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = route(text, "--commit")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < MOST_S
    assert len(done.stdout.splitlines()) == 1000
    assert list(tmp_path.iterdir()) == []
