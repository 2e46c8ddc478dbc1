"""Apply a baseline to lint findings: which ones it suppresses, and its summary in the verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.baseline import LINT, Baseline, BaselineMatch, count_stale, list_issues, match_issues
from verigate.domain.facts import Facts
from verigate.domain.profile import BASELINE_FILE
from verigate.domain.task_folder import BASELINE_COPY
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import SHOWN


class SuppressedIssues(Struct, frozen=True):
    """Indexes of the suppressed issues, a note for the message, and citations of the active and expired entries."""

    covered: frozenset[int] = frozenset()
    note: str = ""
    in_force: tuple[EvidenceRef, ...] = ()
    expired: tuple[EvidenceRef, ...] = ()


def match_baseline(facts: Facts, baseline: Baseline) -> Facts:
    """Match each lint artifact against the baseline, once for all rules: every finding has to be hashed."""
    artifacts = facts.evidence.by_spec(LINT)
    return replace(facts, matched={artifact.path: match_issues(baseline, artifact) for artifact in artifacts})


def suppress_issues(baseline: Baseline, found: BaselineMatch, artifact: Artifact, severity: str) -> SuppressedIssues:
    """Select the issues of this severity that the baseline suppresses; ``found`` are its matches in the artifact."""
    issues = list_issues(artifact)
    covered = {index: entry for index, entry in found.covered.items() if issues[index]["severity"] == severity}
    expired = {index: entry for index, entry in found.expired.items() if issues[index]["severity"] == severity}
    notes = []
    if covered:
        entries = [baseline.entries[number] for number in covered.values()]
        are = "is" if len(covered) == 1 else "are"
        dated = format_date_range(entry.created for entry in entries)
        expiring = format_date_range(entry.expires for entry in entries)
        notes.append(f"{len(covered)} in the baseline {are} left out (dated {dated}, expiring {expiring})")
    if expired:
        dates = format_date_range(baseline.entries[number].expires for number in expired.values())
        were = "was" if len(expired) == 1 else "were"
        notes.append(f"{len(expired)} of them {were} in the baseline until it expired on {dates}")
    return SuppressedIssues(
        frozenset(covered),
        "; ".join(notes),
        _cite_entries(baseline, covered.values()),
        _cite_entries(baseline, expired.values()),
    )


def summarise_baseline(facts: Facts) -> dict[str, Any] | None:
    """Summarise the baseline for the verdict's ``policy``; None without a baseline.

    ``covered`` and ``expired`` count findings, ``stale`` counts entries' findings that no longer occur; null if no
    linter ran. ``created`` and ``expires`` are the first and last dates of the active entries.
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
        "stale": count_stale(baseline, matches) if looked else None,
    }


def format_date_range(dates: Iterable[str]) -> str:
    """Format dates as ``2026-11-22``, or as the first and the last of several."""
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
