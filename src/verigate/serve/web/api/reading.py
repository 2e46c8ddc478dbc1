"""The operations that read."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict, replace
from starlette.responses import Response

from verigate import __version__
from verigate.errors import EvidenceError, UsageError
from verigate.serve.addresses import task_address
from verigate.serve.index.queue import FACETS, Queue, QueueFilter, read_queue
from verigate.serve.live.runs import GateRun
from verigate.serve.task_page.artifact import NotThereError
from verigate.serve.task_page.build import build_task_page
from verigate.serve.task_page.model import TaskPage
from verigate.serve.task_state import TaskState
from verigate.serve.web.adapter_listings import AdapterListings, AdaptersPage
from verigate.serve.web.api.operations import Call, Operation
from verigate.serve.web.api.values import (
    AdapterList,
    EngineList,
    EventQuery,
    RepositoryLink,
    RepositoryList,
    StatsQuery,
    TaskArtifacts,
    TaskChecks,
    TaskMetrics,
    TaskQuery,
    TaskRuns,
    TaskStatements,
    TaskUnits,
)
from verigate.serve.web.event_stream import stream_events
from verigate.serve.web.gate_pages import DoctorPage, HistoryPage, build_doctor_page, build_history_page
from verigate.serve.web.site import Missing, find_repository, find_working_repository, site_of
from verigate.serve.web.task_pages import find_task, send_published

TASK = "/repositories/{repository:name}/tasks/{task:name}"
REPOSITORY = "/repositories/{repository:name}"


def list_repositories(call: Call) -> RepositoryList:
    """List the repositories that are served."""
    site = site_of(call.request)
    links = tuple(RepositoryLink(name, f"/api/v1/tasks?repository={name}") for name in site.repository_names)
    return RepositoryList(links, __version__, site.access.read_only, site.watcher.problem)


def list_tasks(call: Call) -> Queue:
    """List tasks as the queue does: what fails first. A page beyond the last has no tasks."""
    query: TaskQuery = call.query
    given = asdict(query)
    facets = {name: str(given[name]) for name in FACETS if isinstance(given[name], str)}
    wanted = QueueFilter(facets, query.q, query.ended, query.page)
    with site_of(call.request).refresher.index.reading() as connection:
        queue = read_queue(connection, wanted)
    return queue if query.page <= queue.pages else replace(queue, rows=(), page=query.page)


def read_task_page(call: Call) -> TaskPage:
    """Read a task with all that its page shows."""
    site, repository = site_of(call.request), find_repository(call.request)
    task_id = find_task(repository, call.request.path_params["task"])
    return build_task_page(repository, task_id, site.environ, can_change=not site.access.read_only)


def _read_genuine(call: Call) -> TaskPage:
    page = read_task_page(call)
    if page.state is TaskState.OPEN:
        raise NotThereError(f"the task {page.task_id} has no verdict yet")
    if page.state is TaskState.BROKEN:
        raise EvidenceError(page.problem, where=task_address(page.repository, page.task_id))
    return page


def list_units(call: Call) -> TaskUnits:
    """List the units of work of a genuine verdict."""
    page = _read_genuine(call)
    return TaskUnits(page.repository, page.task_id, page.state, page.units, page.units_left_out)


def list_statements(call: Call) -> TaskStatements:
    """List the sentences of the claim, each with its facts."""
    page = _read_genuine(call)
    return TaskStatements(page.repository, page.task_id, page.state, page.statements)


def list_checks(call: Call) -> TaskChecks:
    """List the checks of a genuine verdict."""
    page = _read_genuine(call)
    return TaskChecks(page.repository, page.task_id, page.state, page.groups, page.left_out)


def list_metrics(call: Call) -> TaskMetrics:
    """List the numbers of a genuine verdict."""
    page = _read_genuine(call)
    return TaskMetrics(page.repository, page.task_id, page.state, dict(page.metrics), dict(page.rules))


def list_task_runs(call: Call) -> TaskRuns:
    """List the capabilities that ran for a genuine verdict."""
    page = _read_genuine(call)
    return TaskRuns(page.repository, page.task_id, page.state, page.runs)


def list_artifacts(call: Call) -> TaskArtifacts:
    """List the published files of a genuine verdict."""
    page = _read_genuine(call)
    return TaskArtifacts(page.repository, page.task_id, page.state, page.artifacts, page.artifacts_left_out)


def send_artifact(call: Call) -> Response:
    """Send the bytes of a published file, with the headers that raw files of the pages have."""
    repository = find_repository(call.request)
    task_id = find_task(repository, call.request.path_params["task"])
    return send_published(repository, task_id, call.request.path_params["path"])


def read_stats(call: Call) -> HistoryPage:
    """Read what all tasks show together."""
    query: StatsQuery = call.query
    name = query.repository if isinstance(query.repository, str) else ""
    return build_history_page(site_of(call.request), name)


def read_doctor(call: Call) -> DoctorPage:
    """Read what the doctor found last; nothing is asked by reading."""
    return build_doctor_page(site_of(call.request), find_working_repository(call.request))[0]


def read_run(call: Call) -> GateRun:
    """Read how far a run of the gate is, and what it printed."""
    run = site_of(call.request).gate_runs.find(call.request.path_params["run"])
    if run is None:
        raise Missing("there is no such run; a server that starts again has none")
    return run


async def follow_events(call: Call) -> Response:
    """Follow what happens."""
    query: EventQuery = call.query
    return stream_events(call.request, query.about, query.after)


class Listings:
    """The operations that ask `gate adapters`."""

    def __init__(self, listings: AdapterListings) -> None:
        self._listings = listings

    async def list_adapters(self, call: Call) -> AdapterList:
        """List the adapters of a repository."""
        return self.describe_adapters(await self.ask(call))

    async def list_engines(self, call: Call) -> EngineList:
        """List the engines of verifiers."""
        page = await self.ask(call)
        return EngineList(page.repository, page.asked, page.engines)

    async def ask(self, call: Call, *, again: bool = False) -> AdaptersPage:
        """Ask the gate. Raises UsageError if it gives no answer."""
        repository = find_working_repository(call.request)
        page = await self._listings.find(repository, site_of(call.request).working_names, again=again)
        if page.problem:
            hint = f"run `gate adapters` in {repository.name}"
            raise UsageError(page.problem, where=repository.name, hint=hint)
        return page

    def describe_adapters(self, page: AdaptersPage) -> AdapterList:
        """Describe the adapters of a listing."""
        return AdapterList(page.repository, page.asked, page.warnings, page.capabilities, page.adapters)


def list_reading(listings: Listings) -> Iterator[Operation]:
    """List the operations that read."""
    verdict = (404, 409)
    yield Operation(
        "listRepositories", "GET", "/repositories", "tasks", "List repositories.", list_repositories, RepositoryList
    )
    yield Operation(
        "listTasks", "GET", "/tasks", "tasks", "List tasks, what fails first.", list_tasks, Queue, TaskQuery
    )
    yield Operation("readTask", "GET", TASK, "tasks", "Read all of a task.", read_task_page, TaskPage, refuses=(404,))
    yield Operation(
        "listUnits", "GET", f"{TASK}/units", "tasks", "List units of work.", list_units, TaskUnits, refuses=verdict
    )
    yield Operation(
        "listStatements",
        "GET",
        f"{TASK}/statements",
        "tasks",
        "List what was said, with the facts.",
        list_statements,
        TaskStatements,
        refuses=verdict,
    )
    yield Operation(
        "listChecks", "GET", f"{TASK}/checks", "tasks", "List checks.", list_checks, TaskChecks, refuses=verdict
    )
    yield Operation(
        "listMetrics",
        "GET",
        f"{TASK}/metrics",
        "tasks",
        "List numbers and rules.",
        list_metrics,
        TaskMetrics,
        refuses=verdict,
    )
    yield Operation(
        "listTaskRuns",
        "GET",
        f"{TASK}/runs",
        "tasks",
        "List the capabilities that ran.",
        list_task_runs,
        TaskRuns,
        refuses=verdict,
    )
    yield Operation(
        "listArtifacts",
        "GET",
        f"{TASK}/artifacts",
        "tasks",
        "List published files.",
        list_artifacts,
        TaskArtifacts,
        refuses=verdict,
    )
    yield Operation(
        "readArtifact",
        "GET",
        f"{TASK}/artifacts/{{path:path}}",
        "tasks",
        "Read the bytes of a published file, as plain text or a picture. Slashes of its path may be %2F.",
        send_artifact,
        media_type="*/*",
        refuses=verdict,
    )
    yield Operation(
        "readStats",
        "GET",
        "/stats",
        "stats",
        "Read what all tasks show together.",
        read_stats,
        HistoryPage,
        StatsQuery,
        refuses=(404,),
    )
    yield Operation(
        "listAdapters",
        "GET",
        f"{REPOSITORY}/adapters",
        "adapters",
        "List adapters and capabilities.",
        listings.list_adapters,
        AdapterList,
        refuses=(404, 503),
    )
    yield Operation(
        "listEngines",
        "GET",
        f"{REPOSITORY}/engines",
        "engines",
        "List engines.",
        listings.list_engines,
        EngineList,
        refuses=(404, 503),
    )
    yield Operation(
        "readDoctor",
        "GET",
        f"{REPOSITORY}/doctor",
        "doctor",
        "Read what the doctor found last.",
        read_doctor,
        DoctorPage,
        refuses=(404,),
    )
    yield Operation(
        "readRun", "GET", "/runs/{run:name}", "runs", "Read how far a run is.", read_run, GateRun, refuses=(404,)
    )
    yield Operation(
        "followEvents",
        "GET",
        "/events",
        "events",
        "Follow what happens, as server-sent events.",
        follow_events,
        takes=EventQuery,
        media_type="text/event-stream",
    )
