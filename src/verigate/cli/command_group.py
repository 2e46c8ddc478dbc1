"""Group commands: suggest the nearest names for an unknown one, and show help without importing a command."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click


class NearestGroup(click.Group):
    """A click group that suggests the nearest commands for an unknown name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command with the nearest known ones."""
        name, known = args[0] if args else "", self.list_commands(ctx)
        if name and name not in known and not name.startswith("-"):
            from verigate.formats.near_names import find_near

            found = find_near(name, known)
            hint = f"Did you mean: {', '.join(found)}?" if found else f"Known: {', '.join(known)}"
            ctx.fail(f"No such command {name!r}. {hint}")
        return super().resolve_command(ctx, args)


class LazyGroup(NearestGroup):
    """A group that imports the module of a command only when it is called; its ``--help`` imports none.

    ``table`` is command -> (module in ``verigate.cli.commands`` with ``command``, one line of help), in the order of
    the listing.
    """

    def __init__(self, *arguments: Any, table: Mapping[str, tuple[str, str]], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the table."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Import and return a command."""
        if cmd_name not in self._table:
            return None
        module = importlib.import_module(f"verigate.cli.commands.{self._table[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Write the list of commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self._table.items()])


class DefaultGroup(LazyGroup):
    """A lazy group whose first command is meant where none is named: ``gate attest T1`` is ``gate attest task T1``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the default command before arguments that name no command and don't ask for help."""
        known = self.list_commands(ctx)
        if not args or (args[0] not in known and args[0] not in ctx.help_option_names):
            args = [known[0], *args]
        return super().parse_args(ctx, args)
