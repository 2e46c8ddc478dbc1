"""``gate engine``: commands for authors of engines."""

from __future__ import annotations

import click

from verigate.cli.command_group import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("engine_new", "Create a working engine to build on."),
    "check": ("engine_check", "Check an engine against the contract."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="engine", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Create engines for verifiers, and check them against the contract."""
