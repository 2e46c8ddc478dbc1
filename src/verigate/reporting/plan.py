"""Render a plan, as text and as a JSON document: what would run and why."""

from __future__ import annotations

from typing import Any

from verigate.domain.plan import Plan, PlannedCapability
from verigate.domain.policy_source import PolicySource
from verigate.reporting.escape import escape
from verigate.reporting.layout import MIN_WIDTH, cut, format_table, wrap
from verigate.reporting.palette import Palette

PLAN_SCHEMA = "verigate:plan-report.v1"


def render_plan(plan: Plan, *, task_id: str, profile: str, colour: bool = False, width: int = 100) -> str:
    """Render ``plan`` as a table in running order, then the reasons, then the capabilities that can't run."""
    palette = Palette(colour)
    width = max(width, MIN_WIDTH)
    head = (
        f"{escape(task_id, limit=64)} · type {escape(plan.task_type, limit=60)} · profile {escape(profile, limit=60)}"
    )
    lines = [palette.paint("PLAN", "bold") + "  " + cut(head, width - 6)]
    if not plan.capabilities:
        lines += ["", palette.paint("nothing would run; an empty plan never passes", "red")]
        return "\n".join(lines) + "\n"
    rows = [
        (
            str(number),
            escape(planned.name, limit=60),
            "required" if planned.required else "optional",
            _format_provider(planned),
            _format_needs(planned),
        )
        for number, planned in enumerate(plan.capabilities, start=1)
    ]
    lines += [
        "",
        *format_table(("", "capability", "", "adapter", "after"), rows, width),
        "",
        palette.paint("why", "bold"),
    ]
    for planned in plan.capabilities:
        why = "; ".join(escape(reason) for reason in planned.reasons) or "no reason was recorded"
        lines += wrap(f"{escape(planned.name, limit=60)}: {why}", width, indent="    ", first="  - ")
    if plan.added_with_tests:
        lines += wrap(
            f"{' and '.join(plan.added_with_tests)}: once the change touches tests", width, indent="    ", first="  + "
        )
    problems = [planned for planned in plan.capabilities if planned.problem is not None]
    if problems:
        lines += ["", palette.paint("can't run", "bold", "red")]
        for planned in problems:
            text = f"{escape(planned.name, limit=60)}: {escape(planned.problem or '', limit=600)}"
            lines += wrap(text, width, indent="    ", first="  - ")
    return "\n".join(lines) + "\n"


def _format_provider(planned: PlannedCapability) -> str:
    if planned.provider is None:
        return "none"
    manifest = planned.provider
    return f"{escape(manifest.name, limit=40)} {escape(manifest.version, limit=20)} ({manifest.origin.value})"


def _format_needs(planned: PlannedCapability) -> str:
    return ", ".join(escape(name, limit=60) for name in planned.needs) or "-"


def plan_document(plan: Plan, source: PolicySource | None = None, *, task_id: str, profile: str) -> dict[str, Any]:
    """``plan`` as a JSON value for ``gate plan --json``; ``source`` is the ref that the policy was read from."""
    return {
        "schema": PLAN_SCHEMA,
        "task_id": task_id,
        "type": plan.task_type,
        "profile": profile,
        **({"policy_ref": source.document()} if source is not None else {}),
        "capabilities": [
            {
                "name": planned.name,
                "required": planned.required,
                "reasons": list(planned.reasons),
                "needs": list(planned.needs),
                "adapter": planned.provider.name if planned.provider else None,
                "adapter_version": planned.provider.version if planned.provider else None,
                "entry": planned.provider.entry_path if planned.provider else None,
                "problem": planned.problem,
            }
            for planned in plan.capabilities
        ],
    }
