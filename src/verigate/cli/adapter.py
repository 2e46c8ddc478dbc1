"""``gate adapter``: commands for those who write adapters, each imported when it is called."""

from __future__ import annotations

import importlib

import click

from verigate.cli.nearest import NearestGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("adapter_new", "Make a working adapter to go on from."),
    "check": ("adapter_check", "Run the conformance kit on an adapter."),
}
"""Command -> (module below ``verigate.cli`` with ``command``, one line of help)."""


class _Commands(NearestGroup):
    """The commands of the table; ``--help`` of the group imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"verigate.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """The list of commands from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(name="adapter", cls=_Commands)
def command() -> None:
    """Write adapters, and have them checked against the contract."""
