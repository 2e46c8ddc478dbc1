"""Group checks that are refuted or undecided for one cause, so that a report explains it once."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from verigate.domain.verdict import Check


def group_by_cause(checks: Iterable[Check], apart: Collection[str] = ()) -> list[list[Check]]:
    """Group checks that have the same outcome, reason, message and evidence, in the order in which they came.

    A check without a message or evidence, or whose id is in ``apart``, is a group of its own.
    """
    groups: dict[object, list[Check]] = {}
    for check in checks:
        if not check.message or not check.evidence or check.id in apart:
            groups[check.id] = [check]
            continue
        places = tuple((ref.artifact, ref.pointer, ref.sha256) for ref in check.evidence)
        cause = (check.outcome, check.reason, check.message, check.holds_back, places)
        groups.setdefault(cause, []).append(check)
    return list(groups.values())
