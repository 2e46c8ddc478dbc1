"""``gate skill``: skills and the engines that run them."""

from __future__ import annotations

import click

from verigate.cli.command_group import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("skill_run", "Run a skill with an engine, without a task."),
    "list": ("skill_list", "List the skills that an engine can run."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="skill", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Run skills with an engine, and list them."""
