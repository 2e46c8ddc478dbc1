"""``gate cache``: what is kept for the next run."""

from __future__ import annotations

import click

from verigate.cli.command_group import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "stats": ("cache_stats", "Show how many entries each cache has, and how old they are."),
    "verify": ("cache_verify", "Check the HMAC of each entry."),
    "prune": ("cache_prune", "Remove entries."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="cache", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Show, check and remove what is kept for the next run."""
