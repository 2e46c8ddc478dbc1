"""``gate output``: show what a capability of the last run printed."""

from __future__ import annotations

import sys

import click

from verigate.cli.click_options import task_argument
from verigate.cli.output import say, use_colour
from verigate.cli.published_task import read_published_task
from verigate.cli.target import find_repository
from verigate.domain.task_folder import LOGS_FOLDER
from verigate.errors import UsageError
from verigate.evidence.store import Published
from verigate.formats.near_names import suggest_nearest
from verigate.reporting.logs import CapabilityLog, choose_logs, render_logs


@click.command(name="output")
@task_argument
@click.argument("capability", required=False)
def command(task_id: str | None, capability: str | None) -> int:
    """Show what CAPABILITY printed in the last run of TASK_ID; by default, each capability that failed.

    Secrets are redacted. Control characters are shown, not obeyed.
    """
    if capability is None and task_id is not None and ":" in task_id:
        # No task id has a colon: `gate output code:tests` is about the current task.
        task_id, capability = None, task_id
    from verigate.usecases.replay import restore_facts

    published = read_published_task(task_id)
    runs = restore_facts(find_repository(), published).runs
    logs = [
        CapabilityLog(run, _read(published, run.capability, "out"), _read(published, run.capability, "err"))
        for run in runs
    ]
    if capability is not None:
        chosen = [log for log in logs if log.run.capability == capability]
        if not chosen:
            names = [run.capability for run in runs]
            hint = suggest_nearest(capability, set(names), 3) or f"planned: {', '.join(names)}"
            raise UsageError(f"the last run has no capability {capability!r}", hint=hint)
    else:
        chosen = list(choose_logs(logs))
    say(render_logs(chosen, colour=use_colour(sys.stdout)) if chosen else "no capability failed or printed anything")
    return 0


def _read(published: Published, capability: str, stream: str) -> str:
    path = f"{LOGS_FOLDER}/{capability.replace(':', '.')}.{stream}"
    return published.read(path).decode("utf-8", "backslashreplace") if path in published.index else ""
