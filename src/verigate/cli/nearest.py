"""A group of commands that answers an unknown name with the nearest known ones."""

from __future__ import annotations

import click


class NearestGroup(click.Group):
    """click's group, with a hint."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command with the nearest known ones."""
        name, known = args[0] if args else "", self.list_commands(ctx)
        if name and name not in known and not name.startswith("-"):
            from verigate.domain.names import near

            found = near(name, known)
            hint = f"Did you mean: {', '.join(found)}?" if found else f"Known: {', '.join(known)}"
            ctx.fail(f"No such command {name!r}. {hint}")
        return super().resolve_command(ctx, args)
