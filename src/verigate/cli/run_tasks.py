"""Run ``gate verify --tasks`` and ``--all``: a verdict for each of several tasks."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from verigate.cli.target import find_repository
from verigate.domain.verification_job import Job, JobSettings
from verigate.errors import Fault, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from verigate.domain.verification_job import JobResult

MOST_TASKS = 5000
_MOST_BYTES = 1024 * 1024


def run_tasks(
    file: Path | None,
    settings: JobSettings,
    *,
    ref: str | None,
    base: str | None,
    executor: str | None,
    as_json: bool,
    advisory: bool,
    quiet: bool,
) -> int:
    """Verify the tasks that ``file`` lists, or all open ones; return the code of the worst verdict, 0 if ``advisory``.

    Each is verified as ``gate verify TASK`` does it: the working tree, or the commit ``ref``.
    """
    from verigate.cli.fleet import verify_by
    from verigate.cli.output import print_json, say, warn
    from verigate.composition.history import find_commit
    from verigate.composition.tasks import list_open_tasks
    from verigate.reporting.task_verdicts import find_worst_of_tasks, tasks_report

    root = find_repository()
    names = list_open_tasks(root) if file is None else _read_names(file)
    if len(names) > MOST_TASKS:
        raise UsageError(f"these are more than {MOST_TASKS} tasks", where="gate verify", hint="verify a part at a time")
    commit = None if ref is None else find_commit(root, os.environ, ref, "--ref")
    start = None if base is None else find_commit(root, os.environ, base, "--base")
    jobs = [Job(name, ref=commit, base=start, task_id=name) for name in names]
    if not jobs:
        say("there is no open task" if file is None else f"{file} names no task", err=True)
    found = []
    with verify_by(executor, jobs, settings, root, quiet=quiet) as (results, print_above):
        for each in results:
            found.append(each)
            if not as_json:
                print_above(partial(_say_task, each))
    warn([note for each in found for note in each.server_notes])
    if as_json:
        print_json(tasks_report(found))
    return 0 if advisory else find_worst_of_tasks(found).exit_code


def _say_task(result: JobResult) -> None:
    from verigate.cli.output import say, use_colour
    from verigate.reporting.task_verdicts import render_task

    say(render_task(result, colour=use_colour(sys.stdout)))


def _read_names(file: Path) -> tuple[str, ...]:
    """Read ids of tasks, a line each; what follows a # is a remark. Raises ConfigError, UsageError."""
    from verigate.config.files import read_bytes
    from verigate.domain.task import TASK_ID
    from verigate.errors import ConfigError
    from verigate.formats.visible import format_path

    shown = format_path(file)
    content = read_bytes(file, shown=shown, max_bytes=_MOST_BYTES, follow=True)
    if content is None:
        raise UsageError("there is no such file", where=f"--tasks {shown}", hint="write the id of a task on each line")
    names: dict[str, None] = {}
    faults = []
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n"), 1):
        name = line.partition("#")[0].strip()
        if name and not TASK_ID.fullmatch(name):
            faults.append(Fault(f"{name[:80]!r} is no id of a task", file=shown, line=number))
        elif name in names:
            faults.append(Fault(f"{name} is listed twice", file=shown, line=number))
        elif name:
            names[name] = None
    if faults:
        raise ConfigError(faults)
    return tuple(names)
