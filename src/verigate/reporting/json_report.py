"""A verdict as its own JSON document (``verigate:verdict.v1``)."""

from __future__ import annotations

import json
from typing import Any

from verigate.reporting.report import Report

NO_VERDICT_SCHEMA = "verigate:no-verdict.v1"


def render(report: Report) -> str:
    """The verdict document, indented, keys sorted, ending in a newline.

    Pure ASCII: whatever was in a name or a message stays exactly readable by machines and can't act on a terminal.
    Raises ValueError for a value that JSON doesn't have (NaN, infinity).
    """
    return _text(report.verdict.document())


def render_nothing(why: str) -> str:
    """The document of a run that had nothing to verify."""
    return _text({"schema": NO_VERDICT_SCHEMA, "message": why})


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n"
