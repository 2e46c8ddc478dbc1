"""``gate completion``: print the script that a shell sources."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from verigate.errors import UsageError


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the completion script for SHELL; for instance: eval "$(gate completion bash)"."""
    from verigate.cli.app import gate

    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"no completion for {shell}")
    click.echo(kind(gate, {}, "gate", "_GATE_COMPLETE").source())
    return 0
