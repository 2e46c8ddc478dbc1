"""``gate adapter``: commands for adapter authors."""

from __future__ import annotations

import click

from verigate.cli.command_group import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("adapter_new", "Create a working adapter to build on."),
    "check": ("adapter_check", "Check an adapter against the contract."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="adapter", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Create adapters and check them against the contract."""
