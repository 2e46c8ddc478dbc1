"""Compare statements about files of tests, which Jest calls suites, with the counts by file in tests.json."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import StatedFact
from verigate.gate.measures.compare import is_satisfied, leave_undecided
from verigate.gate.rule_outcome import RuleOutcome, cite, holds


def _ran(entry: Mapping[str, Any]) -> bool:
    return bool(entry["passed"] or entry["failed"])


FILE_COUNTS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "files": lambda entry: bool(_ran(entry) or entry["skipped"]),
    "passed_files": lambda entry: _ran(entry) and not entry["failed"],
    "failed_files": lambda entry: bool(entry["failed"]),
}
"""What a statement counts -> whether a file of tests is one of them."""


def measure_files(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Support a count of files; another count refutes nothing, since a suite is something else for some runners."""
    files = artifact.value.get("files")
    if not files:
        return leave_undecided(fact, "no report counts tests by file", cite(artifact, "tool"))
    found = sum(map(FILE_COUNTS[fact.what], files))
    if is_satisfied(fact, found):
        return holds(found, cite(artifact, "files"), message=f"{fact}")
    return leave_undecided(fact, f"the report has {found}", cite(artifact, "files"))
