"""``gate do``: a tool's command from words."""

from __future__ import annotations

import click

from verigate.cli.output import json_option
from verigate.cli.run_do import answer


@click.command(name="do")
@click.argument("words", nargs=-1, required=True)
@click.option("--dry-run", "-n", is_flag=True, help="Print the command, and run nothing.")
@click.option("--explain", is_flag=True, help="Show every candidate, its confidence and why it fell; run nothing.")
@click.option("--yes", "-y", is_flag=True, help="Run what is destructive without asking.")
@click.option("--using", metavar="ALIAS", help='Only this adapter, as "using ALIAS" in the words.')
@json_option
def command(words: tuple[str, ...], dry_run: bool, explain: bool, yes: bool, using: str | None, as_json: bool) -> int:
    """Choose the tool that WORDS ask for, fill its slots, and run its command in this folder.

    No model and no network take part: the same words give the same command. What isn't clear is refused, with what is
    missing. What is destructive is shown first, with the files that it would touch, and runs only after a yes.

    Exit codes: 0 the command ended with 0, 1 it ended with another code, 2 nothing was run.
    """
    return answer(words, dry_run=dry_run, explain=explain, yes=yes, using=using, as_json=as_json)
