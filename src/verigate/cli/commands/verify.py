"""``gate verify``: the whole flow, ending in one of the exit codes of the contracts."""

from __future__ import annotations

from typing import Any

import click

from verigate.cli.report_options import report_options
from verigate.cli.subject_options import subject_options, task_argument
from verigate.cli.target import Target


@click.command(name="verify")
@task_argument
@subject_options
@click.option("--only", multiple=True, metavar="CAPABILITY", help="Run only these; prints, writes no verdict.")
@report_options
@click.option("--no-llm", is_flag=True, help="Decide from facts alone, whatever the profile says.")
@click.option("--watch", is_flag=True, help="Show what the engine of a verifier says while it works, on stderr.")
@click.option("--no-cache", is_flag=True, help="Run every capability, also where its evidence is cached.")
@click.option("--verbose", "-v", is_flag=True, help="Show every check, not only what speaks against a pass.")
@click.option("--advisory", is_flag=True, help="Report and never block: end with 0 whatever the verdict is.")
@click.option("--quiet", "-q", is_flag=True, help="No progress lines.")
def command(target: Target, only: tuple[str, ...], **options: Any) -> int:
    """Verify TASK_ID, or the task that is current, or else what differs from the base.

    Exit codes: 0 pass, 1 fail, 2 usage or configuration, 3 error, 4 inconclusive, 130 interrupted. With --advisory 0,
    but for a command line that can't be read (2) and an interruption.
    """
    from verigate.cli.run_verify import answer, capabilities

    if only and not capabilities(only):
        raise click.UsageError("--only names no capability")
    return answer(target, only=capabilities(only), **options)
