"""``gate adapters``: what is found, and what one capability of a tool can be asked for."""

from __future__ import annotations

import click

from verigate.cli.command_group import DefaultGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "list": ("adapters_list", "Show the adapters and their capabilities; the default."),
    "show": ("adapters_show", "Show the words and parameters of a tool's capability."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="adapters", cls=DefaultGroup, table=COMMANDS)
def command() -> None:
    """Show adapters: `gate adapters`, or one of the commands below."""
