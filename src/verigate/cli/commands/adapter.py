"""``gate adapter``: commands for those who write adapters, each imported when it is called."""

from __future__ import annotations

import click

from verigate.cli.command_group import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("adapter_new", "Make a working adapter to go on from."),
    "check": ("adapter_check", "Run the conformance kit on an adapter."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="adapter", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Write adapters, and have them checked against the contract."""
