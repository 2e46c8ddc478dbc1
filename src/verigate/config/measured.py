"""Find measured facts, which a claim must not contain: only adapters measure.

A field counts as measured by its name, at any depth, whatever its value is. Names are compared without regard to case
and separators (``testsPassed``, ``tests-passed`` and ``tests_passed`` are one name). Numbers inside prose are no
fields: they are statements to be checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from verigate.errors import Fault
from verigate.formats.json_path import JsonPath

NAMES: Mapping[str, tuple[str, ...]] = {
    "coverage": ("pct", "percent", "percentage", "lines_covered", "covered_lines", "branches_covered"),
    "tests": (
        "passed",
        "failed",
        "skipped",
        "tests_passed",
        "tests_failed",
        "tests_skipped",
        "tests_total",
        "tests_run",
        "tests_count",
        "total_tests",
        "passed_tests",
        "failed_tests",
        "skipped_tests",
        "test_count",
        "test_counts",
        "test_results",
        "test_total",
        "num_tests",
        "number_of_tests",
        "passing",
        "failing",
        "tests_passing",
        "tests_failing",
        "passed_count",
        "failed_count",
        "skipped_count",
        "pass_count",
        "fail_count",
        "pass_rate",
    ),
    "lint and build": (
        "lint_errors",
        "lint_warnings",
        "error_count",
        "warning_count",
        "errors_count",
        "warnings_count",
        "files_checked",
        "exit_code",
        "exit_status",
        "return_code",
    ),
    "links and API": (
        "statuses",
        "status_code",
        "status_codes",
        "http_status",
        "http_statuses",
        "http_code",
        "response_code",
        "response_time",
        "response_time_ms",
        "response_times",
        "links_checked",
        "links_ok",
        "links_broken",
        "broken_links",
        "time_ms",
        "p50",
        "p95",
        "p99",
        "p50_ms",
        "p95_ms",
        "p99_ms",
    ),
    "content": (
        "word_count",
        "word_counts",
        "words",
        "total_words",
        "words_total",
        "char_count",
        "char_counts",
        "image_count",
        "heading_count",
        "link_count",
    ),
    "time": ("seconds", "milliseconds", "duration_s", "elapsed_ms", "took", "took_ms", "runtime_ms"),
}
"""Names of measurements, by what they measure."""

WORDS = frozenset({"coverage", "duration", "durations", "latency", "latencies", "elapsed", "wordcount"})
"""Words that make any name one of a measurement (``line_coverage``, ``durationMs``), except the names of thresholds."""

MEASURED_THINGS = frozenset(
    {"test", "tests", "suite", "suites", "lint", "link", "links", "url", "urls", "word", "words", "error", "errors"}
    | {"warning", "warnings", "issue", "issues", "assertion", "assertions", "endpoint", "endpoints", "image", "images"}
    | {"heading", "headings", "build", "builds", "check", "checks"}
)
OUTCOMES = frozenset(
    {"passed", "failed", "skipped", "fixed", "updated", "added", "removed", "run", "ran", "ok", "broken", "clean"}
    | {"green", "red", "count", "counts", "checked", "found", "resolved", "remaining", "left", "succeeded", "passing"}
    | {"failing", "status", "result", "results", "rate", "number", "num", "pass", "fail"}
)
"""A name of words of both tables alone says what became of things that adapters count: ``lint_fixed``."""

_THRESHOLDS = frozenset({"coverage_min", "patch_coverage_min", "coverage_drop_max"})
_BORDERS = r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+"
_SQUASHED = frozenset(name.replace("_", "") for names in NAMES.values() for name in names)
_SQUASHED_THRESHOLDS = frozenset(name.replace("_", "") for name in _THRESHOLDS)


_CONTAINERS = (dict, list)


def is_measured_name(name: str) -> bool:
    """Return whether a field of this name states a measurement."""
    words = [word.lower() for word in re.split(_BORDERS, name[:200]) if word]
    squashed = "".join(words)
    if squashed in _SQUASHED_THRESHOLDS:
        return False
    if squashed in _SQUASHED or any(word in WORDS for word in (squashed, *words)):
        return True
    things, outcomes = MEASURED_THINGS.intersection(words), OUTCOMES.intersection(words)
    return bool(things and outcomes) and (MEASURED_THINGS | OUTCOMES).issuperset(words)


def find_measured_facts(document: Any) -> Iterator[Fault]:
    """Yield a fault for each measured field of a claim."""
    pending: list[tuple[JsonPath | None, Any]] = [(None, document)]
    while pending:
        way, value = pending.pop()
        if isinstance(value, dict):
            for name, member in value.items():
                below = JsonPath(way, name)
                if is_measured_name(name):
                    yield Fault(
                        f"a claim carries the measured fact {name[:60]!r}",
                        pointer=below.pointer,
                        hint="only adapters measure: leave it out, or say it in a statement, which is then checked",
                    )
                elif isinstance(member, dict | list):
                    pending.append((below, member))
        elif isinstance(value, list):
            # What is empty holds nothing: a megabyte may have half a million of these.
            pending += [
                (JsonPath(way, index), item)
                for index, item in enumerate(value)
                if item and isinstance(item, _CONTAINERS)
            ]
