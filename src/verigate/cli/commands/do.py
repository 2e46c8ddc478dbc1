"""``gate do``: run a tool's command from a plain-English request."""

from __future__ import annotations

from typing import Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import DO
from verigate.cli.run_do import run_do


@click.command(name="do")
@click.argument("words", nargs=-1, required=True)
@with_options(*DO)
def command(words: tuple[str, ...], **options: Any) -> int:
    """Choose the tool that WORDS ask for, fill in its parameters and run its command in this folder.

    Uses no model and no network: the same words always give the same command. An unclear request is refused, with what
    is missing. A destructive command is shown first, with the files that it would change, and runs only after a yes.

    Exit codes: 0 the command ended with 0, 1 it ended with another code, 2 nothing was run.
    """
    return run_do(words, **options)
