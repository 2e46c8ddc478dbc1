"""``gate verify``: verify a task and exit with the code of its verdict."""

from __future__ import annotations

from typing import Any

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import VERIFY


@click.command(name="verify")
@task_argument
@with_options(*VERIFY)
def command(task_id: str | None, **options: Any) -> int:
    """Verify TASK_ID, by default the current task, or if there is none, the difference from the base.

    Exit codes: 0 pass, 1 fail, 2 usage or configuration, 3 error, 4 inconclusive, 130 interrupted. With --advisory 0,
    except for an invalid command line (2) and an interruption.
    """
    from verigate.cli.run_verify import run_verify

    return run_verify(task_id, **options)
