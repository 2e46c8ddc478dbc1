"""List the approvals in the working tree, and remove one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path

from msgspec import Struct

from verigate.config.approval_files import read_approvals, show_line
from verigate.domain.approval import ApprovalPolicy, SignedApproval
from verigate.domain.ports import SubjectWorkspace
from verigate.errors import GateError, UsageError
from verigate.evidence.approval_store import remove_approval
from verigate.evidence.ssh_keygen import SshKeygen
from verigate.usecases.approve import read_policy
from verigate.usecases.judge_signature import Change, RefusedError, format_moment, judge_signature
from verigate.usecases.trusted_policy import describe_trusted

_LEAST_ID = 6


class KnownApproval(Struct, frozen=True):
    """An approval in the working tree; ``fault`` says why it doesn't count, "" if it does for its tree."""

    signed: SignedApproval
    fault: str


class KnownApprovals(Struct, frozen=True):
    """The approvals that could be read, and sentences about files that are none."""

    found: tuple[KnownApproval, ...]
    unreadable: tuple[str, ...]


def list_known_approvals(
    root: Path, workspace: SubjectWorkspace, now: str, find_keygen: Callable[[], SshKeygen]
) -> KnownApprovals:
    """List the approvals, each judged for its own tree at ``now`` (ISO 8601) by the trusted policy."""
    found, unreadable = [], []
    policy: ApprovalPolicy | None = None
    lack = ""
    try:
        policy = read_policy(workspace)
    except GateError as problem:
        lack = "; ".join(map(str, problem.faults))
    moment, trusted, keygen = (
        format_moment(datetime.fromisoformat(now)),
        describe_trusted(workspace),
        cache(find_keygen),
    )
    for each in read_approvals(root):
        if isinstance(each, SignedApproval):
            own = each.approval
            change = Change(own.tree, {own.namespace: own.findings}, moment, trusted, lambda: None)
            found.append(KnownApproval(each, lack if policy is None else _find_fault(each, policy, change, keygen)))
        else:
            unreadable.append(show_line(f"{each.place}: {each.why}"))
    return KnownApprovals(tuple(found), tuple(unreadable))


def revoke_approval(root: Path, named: str) -> SignedApproval:
    """Remove the one approval whose id begins with ``named``. Raises UsageError where that isn't exactly one."""
    if len(named) < _LEAST_ID or not set(named) <= set("0123456789abcdef"):
        raise UsageError(f"{named!r} is no id", where="--revoke", hint=f"at least {_LEAST_ID} digits of one in --list")
    found = [each for each in read_approvals(root) if isinstance(each, SignedApproval) and each.id.startswith(named)]
    if len(found) != 1:
        what = "no approval here has" if not found else f"{len(found)} approvals have"
        raise UsageError(f"{what} the id {named}", where="--revoke", hint="gate approve --list")
    remove_approval(root, found[0])
    return found[0]


def _find_fault(
    signed: SignedApproval, policy: ApprovalPolicy, change: Change, find_keygen: Callable[[], SshKeygen]
) -> str:
    try:
        judge_signature(signed, policy, change, find_keygen)
    except (RefusedError, GateError) as problem:
        return str(problem)
    return ""
