"""A caller that asks for JSON gets its errors as JSON, from whichever reader reads the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verigate.cli import app, verify_fast_path


@pytest.mark.parametrize(
    ("line", "as_json"),
    [
        ("verify --json --no-such-option", True),
        ("verify --no-such-option --format json", True),
        ("verify --quiet=1 --format=json", True),
        ("no-such-command --json", True),
        ("start --json --base=", True),
        ("verify --no-such-option --format json=report.json", False),
        ("verify --no-such-option --format", False),
        ("verify --no-such-option", False),
        ("verify --no-such-option -- --json", False),
    ],
)
def test_a_command_line_that_click_refuses(line: str, as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(line.split()) == 2
    out = capsys.readouterr().out
    assert bool(out) is as_json
    assert not out or json.loads(out)["schema"] == "verigate:error.v1"


@pytest.mark.parametrize(
    ("arguments", "as_json"),
    [(["--json"], True), (["--format", "json"], True), (["--base", "--json"], False), ([], False)],
)
def test_an_error_of_a_command_that_was_read(
    arguments: list[str],
    as_json: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for run in (verify_fast_path.run, lambda words: app.run(["verify", *words])):
        assert run(["../no-such-task", *arguments]) == 2
        assert bool(capsys.readouterr().out) is as_json
