"""What the facts say of single tests: whether a planted one failed, and which ones may fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.execution import CapabilityRun
from verigate.domain.known_failures import TESTS

_NO_LETTERS = re.compile(r"[\W_]+")


def find_failure(runs: Sequence[CapabilityRun], name: str) -> bool:
    """Whether a test with ``name`` in its id is among those that failed. Runners write names in their own way."""
    wanted = _NO_LETTERS.sub("", name).lower()
    return any(
        wanted in _NO_LETTERS.sub("", str(failure.get("id", ""))).lower()
        for value in _list_results(runs)
        for failure in value.get("failures") or ()
        if isinstance(failure, Mapping)
    )


def describe_left_out(runs: Sequence[CapabilityRun]) -> str:
    """Say how many tests the configuration deselects; empty if none."""
    left, total = _count(runs)
    return f"{left} of {total} tests may fail (deselect in config/adapters.json)" if left else ""


def leaves_out_most(runs: Sequence[CapabilityRun]) -> bool:
    """Whether at least half of the tests may fail."""
    left, total = _count(runs)
    return left > 0 and total <= 2 * left


def _count(runs: Sequence[CapabilityRun]) -> tuple[int, int]:
    left = total = 0
    for value in _list_results(runs):
        entries = [
            entry for entry in value.get("deselected") or ()
            if isinstance(entry, Mapping) and not entry.get("expired") and entry.get("outcome") != "absent"
        ]  # fmt: skip
        left += len(entries)
        # A failing one is in no count.
        total += int(value["total"]) + sum(entry.get("outcome") == "failed" for entry in entries)
    return left, total


def _list_results(runs: Sequence[CapabilityRun]) -> Iterator[Mapping[str, Any]]:
    for run in runs:
        for artifact in run.artifacts:
            if artifact.media_spec == TESTS and isinstance(artifact.value, Mapping):
                yield artifact.value
