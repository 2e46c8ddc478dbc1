"""The values of a task's page. The page and its JSON are made from the same ones. Texts of tasks are as they are."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from verigate.serve.false_blocks import FalseBlockView
from verigate.serve.task_state import TaskState


class CitedFact(Struct, frozen=True):
    """A value of the evidence that a check cites.

    ``lines`` is the excerpt at ``pointer``, ``left_out`` counts those after it; ``note`` says that the artifact differs
    from what was cited. ``href`` leads to the place in the artifact.
    """

    artifact: str
    pointer: str
    value: Any
    sha256: str
    href: str
    lines: tuple[str, ...] = ()
    left_out: int = 0
    note: str = ""


class ListedFinding(Struct, frozen=True):
    """A finding below a check: its level, its place in the repository, its rule and its message."""

    level: str
    place: str
    rule: str
    message: str


class FindingLines(Struct, frozen=True):
    """Findings in a line each, escaped; ``left_out`` counts those beyond the limit."""

    lines: tuple[str, ...] = ()
    left_out: int = 0


class CheckView(Struct, frozen=True):
    """One check. ``title`` is outcome and reason code, ``meaning`` what the code means, ``commands`` show it again."""

    id: str
    anchor: str
    outcome: str
    problem: bool
    title: str
    message: str
    meaning: str
    expected: Any
    actual: Any
    facts: tuple[CitedFact, ...]
    facts_left_out: int
    findings: tuple[ListedFinding, ...]
    findings_left_out: int
    commands: tuple[str, ...]


class CheckGroup(Struct, frozen=True):
    """Checks of one domain, problems first."""

    name: str
    checks: tuple[CheckView, ...]


class StatementView(Struct, frozen=True):
    """A sentence of the claim, what the facts say of it, and the facts. ``outcome`` is empty if nothing judged it."""

    id: str
    text: str
    outcome: str
    message: str
    check: str
    facts: tuple[CitedFact, ...]


class UnitView(Struct, frozen=True):
    """A unit of work, its outcome, and the anchor of its check."""

    id: str
    outcome: str
    message: str
    check: str


class MatrixRow(Struct, frozen=True):
    """A test in the four cells: each a letter a run (P passed, F failed, X not importable, N absent or skipped)."""

    test: str
    was: str
    kind: str
    weakens: str
    why: str
    cells: tuple[str, str, str, str]


class Matrix(Struct, frozen=True):
    """The tests that changed, on the code of base and of head. ``cells`` names the columns."""

    href: str
    rows: tuple[MatrixRow, ...]
    left_out: int
    counts: dict[str, int]
    cells: tuple[str, ...] = ("BB", "HB", "BH", "HH")


class RunView(Struct, frozen=True):
    """A capability that ran. ``share`` of the longest one, from 0 to 1."""

    capability: str
    adapter: str
    seconds: float
    share: float
    cached: bool
    ended: str
    failure: str
    hint: str
    sandbox: str
    command: tuple[str, ...]
    artifacts: tuple[tuple[str, str], ...]
    logs: tuple[tuple[str, str], ...]


class PastVerdict(Struct, frozen=True):
    """An entry of the chain of a task's verdicts."""

    number: int
    status: str
    finished: str
    tree: str


class ArtifactLink(Struct, frozen=True):
    """A published file. ``kind`` is how the viewer shows it."""

    path: str
    href: str
    size: int
    producer: str
    media_spec: str
    kind: str


class ModelCall(Struct, frozen=True):
    """A call of the verifier: questions, the prompt, the answer; ``error`` in words, ``usage`` as recorded."""

    questions: tuple[tuple[str, str], ...]
    attempt: int
    prompt: str
    prompt_href: str
    answer: str
    error: str
    usage: str


class Transcript(Struct, frozen=True):
    """What a language model was asked, and what it answered."""

    summary: str
    calls: tuple[ModelCall, ...]
    problem: str


class TaskPage(Struct, frozen=True):
    """The page of a task. All but the first fields are empty where there is no genuine verdict.

    ``can_report``: it holds something back, and who may change something can report a false block of ``blocking``, ids
    of checks. ``notes`` were found and fail no check; the baseline leaves ``covered`` out; ``rules`` are those of the
    profile.
    """

    repository: str
    task_id: str
    state: TaskState
    problem: str
    marked: bool
    ended: bool
    can_verify: bool
    type: str = ""
    summary: str = ""
    instruction: str = ""
    about: tuple[tuple[str, str, str], ...] = ()
    numbers: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    today: tuple[str, ...] = ()
    weakenings: tuple[tuple[str, str, str], ...] = ()
    approvals: tuple[tuple[str, str], ...] = ()
    statements: tuple[StatementView, ...] = ()
    units: tuple[UnitView, ...] = ()
    units_left_out: int = 0
    notes: FindingLines = FindingLines()
    covered: FindingLines = FindingLines()
    groups: tuple[CheckGroup, ...] = ()
    left_out: int = 0
    matrix: Matrix | None = None
    rules: tuple[tuple[str, Any], ...] = ()
    metrics: tuple[tuple[str, Any], ...] = ()
    runs: tuple[RunView, ...] = ()
    past: tuple[PastVerdict, ...] = ()
    artifacts: tuple[ArtifactLink, ...] = ()
    artifacts_left_out: int = 0
    transcript: Transcript | None = None
    can_report: bool = False
    blocking: tuple[str, ...] = ()
    false_blocks: tuple[FalseBlockView, ...] = ()
