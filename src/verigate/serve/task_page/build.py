"""Build the page of a task from its published state, by what the reports use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.task import IMPLICIT_TASK_ID
from verigate.domain.verdict import Verdict, parse_verdict, shorten_cited
from verigate.errors import EvidenceError, GateError
from verigate.evidence.store import Published
from verigate.evidence.verdict_chain import read_chain
from verigate.reporting.approvals import list_approvals
from verigate.reporting.artifact_summaries import summarise_artifacts
from verigate.reporting.check_lines import format_counts
from verigate.reporting.report import Report
from verigate.reporting.status_summary import explain_status
from verigate.reporting.subject_names import describe_subject
from verigate.reporting.weakenings import list_weakenings
from verigate.serve.addresses import artifact_address
from verigate.serve.false_blocks import list_false_blocks
from verigate.serve.repositories import ServedRepository
from verigate.serve.task_page.checks import CheckViews
from verigate.serve.task_page.matrix import build_matrix
from verigate.serve.task_page.model import ArtifactLink, PastVerdict, StatementView, TaskPage, UnitView
from verigate.serve.task_page.runs import build_runs
from verigate.serve.task_page.transcript import build_transcript
from verigate.serve.task_page.viewers import choose_viewer
from verigate.serve.task_state import TaskState, read_task
from verigate.usecases.chain_notes import find_chain_notes
from verigate.usecases.judged_files import find_changed_files
from verigate.usecases.replay import restore_facts
from verigate.usecases.report_false_block import list_blocking

_MOST_PAST = 200
_MOST_UNITS = 5000
_MOST_PAIRS = 300
_MOST_ARTIFACTS = 2000


def build_task_page(
    repository: ServedRepository, task_id: str, environ: Mapping[str, str], *, can_change: bool
) -> TaskPage:
    """Read a task, check it as ``gate show`` does, and describe it. ``can_change``: the server may verify again."""
    reading = read_task(repository.root, task_id)
    # The implicit task is what differs from the base, whose verdict a command without a task makes.
    can_verify = can_change and task_id != IMPLICIT_TASK_ID and not repository.pushed
    page = TaskPage(repository.name, task_id, reading.state, reading.problem, reading.marked, reading.ended, can_verify)
    if reading.published is None:
        return page
    page = replace(
        page,
        can_report=can_change and reading.state is not TaskState.PASS,
        false_blocks=list_false_blocks([repository], environ, task_id).reports,
    )
    try:
        return _describe(page, repository, reading.published, environ)
    except EvidenceError as problem:  # it was changed since it was read a moment ago
        return replace(page, state=TaskState.BROKEN, problem=str(problem))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as problem:
        # Evidence that was edited and sealed again may have any shape, as long as the verdict follows from it.
        why = f"not checked: its evidence has a shape that no adapter's has ({type(problem).__name__}: {problem})"
        return replace(page, state=TaskState.BROKEN, problem=why)


def _describe(
    page: TaskPage, repository: ServedRepository, published: Published, environ: Mapping[str, str]
) -> TaskPage:
    facts = restore_facts(repository.root, published)
    verdict = parse_verdict(published.verdict)
    notices = tuple(str(warning) for warning in published.run.get("warnings", ()))
    report = Report(verdict, facts.runs, {}, notices, baseline=facts.baseline)
    task = (repository.name, page.task_id)
    views = CheckViews(report, *task)
    changed = find_changed_files(published.folder, published.run)
    numbers = [item.text for item in summarise_artifacts(report.artifacts.values())]
    units, artifacts = tuple(_describe_units(verdict, views)), tuple(_list_artifacts(published, *task))
    return replace(
        page,
        type=verdict.type,
        summary=explain_status(verdict),
        instruction=facts.task.commitment.user_instruction or "",
        about=tuple(_describe_about(verdict)),
        numbers=(*numbers, f"checks: {format_counts(report.checks)}"),
        notices=report.sentences,
        today=(
            *((f"this verdict is no longer about what is here: {changed}",) if changed else ()),
            *find_chain_notes(repository.root, environ, published.folder),
        ),
        weakenings=tuple((item.word, item.text, item.line) for item in list_weakenings(verdict)),
        approvals=tuple(list_approvals(verdict)),
        statements=tuple(_describe_statements(facts, verdict, views)),
        blocking=list_blocking(verdict)[:_MOST_PAIRS],
        units=units[:_MOST_UNITS],
        units_left_out=max(0, len(units) - _MOST_UNITS),
        notes=views.list_notes(),
        covered=views.list_covered(),
        groups=views.groups(),
        left_out=views.left_out,
        matrix=build_matrix(report, *task),
        rules=_list_pairs(verdict.policy.get("thresholds")),
        metrics=_list_pairs(verdict.metrics),
        runs=tuple(build_runs(report, published, *task)),
        past=tuple(_list_past(repository.root, environ, page.task_id)),
        artifacts=artifacts[:_MOST_ARTIFACTS],
        artifacts_left_out=max(0, len(artifacts) - _MOST_ARTIFACTS),
        transcript=build_transcript(verdict, published, *task, _list_texts(facts)),
    )


def _describe_about(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    yield "type", verdict.type, ""
    if profile := verdict.policy.get("profile"):
        yield "profile", str(profile), ""
    yield from describe_subject(verdict)
    metadata = verdict.metadata
    for name in ("finished", "duration", "host", "gate_version"):
        if (value := metadata.get(name)) is not None:
            yield name.replace("_", " "), f"{value} s" if name == "duration" else str(value), ""


def _describe_statements(facts: Facts, verdict: Verdict, views: CheckViews) -> Iterator[StatementView]:
    claim = facts.task.claim
    for statement in claim.statements if claim is not None else ():
        check = verdict.check(f"unit:{statement.id}")
        if check is None:
            yield StatementView(statement.id, statement.text, "", "nothing judged it", "", ())
            continue
        anchor = views.anchor(check.id)
        yield StatementView(
            statement.id, statement.text, check.outcome.value, check.message, anchor, views.cited_facts(check)
        )


def _list_pairs(value: Any) -> tuple[tuple[str, Any], ...]:
    pairs = sorted(value.items()) if isinstance(value, Mapping) else []
    return tuple((str(name), shorten_cited(item)) for name, item in pairs[:_MOST_PAIRS])


def _list_texts(facts: Facts) -> dict[str, str]:
    claim = facts.task.claim
    return {statement.id: statement.text for statement in claim.statements} if claim is not None else {}


def _describe_units(verdict: Verdict, views: CheckViews) -> Iterator[UnitView]:
    order = {"refuted": 0, "undecided": 1, "supported": 2}
    for unit in sorted(verdict.units.per_unit, key=lambda unit: order[unit.outcome.value]):
        if not unit.id.startswith("statement:"):
            yield UnitView(unit.id, unit.outcome.value, unit.message, views.anchor(unit.check))


def _list_past(root: Path, environ: Mapping[str, str], task_id: str) -> Iterator[PastVerdict]:
    try:
        chain = read_chain(root, environ, task_id)
    except GateError:
        return  # what speaks against the verdict today says so
    for entry in chain.entries[:_MOST_PAST] if chain is not None else ():
        yield PastVerdict(entry.number, entry.status, entry.finished, entry.tree)


def _list_artifacts(published: Published, repository: str, task_id: str) -> Iterator[ArtifactLink]:
    for path, entry in sorted(published.index.items()):
        spec = entry.get("media_spec")
        yield ArtifactLink(
            path,
            artifact_address(repository, task_id, path),
            int(entry.get("size") or 0),
            str(entry.get("producer") or "the gate"),
            str(spec or ""),
            choose_viewer(path, spec if isinstance(spec, str) else None).value,
        )
