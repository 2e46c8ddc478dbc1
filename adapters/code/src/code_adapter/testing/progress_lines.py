"""Read from a runner's output how far it is."""

from __future__ import annotations

import json
import re
from typing import Any

from verigate.sdk.progress import Seen, Step

COUNTED = ("-o", "console_output_style=count")
"""Options with which pytest ends its lines with ``[ 12/492]``."""

_PLAN = re.compile(r"1\.\.(\d{1,9})\b")
_POINT = re.compile(r"(?:not )?ok\b[ \d]*-? ?(.*)")
_OUTCOMES = re.compile(r"[.,FEsxXpPuR-]*")
_PYTEST = re.compile(r"\[ *(\d+)/(\d+)\]\s*$")


def make_pytest_reader() -> Seen:
    """Read the lines of pytest with COUNTED: the last words are the count, the first one is the file.

    A file with many tests has several lines, and only the first one names it.
    """
    file = ""

    def read(line: str) -> Step | None:
        nonlocal file
        found = _PYTEST.search(line)
        if found is None:
            return None
        first = line.split(" ", 1)[0]
        if not _OUTCOMES.fullmatch(first):
            file = first
        return Step(int(found[1]), int(found[2]), file)

    return read


def make_cargo_reader() -> Seen:
    """Read the events of libtest. Each program says how many tests it has, so the total grows."""
    done, total = 0, 0

    def read(line: str) -> Step | None:
        nonlocal done, total
        event = _read_event(line)
        if event.get("type") == "suite" and isinstance(event.get("test_count"), int):
            total += event["test_count"]
        elif event.get("type") == "test" and isinstance(event.get("name"), str):
            done += event.get("event") != "started"
            return Step(done, max(done, total), event["name"])
        return None

    return read


def make_go_reader() -> Seen:
    """Read the events of ``go test -json``; how many tests there are, nobody says."""
    done = 0

    def read(line: str) -> Step | None:
        nonlocal done
        event = _read_event(line)
        if not isinstance(event.get("Test"), str):
            return None
        done += event.get("Action") in {"pass", "fail", "skip"}
        return Step(done, None, event["Test"])

    return read


def make_tap_reader() -> Seen:
    """Read the lines of TAP, with the plan where it comes first."""
    done: int = 0
    total: int | None = None

    def read(line: str) -> Step | None:
        nonlocal done, total
        if planned := _PLAN.match(line):
            total = int(planned[1])
        elif test := _POINT.match(line):
            done += 1
            return Step(done, total, test[1])
        return None

    return read


def _read_event(line: str) -> dict[str, Any]:
    if not line.startswith("{"):
        return {}
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}
