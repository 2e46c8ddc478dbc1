"""Tests that were selected because the change can affect them: ``selected`` of tests.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.rules import AFFECTED

KEY = "selected"
_NOUNS = {"files": "test files", "packages": "packages", "suites": "suites"}
_SHOWN = 5


def is_partial(entry: Any) -> bool:
    """Whether a member of ``selected`` is a suite of which a part ran."""
    return isinstance(entry, dict) and entry["chosen"] < entry["of"]


def describe_selected(value: Mapping[str, Any]) -> str:
    """Describe the suites of tests.json of which a part ran, at most five; "" if all ran whole.

    ``3 of 41 test files of pytest (.) ran, by impact``; ``2 of 9 packages of the repository (.) ran, by what changed``.
    """
    partial = [entry for entry in value.get(KEY) or () if is_partial(entry)]
    if not partial:
        return ""
    how = "by what changed" if all(entry.get("by") == AFFECTED for entry in partial) else "by impact"
    more = f" and {len(partial) - _SHOWN} more" if len(partial) > _SHOWN else ""
    each = (
        f"{entry['chosen']} of {entry['of']} {_NOUNS[entry['unit']]} of {entry['what']} ({entry['path']})"
        for entry in partial[:_SHOWN]
    )
    return f"{'; '.join(each)}{more} ran, {how}"
