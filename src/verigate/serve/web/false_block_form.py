"""Reports of false blocks from a page or a program: a person says it, and no verdict changes."""

from __future__ import annotations

import time
from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from verigate.domain.task_folder import task_path
from verigate.errors import UsageError
from verigate.serve.false_blocks import FalseBlockView, show_false_block
from verigate.serve.live.watch import TASKS
from verigate.serve.repositories import ServedRepository
from verigate.serve.web.changes import check_change
from verigate.serve.web.rendering import name_moment
from verigate.serve.web.site import Site, find_repository, site_of
from verigate.serve.web.task_pages import find_task
from verigate.usecases.report_false_block import report_false_block


class NotTakenError(Exception):
    """What a form says can't be taken; the message says why."""


async def send_false_block(request: Request) -> Response:
    """Take the form of a task's page, and show the task again."""
    form = await check_change(request)
    site, repository = site_of(request), find_repository(request)
    task_id = find_task(repository, request.path_params["task"])
    reason, by = (next(iter(form.get(name, ())), "") for name in ("reason", "by"))
    try:
        view, _ = await run_in_threadpool(
            keep_false_block, site, repository, task_id, findings=form.get("finding", ()), reason=reason, by=by
        )
    except UsageError as problem:
        raise NotTakenError(f"{problem}{f'; {problem.hint}' if problem.hint else ''}") from problem
    return RedirectResponse(f"{view.href}#false-blocks", 303)


def keep_false_block(
    site: Site, repository: ServedRepository, task_id: str, *, findings: Sequence[str], reason: str, by: str
) -> tuple[FalseBlockView, bool]:
    """Keep a report, and publish that the task's page is another; return it, and whether it is a new one.

    Raises UsageError and EvidenceError.
    """
    folder = repository.root / task_path(task_id, "")
    moment = name_moment(int(time.time()))
    report, is_new = report_false_block(
        repository.root,
        folder,
        site.environ,
        findings=findings,
        reason=reason,
        by=by,
        now=moment,
    )
    if is_new:
        named = [f"{repository.name}/{task_id}"]
        site.events.publish(TASKS, TASKS, {"tasks": named, "more": 0, "removed": 0})
    return show_false_block(repository, report), is_new
