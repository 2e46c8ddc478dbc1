"""Render reports of false blocks, as lines and as a JSON document."""

from __future__ import annotations

from typing import Any

import msgspec

from verigate.domain.false_block import FalseBlock, FalseBlocks
from verigate.reporting.escape import escape

SCHEMA = "verigate:false-blocks.v1"


def render_false_block(report: FalseBlock) -> str:
    """Render a report in two lines: which verdict, and why it should have passed."""
    by = f" by {escape(report.by, limit=100)}" if report.by else ""
    codes = ", ".join(escape(code, limit=60) for code in report.reasons) or "no reason code"
    head = (
        f"{escape(report.reported, limit=40)} {escape(report.task_id, limit=64)} {escape(report.status, limit=20)}{by}"
    )
    return f"{head}: {codes}\n  {escape(report.reason, limit=1000)}"


def render_false_blocks(found: FalseBlocks) -> str:
    """Render all reports, the newest first, and how many lines of the file are none."""
    lines = [render_false_block(report) for report in found.reports] or ["no false block was reported"]
    lines += [f"{found.unreadable} lines of the file are no reports"] if found.unreadable else []
    return "\n".join(lines)


def false_blocks_document(found: FalseBlocks) -> dict[str, Any]:
    """Return the document of ``--json``."""
    return {"schema": SCHEMA, **msgspec.to_builtins(found)}
