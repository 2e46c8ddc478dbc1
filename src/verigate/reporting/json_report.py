"""A verdict as its own JSON document (``verigate:verdict.v1``)."""

from __future__ import annotations

import json
from typing import Any

from verigate.reporting.report import ADVISORY, Report

NO_VERDICT_SCHEMA = "verigate:no-verdict.v1"


def render(report: Report) -> str:
    """The verdict document, indented, keys sorted, ending in a newline.

    Of an advisory run its ``metadata`` says so, which the published document's doesn't.

    Pure ASCII: whatever was in a name or a message stays exactly readable by machines and can't act on a terminal.
    Raises ValueError for a value that JSON doesn't have (NaN, infinity).
    """
    document = report.verdict.document()
    if report.advisory:
        document = {**document, "metadata": {**document["metadata"], "advisory": ADVISORY}}
    return ascii_json(document, indent=2, sort_keys=True)


def render_nothing(why: str) -> str:
    """The document of a run that had nothing to verify."""
    return ascii_json({"schema": NO_VERDICT_SCHEMA, "message": why}, indent=2, sort_keys=True)


def ascii_json(document: Any, *, indent: int | None = None, sort_keys: bool = False) -> str:
    """A document as ASCII that ends in a newline. Raises ValueError for what JSON doesn't have.

    ``##[``, which the runner of GitHub Actions obeys anywhere in a line, is spelled so that only JSON's readers see it.
    """
    text = json.dumps(document, indent=indent, sort_keys=sort_keys, ensure_ascii=True, allow_nan=False)
    return text.replace("##[", "\\u0023\\u0023[") + "\n"
