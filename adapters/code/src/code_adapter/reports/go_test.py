"""Parse ``go test -json``: one event per line. Source: https://pkg.go.dev/cmd/test2json."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import dropwhile
from typing import Any

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, parse_json_object, reject_malformed

_UNBUILT = re.compile(rb"FAIL\t(\S+) \[(?:build|setup) failed\]")
"""Plain text that go before 1.24 prints between the events for a package that doesn't compile."""

_PROGRESS = re.compile(r"=== (?:RUN|PAUSE|CONT|NAME)\b|\s*--- FAIL: ")
"""A line that says that a test began, waits or failed, and not why."""

_OUTCOMES: dict[str, Outcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


@reject_malformed
def parse_go_test(raw: bytes, tool: str) -> Outcomes:
    """Read every test and each of its subtests, which are nested; a package that failed without one is a failed case.

    Raises ReportInvalid if a package or test never ended.
    """
    output: dict[tuple[str, str], list[str]] = defaultdict(list)
    open_tests: set[tuple[str, str]] = set()
    ended: dict[tuple[str, str], Outcome] = {}
    duration = 0.0
    for line in check_size(raw, tool).splitlines():
        if not line.strip():
            continue
        if unbuilt := _UNBUILT.fullmatch(line):
            ended[unbuilt[1].decode("utf-8", "replace"), ""] = "failed"
            continue
        event = parse_json_object(line, tool)
        action, key = event.get("Action"), (_text(event, "Package"), _text(event, "Test"))
        if action in {"output", "build-output"}:
            output[key if action == "output" else (_text(event, "ImportPath"), "")].append(_text(event, "Output"))
        elif action in {"start", "run"}:
            open_tests.add(key)
        elif action in _OUTCOMES:
            open_tests.discard(key)
            ended[key] = _OUTCOMES[action]
            if not key[1]:
                duration += _seconds(event)
    open_tests |= {(package, "") for package, _ in ended if (package, "") not in ended}
    if open_tests:
        raise ReportInvalid(f"{tool} started {min(open_tests)!r} and never reported its end")
    cases = [
        Case(
            f"{package}.{test}",
            outcome,
            message=_skip_progress(output[package, test]) if outcome == "failed" else "",
            nested="/" in test,
        )
        for (package, test), outcome in sorted(ended.items())
        if test
    ]
    failing = {package for (package, test), outcome in ended.items() if test and outcome == "failed"}
    cases += [
        Case(package, "failed", message="".join(output[package, ""]))
        for (package, test), outcome in sorted(ended.items())
        if not test and outcome == "failed" and package not in failing
    ]
    return Outcomes(tuple(cases), duration * 1000)


def _skip_progress(lines: Sequence[str]) -> str:
    """Join what a test printed, from the first line that isn't of progress."""
    return "".join(dropwhile(_PROGRESS.match, lines))


def _text(event: dict[str, Any], name: str) -> str:
    value = event.get(name, "")
    return value if isinstance(value, str) else ""


def _seconds(event: dict[str, Any]) -> float:
    value = event.get("Elapsed", 0)
    return float(value) if isinstance(value, int | float) and 0 <= value < 1e9 else 0.0
