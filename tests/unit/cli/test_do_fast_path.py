"""What is read without click is what click reads; everything else is left to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from verigate.cli.commands import do
from verigate.cli.do_fast_path import read

WORDS = st.sampled_from(
    [
        *("copy a to b", "tar", "-", "--", "", "délete", "-n", "--dry-run", "--explain", "-y", "--yes", "--json"),
        *("--using", "--using=tar", "--using=", "--help", "-h", "-ny", "--dry", "--no", "-x", "--json=1", "-n="),
    ]
)


def _by_click(arguments: list[str]) -> dict[str, Any] | None:
    try:
        context = do.command.make_context("do", list(arguments), help_option_names=["-h", "--help"])
    except (click.ClickException, click.exceptions.Exit):
        return None
    return context.params


@given(st.lists(WORDS, max_size=6))
@example(["--using", "--", "x"])
@example(["x", "--", "--yes"])
def test_click_would_have_read_the_same(arguments: list[str]) -> None:
    plain = read(arguments)
    if plain is None:
        return
    words, options = plain
    assert _by_click(arguments) == {"words": words, **options}


@pytest.mark.parametrize(
    "arguments", [["delete a.txt"], ["copy", "a", "to", "b", "-n"], ["x", "--using", "tar", "--json"]]
)
def test_what_is_plain_needs_no_click(arguments: list[str]) -> None:
    assert read(arguments) is not None


def test_click_and_msgspec_are_not_loaded_for_a_request_in_words(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (here / "a.txt").touch()
    code = (
        "import sys\n"
        "from verigate.cli.run_do import run_do\n"
        "run_do(('delete a.txt',), dry_run=True, explain=False, yes=False, using=None, as_json=False)\n"
        "heavy = {'click', 'msgspec', 'pathlib', 'dataclasses', '_hashlib', 'decimal', 'inspect'}\n"
        "print(sorted(heavy & {*sys.modules}))"
    )
    environ = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    for _ in range(2):  # the first call reads all the tools' files, and keeps what they say
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], cwd=here, env=environ, capture_output=True, text=True, check=True
        )
    assert done.stdout.splitlines() == ["rm -- a.txt", "[]"]
