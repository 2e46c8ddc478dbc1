"""Approve what a verdict found: collect exactly these findings, let ssh-keygen sign them, and keep the signature."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct

from verigate.config.approval_files import show_line
from verigate.config.approvals_file import read_approval_policy
from verigate.domain.approval import (
    MAX_DAYS,
    MAX_FINDINGS,
    POLICY,
    WEAKENING,
    Approval,
    ApprovalPolicy,
    SignedApproval,
    format_weakening_finding,
)
from verigate.domain.facts import Facts
from verigate.domain.ports import SubjectWorkspace
from verigate.domain.profile import APPROVALS_FILE, SIGNERS_FILE
from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.errors import UsageError
from verigate.evidence.approval_store import write_approval
from verigate.evidence.ssh_keygen import SshKeygen
from verigate.gate.approvals import split_policy_files
from verigate.usecases.judge_signature import Change, RefusedError, format_moment, judge_signature
from verigate.usecases.reason_text import check_reason
from verigate.usecases.trusted_policy import describe_trusted, read_trusted_file


class Draft(Struct, frozen=True):
    """What would be signed, one approval for each namespace. ``left`` says what of the verdict can't be approved."""

    approvals: tuple[Approval, ...]
    policy: ApprovalPolicy
    trusted: str
    base: str
    left: tuple[str, ...] = ()


def draft_approvals(facts: Facts, workspace: SubjectWorkspace, *, reason: str, days: int, now: str) -> Draft:
    """Draft the approvals of what ``facts`` have and nothing accounts for.

    ``workspace`` has the base of the facts; ``now`` is the moment (ISO 8601, UTC). Raises UsageError where there is
    nothing to approve, and where nobody could.
    """
    reason = check_reason(reason)
    if not 1 <= days <= MAX_DAYS:
        raise UsageError(f"{days} days are not possible", where="--days", hint=f"1 to {MAX_DAYS}")
    policy = read_policy(workspace)
    findings, left = _collect_findings(facts)
    if not any(findings.values()):
        said = f": {'; '.join(left)}" if left else ""
        raise UsageError(f"the verdict has nothing that can be approved{said}", hint="`gate verify` makes a new one")
    if any(len(found) > MAX_FINDINGS for found in findings.values()):
        raise UsageError(f"it has more than {MAX_FINDINGS} findings", hint="split the change")
    begin = datetime.fromisoformat(now).astimezone(UTC).replace(microsecond=0)
    dates = format_moment(begin), format_moment(begin + timedelta(days=days))
    approvals = tuple(
        Approval(namespace, policy.repository, facts.subject.tree, found, reason, *dates)
        for namespace, found in findings.items()
        if found
    )
    return Draft(approvals, policy, describe_trusted(workspace), str(facts.subject.base), left)


def sign_draft(draft: Draft, root: Path, key: Path, environ: Mapping[str, str]) -> tuple[tuple[Path, str], ...]:
    """Sign each approval with ``key`` and write it; return the files and ids.

    Nothing is written unless every signature counts by the trusted policy. Raises UsageError.
    """
    keygen = SshKeygen.find(root, environ)
    signed = []
    for approval in draft.approvals:
        made = SignedApproval(approval, keygen.sign(approval.encode(), key, approval.namespace), "")
        findings = {approval.namespace: approval.findings}
        change = Change(approval.tree, findings, approval.signed, draft.trusted, lambda: None)
        try:
            judge_signature(made, draft.policy, change, lambda: keygen)
        except RefusedError as problem:
            raise UsageError(f"the signature would not count: {problem}", where=str(key), hint="--key") from None
        signed.append(made)
    return tuple((write_approval(root, made), made.id) for made in signed)


def read_policy(workspace: SubjectWorkspace) -> ApprovalPolicy:
    """Read who approves by the trusted policy. Raises UsageError where nobody does, ConfigError for broken files."""
    found = read_approval_policy(lambda path: read_trusted_file(workspace, path))
    if found is None:
        raise UsageError(
            f"no keys are configured: neither {APPROVALS_FILE} nor {SIGNERS_FILE} is in {describe_trusted(workspace)}",
            hint="docs/approvals.md says how to set them up",
        )
    return found


def _collect_findings(facts: Facts) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return the findings that can be approved, by namespace, and sentences about what can't."""
    from verigate.domain.evidence_weakenings import has_weakenings
    from verigate.gate.weakenings import judge_weakenings

    left = []
    known = facts.approvals.policy if facts.approvals is not None else {}
    _, changed = split_policy_files(facts)
    policy = tuple(dict.fromkeys(known[path] for path in changed if path in known))
    if not facts.policy_change_allowed:
        own = [path for path in changed if path.startswith(f"{ARTIFACTS_FOLDER}/")]
        left += [f"{show_line(path)} is a task's promise, and can't be changed" for path in own]
    weakened: tuple[str, ...] = ()
    if facts.profile.rules.get("integrity") and facts.subject.changes and has_weakenings(facts.evidence):
        judged = judge_weakenings(facts)
        open_ones = (item.weakening for item in judged.unaccounted)
        weakened = tuple(
            dict.fromkeys(format_weakening_finding(each.kind, each.path, each.test, each.id) for each in open_ones)
        )
        if judged.tampering:
            left.append(f"{len(judged.tampering)} changes of what checks report can't be approved by anybody")
    if facts.subject.unverified:
        left.append("a mark of unverified work can't be approved: verify it")
    return {POLICY: policy, WEAKENING: weakened}, tuple(left)
