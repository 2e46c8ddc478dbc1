"""Say that time for mutants was up, by the setting that the report of the runs names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TIME_UP = "time was up"


def describe_time_up(value: Mapping[str, Any]) -> str:
    """Return why time was up, of the first reason in a sensitivity.json that says so, which names the setting."""
    changed = value.get("changed") or {}
    reasons = (str(each["why"]) for part in (value, changed) for each in part.get("unexamined", ()))
    return next((why for why in reasons if why.startswith(TIME_UP)), TIME_UP)
