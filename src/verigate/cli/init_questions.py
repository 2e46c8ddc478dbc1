"""What ``gate init`` asks on a terminal: whether to install what is missing, and which command runs the tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.output import say, use_colour, width
from verigate.errors import ExecutionError
from verigate.reporting.console_lines import render_error
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.integrations.setup.missing_dependencies import Missing


def can_ask() -> bool:
    """Whether somebody sits at a terminal who reads questions and answers them."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def install_missing(root: Path, missing: Iterable[Missing], *, asked: bool, interactive: bool) -> bool:
    """Run the commands that install what is missing, in the user's own tree; return whether none of them failed.

    ``asked`` is the user's order for all; else each is a question where ``interactive``. What fails is reported on
    stderr and ends nothing: the verdict then says what lacks.
    """
    succeeded = True
    for item in missing:
        line = escape(item.line)
        if not asked and not (interactive and click.confirm(f"install by `{line}`?", default=True, err=True)):
            continue
        click.echo(f"running {line}", err=True)
        try:
            for argv in item.install.commands:
                _run(argv, root / item.folder)
        except ExecutionError as problem:
            succeeded = False
            say(render_error(problem, colour=use_colour(sys.stderr), width=width()), err=True)
    return succeeded


def ask_for_tests(hint: str) -> str:
    """Ask for the command that runs the tests; empty if there is none."""
    click.echo(hint, err=True)
    answer = click.prompt("command that runs the tests (empty: none)", default="", show_default=False, err=True)
    return str(answer).strip()


def ask_for_reader() -> bool:
    """Ask whether a person reads every change: a weakening that is only disclosed needs somebody who sees it."""
    click.echo("a change may weaken a check if it says so and why; a person who reads each change sees that", err=True)
    return bool(click.confirm("does a person read every change before it lands?", default=True, err=True))


def ask_for_agents(root: Path, *, agreed: bool) -> bool:
    """Ask whether coding agents are shown how work is verified here; not if they are already. ``agreed``: yes to it."""
    from verigate.integrations.setup.for_agents import has_agent_files

    if has_agent_files(root):
        return False
    line = "write what coding agents have to know into AGENTS.md and .agents/skills/verigate/SKILL.md?"
    return agreed or bool(click.confirm(line, default=True, err=True))


def _run(argv: tuple[str, ...], folder: Path) -> None:
    try:
        ended = subprocess.run(argv, cwd=folder, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode
    except FileNotFoundError:
        raise ExecutionError(
            f"{argv[0]} is not installed", hint=f"install {argv[0]}, then run gate init again"
        ) from None
    except OSError as problem:
        raise ExecutionError(f"{argv[0]} can't be started: {problem.strerror}", where=str(folder)) from problem
    if ended != 0:
        raise ExecutionError(f"`{' '.join(argv)}` ended with {ended}", where=str(folder), hint="its output says why")
