"""What people approved of a change: policy files and weakenings, each by the finding that an approval names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verigate.domain.approval import WEAKENING, Accepted, format_weakening_finding
from verigate.domain.facts import Facts
from verigate.domain.verdict import Check, CheckOutcome
from verigate.domain.weakening import Accounted, AccountedBy, Weakening

_SHOWN = 5


def find_weakening_approval(facts: Facts, weakening: Weakening) -> Accepted | None:
    """Find the approval of a weakening."""
    if facts.approvals is None:
        return None
    own = weakening
    return facts.approvals.find(WEAKENING, format_weakening_finding(own.kind, own.path, own.test, own.id))


def split_policy_files(facts: Facts) -> tuple[dict[str, Accepted], list[str]]:
    """Split the changed policy files into those that are approved, each with its approval, and the others."""
    found = {
        path: approval
        for path in facts.changed_policy_files
        if facts.approvals is not None and (approval := facts.approvals.find_policy(path)) is not None
    }
    return found, [path for path in facts.changed_policy_files if path not in found]


def check_approved_policy(expected: str, approved: dict[str, Accepted]) -> Check:
    """Return the check of policy files that are all approved."""
    by = list(dict.fromkeys(approved.values()))
    message = f"changed, and approved: {', '.join(list(approved)[:_SHOWN])} ({'; '.join(map(describe_accepted, by))})"
    accounted = Accounted(AccountedBy.APPROVAL, "; ".join(each.reference for each in by))
    return Check("gate.judges", CheckOutcome.HOLDS, expected, len(approved), message=message, accounted=accounted)


def describe_accepted(approval: Accepted) -> str:
    """Describe who approved, with what, until when, and why."""
    until = f", until {approval.expires[:10]}" if approval.expires is not None else ""
    why = f": {approval.reason}" if approval.reason else ""
    return f"{approval.reference}, {approval.how}{until}{why}"


def explain_faults(facts: Facts) -> Iterator[str]:
    """Say why approvals that seem to be meant for this change don't count."""
    yield from facts.approvals.faults[:_SHOWN] if facts.approvals is not None else ()


def describe_approvals(facts: Facts) -> dict[str, Any] | None:
    """Return the verdict's account of approvals; None where none was used or refused."""
    if facts.approvals is None or not (facts.approvals.accepted or facts.approvals.faults):
        return None
    policy, _ = split_policy_files(facts) if not facts.policy_change_allowed else ({}, [])
    weakened = _list_approved_weakenings(facts)
    used = list(dict.fromkeys((*policy.values(), *(approval for _, approval in weakened))))
    if not used and not facts.approvals.faults:
        return None
    return {
        "policy": len(policy),
        "weakenings": len(weakened),
        "listed": [_describe_used(each, policy, weakened) for each in used],
        **({"faults": list(facts.approvals.faults)} if facts.approvals.faults else {}),
    }


def _list_approved_weakenings(facts: Facts) -> list[tuple[Weakening, Accepted]]:
    items = facts.weakenings.accounted if facts.weakenings is not None else ()
    approved = (
        item.weakening for item in items if item.accounted is not None and item.accounted.by is AccountedBy.APPROVAL
    )
    found = ((weakening, find_weakening_approval(facts, weakening)) for weakening in approved)
    return [(weakening, approval) for weakening, approval in found if approval is not None]


def _describe_used(
    approval: Accepted, policy: dict[str, Accepted], weakened: Sequence[tuple[Weakening, Accepted]]
) -> dict[str, Any]:
    return {
        "reference": approval.reference,
        "by": approval.by,
        "how": approval.how,
        "reason": approval.reason,
        "signed": approval.signed,
        "expires": approval.expires,
        "policy": [path for path, each in policy.items() if each == approval],
        "weakenings": sum(each == approval for _, each in weakened),
    }
