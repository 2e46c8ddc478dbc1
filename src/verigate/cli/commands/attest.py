"""``gate attest``: statements about a verdict that other programs read, signed."""

from __future__ import annotations

import click

from verigate.cli.command_group import DefaultGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "task": ("attest_task", "Sign statements about the verdict of a task; the default."),
    "verify": ("attest_verify", "Verify such statements, and compare them with a commit."),
    "keygen": ("attest_keygen", "Make a key pair."),
}
"""Command -> (module below ``verigate.cli.commands`` with ``command``, one line of help)."""


@click.group(name="attest", cls=DefaultGroup, table=COMMANDS)
def command() -> None:
    """Attest verdicts in the formats of in-toto and SLSA: `gate attest [TASK_ID]`, or one of the commands below."""
