"""The option ``--attempts`` of the commands that install and answer agents' hooks; its limits are the hosts'."""

from __future__ import annotations

import click

from verigate.integrations.agents.host import DEFAULT_ATTEMPTS, MAX_ATTEMPTS

attempts_option = click.option(
    "--attempts",
    type=click.IntRange(1, MAX_ATTEMPTS),
    default=DEFAULT_ATTEMPTS,
    show_default=True,
    help="How often an agent is blocked in one turn.",
)
