"""``gate history``: what past sessions of coding agents show."""

from __future__ import annotations

import click

from verigate.cli.command_group import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "mine": ("history_mine", "Show how often agents said done without a passing run."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="history", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Show what past sessions of coding agents on this machine say."""
