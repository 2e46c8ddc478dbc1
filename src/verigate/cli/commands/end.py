"""``gate end``: close a task."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json
from verigate.cli.target import find_repository
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.composition.tasks import EndedTask


@click.command(name="end")
@task_argument
@click.option(
    "--remove", is_flag=True, help="Remove the task's folder. A commit that names it can't be verified as it."
)
@with_options(JSON)
def command(task_id: str | None, remove: bool, as_json: bool) -> int:
    """End TASK_ID, by default the current task. What comes next is not verified as this task.

    Its files stay in .artifacts/TASK_ID, and `gate verify TASK_ID` still verifies it.

    Exits with 2 if no task is named and there is no current one.
    """
    from verigate.composition import now, tasks
    from verigate.config.task_history import TaskHistory
    from verigate.config.which_task import choose_given_task

    root = find_repository()
    chosen = choose_given_task(task_id, os.environ, root).task_id
    if chosen is None:
        branch = TaskHistory(root, os.environ).branch()
        hint = f"name it: `gate end {branch}`" if branch in tasks.list_open_tasks(root) else "see `gate list`"
        raise UsageError("no task is current", where="gate end", hint=hint)
    ended = tasks.end_task(root, chosen, now(), os.environ, remove=remove)
    if as_json:
        status = ended.row.status.value if ended.row.status else None
        document = {"schema": "verigate:end.v1", "task_id": chosen, "status": status, "removed": ended.removed}
        print_json(document)
    else:
        _report(ended)
    return 0


def _report(ended: EndedTask) -> None:
    task_id, status = ended.row.task_id, ended.row.status
    verdict = status.value if status else "not verified"
    click.echo(f"{task_id} ended: {verdict}")
    click.echo(f"its folder .artifacts/{task_id} {'is removed' if ended.removed else 'stays'}")
    if ended.was_current:
        click.echo("next: changes are verified by the profile's rules alone, until `gate start` begins another task")
