"""What the index keeps of one task."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.config.task_files import read_claim, read_commitment
from verigate.domain.evidence_weakenings import COUNTERFACTUAL
from verigate.domain.known_failures import TESTS
from verigate.domain.subject import SubjectKind
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.errors import GateError
from verigate.evidence.store import Published
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.serve.index.layout import MOST_STATEMENTS
from verigate.serve.task_state import TaskReading, TaskState, read_task

AGENT = "hook:"
"""What an actor of a claim begins with that a hook of a coding agent wrote."""

FAILED, FLAKY = "failed", "flaky"
_LONGEST = 1000
_MOST_TESTS = 500
_PROBLEMS = frozenset({"refuted", "unknown", "error"})


class IndexedRun(Struct, frozen=True):
    """A capability that ran; ``failure`` is a reason code, empty if it left valid artifacts."""

    capability: str
    adapter: str
    duration_s: float
    cached: bool
    failure: str


class TaskEntry(Struct, frozen=True):
    """One task. ``findings`` are (check id, outcome, reason code), ``tests`` (test id, FAILED or FLAKY).

    ``statements`` are (text, outcome). ``moment`` is in seconds since 1970, None without a verdict. ``revision`` is the
    commit that was verified, whose author git knows; empty for anything else.
    """

    state: TaskState
    type: str = ""
    author: str = ""
    agent: str = ""
    finished: str | None = None
    moment: int | None = None
    duration_s: float | None = None
    note: str = ""
    tree: str = ""
    revision: str = ""
    marked: bool = False
    ended: bool = False
    findings: tuple[tuple[str, str, str], ...] = ()
    runs: tuple[IndexedRun, ...] = ()
    tests: tuple[tuple[str, str], ...] = ()
    statements: tuple[tuple[str, str], ...] = ()

    @property
    def problems(self) -> int:
        """The number of checks that are refuted, unknown or in error."""
        return sum(outcome in _PROBLEMS for _, outcome, _ in self.findings)


def make_entry(root: Path, task_id: str) -> TaskEntry:
    """Read a task and keep what the queue and the history show of it. Never raises for what its files hold."""
    reading = read_task(root, task_id)
    if reading.published is None:
        return _describe_unjudged(root, task_id, reading)
    try:
        return _describe_judged(reading, reading.published)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        note = f"its record can't be read: {problem}"[:_LONGEST]
        return TaskEntry(TaskState.BROKEN, note=note, marked=reading.marked, ended=reading.ended)


def _describe_unjudged(root: Path, task_id: str, reading: TaskReading) -> TaskEntry:
    """Describe a task without a genuine verdict by what it was to be."""
    folder = root / ".artifacts" / task_id
    task_type, actor = "", ""
    texts: tuple[tuple[str, str], ...] = ()
    try:
        task_type = read_commitment(folder / COMMITMENT_FILE, task_id, root).commitment.type
        claim = read_claim(folder / CLAIM_FILE, task_id, task_type, root).claim
        actor = (claim.actor or "") if claim is not None else ""
        texts = tuple((each.text[:_LONGEST], "") for each in claim.statements) if claim is not None else ()
    except GateError:
        pass  # the note already says that there is no verdict
    author, agent = _split_actor(actor)
    return TaskEntry(
        reading.state,
        task_type[:_LONGEST],
        author,
        agent,
        note=reading.problem[:_LONGEST],
        marked=reading.marked,
        ended=reading.ended,
        statements=texts[:MOST_STATEMENTS],
    )


def _describe_judged(reading: TaskReading, published: Published) -> TaskEntry:
    verdict, run = published.verdict, published.run
    metadata, subject = verdict["metadata"], verdict["subject"]
    claim = run["task"].get("claim") or {}
    author, agent = _split_actor(claim.get("actor"))
    marks = (run.get("disclosed") or {}).get("agent_marks") or ()
    finished = metadata.get("finished")
    revision = (metadata.get("subject") or {}).get("commit")
    outcomes = {str(check["id"]): str(check["outcome"]) for check in verdict["checks"]}
    return TaskEntry(
        reading.state,
        str(verdict["type"])[:_LONGEST],
        author,
        agent or (str(marks[0])[:_LONGEST] if marks else ""),
        finished if isinstance(finished, str) else None,
        read_moment(finished),
        _as_number(metadata.get("duration")),
        _first_reason(verdict),
        str(subject.get("tree") or ""),
        revision if subject.get("kind") == SubjectKind.COMMIT and isinstance(revision, str) else "",
        reading.marked,
        reading.ended,
        tuple((str(c["id"]), str(c["outcome"]), str(c.get("reason") or "")) for c in verdict["checks"]),
        tuple(map(_describe_run, run["invocations"])),
        tuple(_find_tests(published))[:_MOST_TESTS],
        tuple(_list_statements(claim, outcomes))[:MOST_STATEMENTS],
    )


def _first_reason(verdict: Mapping[str, Any]) -> str:
    reasons = verdict["reasons"]
    if not reasons:
        return ""
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return f"{reasons[0]['code']}: {reasons[0]['message']}"[: _LONGEST - len(more)] + more


def _describe_run(document: Mapping[str, Any]) -> IndexedRun:
    outcome, failure = document.get("outcome") or {}, document.get("failure") or {}
    return IndexedRun(
        str(document["capability"])[:_LONGEST],
        str(document.get("adapter") or "")[:_LONGEST],
        _as_number(outcome.get("duration_s")) or 0.0,
        bool(document.get("cached")),
        str(failure.get("reason") or "")[:_LONGEST],
    )


def _list_statements(claim: Mapping[str, Any], outcomes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    body = claim.get("claim", claim.get("claimed")) or {}
    for number, item in enumerate(body.get("statements") or (), start=1):
        text, name = (item, None) if isinstance(item, str) else (item["text"], item.get("id"))
        key = str(name).removeprefix("statement:") if name else str(number)
        yield str(text)[:_LONGEST], outcomes.get(f"unit:statement:{key}", "")


def _find_tests(published: Published) -> Iterator[tuple[str, str]]:
    """Find tests that failed, by tests.json, and those that don't do the same in every run, by counterfactual.json."""
    for path, entry in sorted(published.index.items()):
        if not entry["is_json"] or entry["media_spec"] not in {TESTS, COUNTERFACTUAL}:
            continue
        try:
            value = loads(published.read(path), max_bytes=256 * 1024 * 1024)
        except StrictJsonError:
            continue
        if entry["media_spec"] == TESTS:
            yield from ((str(each.get("id", ""))[:_LONGEST], FAILED) for each in value.get("failures") or ())
            continue
        for each in value["tests"]:
            if each["class"] == FLAKY:
                yield f"{each['path']}::{each['test']}"[:_LONGEST], FLAKY


def _split_actor(actor: Any) -> tuple[str, str]:
    """Return the person and the agent that an actor of a claim names, one of them empty."""
    if not isinstance(actor, str) or not actor.strip():
        return "", ""
    name = actor.strip()[:_LONGEST]
    return ("", name.removeprefix(AGENT)) if name.startswith(AGENT) else (name, "")


def read_moment(text: Any) -> int | None:
    """Read a moment of ISO 8601 in UTC, as seconds since 1970; None if it is none."""
    if not isinstance(text, str):
        return None
    try:
        return int(datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError, OSError):
        return None


def _as_number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None
