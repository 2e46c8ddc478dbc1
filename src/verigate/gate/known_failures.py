"""Apply a baseline to failing tests: which ones were failing before, and which of them the change touches."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from verigate.domain.artifact import Artifact
from verigate.domain.baseline import Baseline
from verigate.domain.code_paths import is_code
from verigate.domain.facts import Facts
from verigate.domain.known_failures import (
    TESTS,
    ChangeParts,
    FailureMatch,
    list_failures,
    make_failure_key,
    match_failures,
)
from verigate.domain.task_folder import BASELINE_COPY
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import SHOWN

_FUNCTIONS = "verigate:functions.v1"
_LISTED = (".py", ".go", ".rs", ".java")
"""Languages in which a test is a function that code:functions lists."""


class KnownFailures(Struct, frozen=True):
    """Indexes of the failures that don't count, a note for the message, and citations of their entries."""

    covered: frozenset[int]
    note: str
    cited: tuple[EvidenceRef, ...]


def select_known_failures(facts: Facts, baseline: Baseline, artifact: Artifact) -> KnownFailures:
    """Select the failures of an artifact that the baseline covers."""
    found = match_known_failures(facts, baseline, artifact)
    notes = []
    if found.covered:
        are = "known failing test is" if len(found.covered) == 1 else "known failing tests are"
        since = sorted({baseline.tests[number].created for number in found.covered.values()})
        notes.append(f"{len(found.covered)} {are} left out (baseline of {' to '.join(dict.fromkeys(_ends(since)))})")
    if found.touched:
        notes.append(f"{len(found.touched)} in the baseline count because the change touches them")
    if found.expired:
        notes.append(f"{len(found.expired)} count because the entry in the baseline has expired")
    cited = tuple(
        EvidenceRef(BASELINE_COPY, f"/tests/{number}", baseline.tests[number].document(), baseline.sha256)
        for number in sorted({*found.covered.values(), *found.expired.values()})[:SHOWN]
    )
    return KnownFailures(frozenset(found.covered), "; ".join(notes), cited)


def match_known_failures(facts: Facts, baseline: Baseline, artifact: Artifact) -> FailureMatch:
    """Match the failures of an artifact with the baseline's entries."""
    return match_failures(baseline.tests, baseline.judged_on, artifact, _split_change(facts))


def summarise_known_failures(facts: Facts, baseline: Baseline) -> dict[str, Any]:
    """Summarise the known failing tests for the verdict's ``policy``.

    ``covered`` and ``expired`` count failures, ``touched`` names tests that count because the change touches them,
    ``passing`` counts entries' failures that no longer occur; null if no test ran.
    """
    artifacts = [item for item in facts.evidence.by_spec(TESTS) if item.value["passed"] + item.value["failed"]]
    matches = [(item, match_known_failures(facts, baseline, item)) for item in artifacts]
    in_force = [entry for entry in baseline.tests if entry.expires > baseline.judged_on]
    used = {
        number
        for _, found in matches
        for group in (found.covered, found.expired, found.touched)
        for number in group.values()
    }
    touched = {
        key.id
        for item, found in matches
        for index in found.touched
        if (key := make_failure_key(list_failures(item)[index])) is not None
    }
    return {
        "entries": len(baseline.tests),
        "created": _ends(sorted(entry.created for entry in in_force)) or None,
        "expires": _ends(sorted(entry.expires for entry in in_force)) or None,
        "covered": sum(len(found.covered) for _, found in matches) if matches else None,
        "expired": sum(len(found.expired) for _, found in matches) if matches else None,
        "touched": sorted(touched),
        "passing": len(baseline.tests) - len(used) if matches else None,
    }


def _split_change(facts: Facts) -> ChangeParts:
    artifacts = facts.evidence.by_spec(_FUNCTIONS)
    functions = frozenset(
        str(symbol["name"]).rpartition(".")[2]
        for artifact in artifacts
        for change in ("added", "changed", "removed")
        for symbol in artifact.value["functions"][change]
    )
    code = [change.path for change in facts.subject.changes if is_code(change)]
    parsed = bool(artifacts) and not any(artifact.value.get("files_failed") for artifact in artifacts)
    unlisted = any(not parsed or not path.endswith(_LISTED) for path in code)
    return ChangeParts(frozenset(change.path for change in facts.subject.changes), functions, unlisted)


def _ends(dates: list[str]) -> list[str]:
    return [dates[0], dates[-1]] if dates else []
