"""Render JSON documents of the commands in a few lines each, for agents that call the gate as an MCP tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.proof import State
from verigate.domain.verdict import VERDICT_SCHEMA, EvidenceRef, parse_verdict
from verigate.reporting.agent_brief import render_brief
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.listings import ADAPTERS_SCHEMA, TASKS_SCHEMA
from verigate.reporting.plan import PLAN_SCHEMA
from verigate.reporting.proofs import PROOFS_SCHEMA
from verigate.reporting.text import format_evidence

EXPLANATION_SCHEMA = "verigate:explanation.v1"
_MAX_ITEMS = 50
_MAX_CHECKS = 10
_MAX_EVIDENCE = 5


def _verdict_lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield render_brief(parse_verdict(document))


def _plan_lines(document: Mapping[str, Any]) -> Iterator[str]:
    task, task_type, profile = (escape(document[name], limit=64) for name in ("task_id", "type", "profile"))
    yield f"verigate: plan of {task}: type {task_type}, profile {profile}"
    if not document["capabilities"]:
        yield "- nothing would run; an empty plan never passes"
    for planned in _limit(document["capabilities"]):
        need = "required" if planned["required"] else "optional"
        adapter = "no adapter" if planned["adapter"] is None else f"adapter {escape(planned['adapter'], limit=40)}"
        problem = f"; can't run: {escape(planned['problem'])}" if planned["problem"] else ""
        reasons = escape("; ".join(planned["reasons"]))
        yield f"- {escape(planned['name'], limit=60)}: {need}, {adapter}: {reasons}{problem}"
    yield from _omission_line(document["capabilities"])


def _explanation_lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"verigate: {document['status'].upper()} {escape(document['task_id'], limit=64)}"
    for check in document["checks"][:_MAX_CHECKS]:
        reason = f" ({escape(check['reason'], limit=40)})" if check.get("reason") else ""
        message = f": {escape(check['message'], limit=1000)}" if check.get("message") else ""
        yield f"- {escape(check['id'], limit=200)} {check['outcome'].replace('_', ' ')}{reason}{message}"
        yield f"  expected: {escape_value(check['expected'], limit=600)}"
        yield f"  actual: {escape_value(check['actual'], limit=600)}"
        for cited in check["evidence"][:_MAX_EVIDENCE]:
            ref = EvidenceRef(cited["artifact"], cited["pointer"], cited["value"], cited["sha256"])
            yield f"  fact: {format_evidence(ref)}"
        yield from (f"  reproduce: {line}" for line in check["reproduce"])
    yield from _omission_line(document["checks"], _MAX_CHECKS)


def _task_lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"verigate: {len(document['tasks'])} tasks"
    for task in _limit(document["tasks"]):
        current = ", the current one" if task["current"] else ""
        note = f": {escape(task['note'])}" if task["note"] else ""
        status = task["status"] or "not verified"
        yield f"- {escape(task['task_id'], limit=64)} ({escape(task['type'], limit=60)}{current}) {status}{note}"
    yield from _omission_line(document["tasks"])


def _adapter_lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"verigate: {len(document['adapters'])} adapters"
    for name, served in list(document["capabilities"].items())[:_MAX_ITEMS]:
        yield f"- {escape(name, limit=60)}: {escape(served['served_by'], limit=40)} ({served['origin']})"
    yield from _omission_line(document["capabilities"])
    yield from (f"warning: {escape(warning)}" for warning in _limit(document["warnings"]))


def _proof_lines(document: Mapping[str, Any]) -> Iterator[str]:
    proofs = document["proofs"]
    stopped = sum(proof["state"] == State.STOPPED for proof in proofs)
    yield f"verigate: {stopped} of {len(proofs)} rules stopped the violation that was planted for them"
    for proof in _limit(proofs):
        message = f": {escape(proof['message'], limit=300)}" if proof["message"] else ""
        yield f"- {escape(proof['rule'], limit=80)} {proof['state']}{message}"
    yield from _omission_line(proofs)


def _limit(items: Sequence[Any]) -> Sequence[Any]:
    return items[:_MAX_ITEMS]


def _omission_line(items: Sequence[Any] | Mapping[str, Any], most: int = _MAX_ITEMS) -> Iterator[str]:
    if len(items) > most:
        yield f"- and {len(items) - most} more"


_RENDERERS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    VERDICT_SCHEMA: _verdict_lines,
    PLAN_SCHEMA: _plan_lines,
    EXPLANATION_SCHEMA: _explanation_lines,
    TASKS_SCHEMA: _task_lines,
    ADAPTERS_SCHEMA: _adapter_lines,
    PROOFS_SCHEMA: _proof_lines,
}


def render_tool_text(document: Mapping[str, Any]) -> str:
    """Render a valid document, bounded, without a final newline. Raises KeyError for unknown schemas."""
    return "\n".join(_RENDERERS[document["schema"]](document))
