"""What is read of a ``gate verify`` without click is what click reads; everything else is left to it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from verigate.cli import run_verify
from verigate.cli.app import gate
from verigate.cli.commands import verify
from verigate.cli.verify_fast_path import read

WORDS = st.sampled_from(
    [
        *("T-1", "HEAD~1", "", "-", "--", "../x", "text", "--staged", "--ref", "--ref=HEAD", "--ref=", "--base"),
        *(
            "--base=main",
            "--base=",
            "--profile",
            "--profile=strict",
            "--profile= ",
            "--only",
            "--only=code:lint,code:diff",
            "--only=,",
            "--json",
        ),
        *("--format", "--format=json", "--format=sarif=a.sarif", "--output", "--output=r.txt", "--no-llm", "--watch"),
        *("--no-cache", "--verbose", "-v", "--advisory", "--quiet", "-q", "-qv", "--help", "-h", "--stage", "--json=1"),
        *("--message", "--message=m", "--message-follows", "--message-follows=1"),
        *("-q=1", "--staged=", "-x", "--nothing"),
    ]
)


def _by_click(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    heard: list[Any] = []

    def run(task_id: str | None, **options: Any) -> int:
        heard.append((task_id, options))
        return 0

    with monkeypatch.context() as patched:
        patched.setattr(run_verify, "run_verify", run)
        try:
            gate.main(["verify", *arguments], standalone_mode=False)
        except (click.ClickException, click.exceptions.Exit):
            return None
    return heard[0] if heard else None


@given(st.lists(WORDS, max_size=6))
@example(["--ref", "--base", "x"])
@example(["--only", "a:b", "--only", "c:d", "T-1"])
@example(["--output", "--", "T-1"])
@example(["--", "--staged"])
@example(["--ref", "a", "--ref", "b"])
def test_click_would_have_read_the_same(arguments: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        plain = read(arguments)
        if plain is not None:
            assert _by_click(arguments, monkeypatch) == plain


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["T-1"],
        ["T-1", "--staged", "--quiet"],
        ["--ref", "HEAD", "--base=main", "--profile", "strict"],
        ["T-1", "--format", "json", "--format=sarif=a.sarif", "--output", "r.txt", "--only", "code:lint"],
        ["--no-llm", "--watch", "--no-cache", "-v", "--advisory", "-q", "--json"],
    ],
)
def test_what_is_plain_needs_no_click(arguments: list[str]) -> None:
    assert read(arguments) is not None


@pytest.mark.parametrize("command", ["verify", "plan", "start"])
@pytest.mark.parametrize("arguments", [["--base", ""], ["--profile="], ["--base", " "]])
def test_an_option_that_is_empty_is_refused(command: str, arguments: list[str]) -> None:
    """``--base "$BASE"`` where BASE isn't set: the default would look at less than was meant."""
    assert read(["T-1", *arguments]) is None
    done = CliRunner().invoke(gate, [command, "T-1", *arguments])
    assert done.exit_code == 2
    assert f"{arguments[0].partition('=')[0]} is empty; give it a value, or leave it out" in done.output


def test_every_option_is_known() -> None:
    """One that is new to click's command would make every call with it slower, unnoticed."""
    for option in verify.command.params:
        for spelling in option.opts if isinstance(option, click.Option) else ():
            given = [spelling] if isinstance(option, click.Option) and option.is_flag else [spelling, "value"]
            assert read(given) is not None, spelling


def test_what_is_defer_imports_is_whole_when_it_is_used() -> None:
    code = (
        "import sys\n"
        "from verigate.sdk.lazy_imports import load_msgspec, defer_imports\n"
        "defer_imports(); load_msgspec()\n"
        "import dataclasses, inspect, ipaddress, msgspec, pathlib\n"
        "print(sorted({'ast', 'click', 'dis', 'typing_extensions'} & {*sys.modules}))\n"
        "from textwrap import dedent\n"
        "import typing_extensions\n"
        "loopback = ipaddress.ip_address('::1').is_loopback\n"
        "print(inspect.isfunction(defer_imports), inspect.__name__, loopback, dedent(' x'))\n"
        "print(inspect.__doc__ is not None, 'ast' in sys.modules, typing_extensions.TypedDict.__module__)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    # From 3.14 on inspect needs it.
    loaded = "['ast']" if sys.version_info >= (3, 14) else "[]"
    assert done.stdout.splitlines() == [loaded, "True inspect True x", "True True typing_extensions"]
