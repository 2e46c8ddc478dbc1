"""Tasks: the queue, one task, its artifacts, and verifying it again."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from verigate.domain.task import IMPLICIT_TASK_ID, TASK_ID
from verigate.domain.task_folder import task_path
from verigate.serve.addresses import task_address
from verigate.serve.index.queue import read_queue
from verigate.serve.live.runs import GateRun
from verigate.serve.live.watch import TASKS
from verigate.serve.repositories import ServedRepository
from verigate.serve.task_page.artifact import NotThereError, build_artifact_page, open_published, read_artifact
from verigate.serve.task_page.build import build_task_page
from verigate.serve.task_page.viewers import find_picture_type
from verigate.serve.web.changes import check_change
from verigate.serve.web.gatekeeper import RAW_POLICY
from verigate.serve.web.queue_page import build_queue_page, read_filter
from verigate.serve.web.site import Missing, Site, answer, find_repository, find_working_repository, site_of


def show_tasks(request: Request) -> Response:
    """Show the queue."""
    site = site_of(request)
    after = site.events.last_id
    wanted = read_filter(request.query_params)
    with site.refresher.index.reading() as connection:
        queue = read_queue(connection, wanted)
    page = build_queue_page(queue, wanted, _notice(site))
    return answer(request, "queue.html", page, title="Tasks", here="tasks", about=TASKS, after=after)


def _notice(site: Site) -> str:
    if site.watcher.problem:
        return site.watcher.problem
    return "" if site.watcher.looked else "The index is being made; more tasks will come."


def show_task(request: Request) -> Response:
    """Show one task."""
    site, repository = site_of(request), find_repository(request)
    after = site.events.last_id
    task_id = find_task(repository, request.path_params["task"])
    page = build_task_page(repository, task_id, site.environ, can_change=not site.access.read_only)
    return answer(
        request,
        "task.html",
        page,
        title=f"{page.state.words.upper()} {task_id}",
        about=TASKS,
        watched=f"{repository.name}/{task_id}",
        after=after,
    )


def show_artifact(request: Request) -> Response:
    """Show a published file by what it is; as JSON, if it has a name of its own and ``.json`` follows."""
    repository = find_repository(request)
    task_id, path = find_task(repository, request.path_params["task"]), request.path_params["path"]
    request.scope["as_json"] = False
    try:
        page = build_artifact_page(repository, task_id, path)
    except NotThereError:
        if not path.endswith(".json"):
            raise
        page = build_artifact_page(repository, task_id, path.removesuffix(".json"))
        request.scope["as_json"] = True
    return answer(request, "artifact.html", page, title=f"{path[:100]} of {task_id}")


def send_artifact(request: Request) -> Response:
    """Send a published file's own bytes, as a picture or as plain text, with nothing in it that runs."""
    repository = find_repository(request)
    return send_published(repository, find_task(repository, request.path_params["task"]), request.path_params["path"])


def send_published(repository: ServedRepository, task_id: str, path: str) -> Response:
    """Answer with the bytes of a published file. Raises NotThereError and EvidenceError."""
    content = read_artifact(open_published(repository, task_id), path)
    picture = find_picture_type(content)
    name = quote(path.rpartition("/")[2], safe="", errors="surrogatepass")
    headers = {
        "content-security-policy": RAW_POLICY,
        "content-disposition": f"{'inline' if picture else 'attachment'}; filename*=UTF-8''{name}",
    }
    kind = picture or "text/plain; charset=utf-8"
    return Response(content, media_type=None, headers={**headers, "content-type": kind})


async def verify_task(request: Request) -> Response:
    """Verify a task again, by the gate's own command, and show how far it is."""
    await check_change(request)
    repository = find_working_repository(request)
    run = start_verification(site_of(request), repository, find_task(repository, request.path_params["task"]))
    return RedirectResponse(f"/runs/{run.id}", 303)


def start_verification(site: Site, repository: ServedRepository, task_id: str) -> GateRun:
    """Start ``gate verify`` of a task, or return its run that hasn't ended.

    Raises Missing for the implicit task, and UsageError if too many wait.
    """
    if task_id == IMPLICIT_TASK_ID:
        raise Missing("what differs from the base, without a task, is verified by `gate verify`")

    async def read_again(_run: GateRun) -> None:
        from starlette.concurrency import run_in_threadpool

        done = await run_in_threadpool(site.refresher.refresh_task, repository, task_id)
        site.watcher.tell(done)

    words = ("verify", "--", task_id)
    return site.gate_runs.start("verify", repository, words, task_id=task_id, when_ended=read_again)


def show_run(request: Request) -> Response:
    """Show a run of the gate, and what it has reported so far."""
    site = site_of(request)
    after = site.events.last_id
    run = site.gate_runs.find(request.path_params["run"])
    if run is None:
        raise Missing("there is no such run; a server that starts again has none")
    back = task_address(run.repository, run.task_id) if run.task_id else f"/doctor/{run.repository}"
    about = run.about if run.state != "ended" else ""
    return answer(
        request, "run.html", run, title=f"gate {run.kind} {run.task_id}", about=about, after=after, run=run, back=back
    )


def find_task(repository: ServedRepository, task_id: str) -> str:
    """Return the id of a task that a repository has. Raises Missing."""
    folder = repository.root / task_path(task_id, "")
    # One of many thousands: they are not all listed for it.
    if not TASK_ID.fullmatch(task_id) or folder.is_symlink() or not folder.is_dir():
        raise Missing(f"there is no task {task_id} in {repository.name}")
    return task_id
