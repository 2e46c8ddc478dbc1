"""What a baseline did to a verdict: which issues it leaves out, what is said of them, and its account."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.baseline import LINT, Baseline, Matched, issues_of, match, stale
from verigate.domain.facts import Facts
from verigate.domain.profile import BASELINE_FILE
from verigate.domain.task_folder import BASELINE_COPY
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import SHOWN


class SuppressedIssues(Struct, frozen=True):
    """Indices of covered issues, what is to be said, and the first of the entries: those in force and the expired."""

    covered: frozenset[int] = frozenset()
    said: str = ""
    in_force: tuple[EvidenceRef, ...] = ()
    expired: tuple[EvidenceRef, ...] = ()


def match_baseline(facts: Facts, baseline: Baseline) -> Facts:
    """The facts with what the baseline says of each lint artifact: several rules ask, and each finding is hashed."""
    artifacts = facts.evidence.by_spec(LINT)
    return replace(facts, matched={artifact.path: match(baseline, artifact) for artifact in artifacts})


def suppress_issues(baseline: Baseline, found: Matched, artifact: Artifact, severity: str) -> SuppressedIssues:
    """What the baseline does to the count of issues of this severity; ``found`` is what it says of the artifact."""
    issues = issues_of(artifact)
    covered = {index: entry for index, entry in found.covered.items() if issues[index]["severity"] == severity}
    expired = {index: entry for index, entry in found.expired.items() if issues[index]["severity"] == severity}
    said = []
    if covered:
        entries = [baseline.entries[number] for number in covered.values()]
        are = "is" if len(covered) == 1 else "are"
        dated = format_date_range(entry.created for entry in entries)
        expiring = format_date_range(entry.expires for entry in entries)
        said.append(f"{len(covered)} in the baseline {are} left out (dated {dated}, expiring {expiring})")
    if expired:
        dates = format_date_range(baseline.entries[number].expires for number in expired.values())
        were = "was" if len(expired) == 1 else "were"
        said.append(f"{len(expired)} of them {were} in the baseline until it expired on {dates}")
    return SuppressedIssues(
        frozenset(covered),
        "; ".join(said),
        _cite_entries(baseline, covered.values()),
        _cite_entries(baseline, expired.values()),
    )


def summarise_baseline(facts: Facts) -> dict[str, Any] | None:
    """What the verdict's ``policy`` says of the baseline, None without one.

    ``covered`` and ``expired`` count findings, ``stale`` those that entries count and that no longer occur; null where
    no linter looked. Dates are the first and the last of the entries in force.
    """
    baseline = facts.baseline
    if baseline is None:
        return None
    looked = [artifact for artifact in facts.evidence.by_spec(LINT) if artifact.value["files_checked"]]
    matches = [facts.matched[artifact.path] for artifact in looked]
    in_force = [entry for entry in baseline.entries if not baseline.has_expired(entry)]
    return {
        "file": BASELINE_FILE,
        "sha256": baseline.sha256,
        "judged_on": baseline.judged_on,
        "entries": len(baseline.entries),
        "created": _first_and_last([entry.created for entry in in_force]),
        "expires": _first_and_last([entry.expires for entry in in_force]),
        "covered": sum(len(found.covered) for found in matches) if looked else None,
        "expired": sum(len(found.expired) for found in matches) if looked else None,
        "stale": stale(baseline, matches) if looked else None,
    }


def format_date_range(dates: Iterable[str]) -> str:
    """``2026-11-22``, or the first and the last of several dates."""
    ends = _first_and_last(list(dates))
    return " to ".join(dict.fromkeys(ends)) if ends else ""


def _first_and_last(dates: Collection[str]) -> list[str] | None:
    return [min(dates), max(dates)] if dates else None


def _cite_entries(baseline: Baseline, numbers: Iterable[int]) -> tuple[EvidenceRef, ...]:
    sha256 = baseline.sha256
    return tuple(
        EvidenceRef(BASELINE_COPY, f"/entries/{number}", baseline.entries[number].document(), sha256)
        for number in sorted(set(numbers))[:SHOWN]
    )
