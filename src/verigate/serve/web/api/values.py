"""The values that the API adds to those of the pages, and what may be asked in the query of an address."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from verigate.serve.task_page.model import ArtifactLink, CheckGroup, RunView, StatementView, UnitView
from verigate.serve.task_state import TaskState
from verigate.serve.web.adapter_listings import AdapterRow, CapabilityRow, EngineRow

Value = Annotated[str, Meta(min_length=1, max_length=200)]
Name = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,80}$")]


class RepositoryLink(Struct, frozen=True):
    """A repository that is served: its name in addresses, and the address of its tasks."""

    name: str
    tasks_href: str


class RepositoryList(Struct, frozen=True):
    """All repositories that are served. ``problem`` says why the index isn't as new as it should be; "" if it is."""

    repositories: tuple[RepositoryLink, ...]
    version: str
    read_only: bool
    problem: str


class TaskQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of the queue: facets, words, and a page of 50 tasks."""

    status: TaskState | UnsetType = UNSET
    type: Value | UnsetType = UNSET
    adapter: Value | UnsetType = UNSET
    author: Value | UnsetType = UNSET
    agent: Value | UnsetType = UNSET
    age: Literal["day", "week", "month", "older"] | UnsetType = UNSET
    repository: Value | UnsetType = UNSET
    q: Annotated[str, Meta(max_length=200, description="Words of statements, names and reasons.")] = ""
    ended: Annotated[bool, Meta(description="Whether tasks that `gate end` closed are listed as well.")] = False
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class StatsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose history: that of one repository, or of all."""

    repository: Name | UnsetType = UNSET


class EventQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What to follow: a topic, and the id of the last event that was seen."""

    about: Annotated[str, Meta(pattern="^(tasks|run/[0-9]{1,12})$", description="`tasks`, or `run/` and an id.")] = (
        "tasks"
    )
    after: Annotated[str, Meta(max_length=40, description="As the header `Last-Event-ID`.")] = ""


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing can be asked."""


class TaskPart(Struct, frozen=True):
    """Which task's verdict a part is of, and its state: it is genuine."""

    repository: str
    task_id: str
    state: TaskState


class TaskUnits(TaskPart, frozen=True):
    """The units of work; ``left_out`` counts those beyond the first."""

    units: tuple[UnitView, ...]
    left_out: int


class TaskStatements(TaskPart, frozen=True):
    """The sentences of the claim with what the facts say of each."""

    statements: tuple[StatementView, ...]


class TaskChecks(TaskPart, frozen=True):
    """The checks by domain, problems first; ``left_out`` counts those beyond the first."""

    groups: tuple[CheckGroup, ...]
    left_out: int


class TaskMetrics(TaskPart, frozen=True):
    """Numbers of the verdict by name, and the rules of its profile."""

    metrics: dict[str, Any]
    rules: dict[str, Any]


class TaskRuns(TaskPart, frozen=True):
    """The capabilities that ran, in their order."""

    runs: tuple[RunView, ...]


class TaskArtifacts(TaskPart, frozen=True):
    """The published files; ``left_out`` counts those beyond the first. Bytes are at ``artifacts/`` and the path."""

    artifacts: tuple[ArtifactLink, ...]
    left_out: int


class AdapterList(Struct, frozen=True):
    """The adapters of a repository, their capabilities, and warnings. ``asked`` is when the gate was asked."""

    repository: str
    asked: str
    warnings: tuple[str, ...]
    capabilities: tuple[CapabilityRow, ...]
    adapters: tuple[AdapterRow, ...]


class EngineList(Struct, frozen=True):
    """The engines of verifiers. ``asked`` is when the gate was asked."""

    repository: str
    asked: str
    engines: tuple[EngineRow, ...]
