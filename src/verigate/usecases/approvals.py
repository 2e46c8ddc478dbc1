"""Judge the approvals of a run, where a change touches policy or weakens a check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from verigate.config.approval_files import parse_approval, read_approvals, show_line
from verigate.config.approvals_file import read_approval_policy
from verigate.domain.approval import (
    POLICY,
    WEAKENING,
    Accepted,
    ApprovalFacts,
    ApprovalPolicy,
    SignedApproval,
    UnreadableApproval,
    format_policy_finding,
    format_weakening_finding,
    shares_finding,
)
from verigate.domain.evidence_weakenings import list_weakenings
from verigate.domain.facts import Facts
from verigate.domain.ports import SubjectWorkspace
from verigate.domain.profile import SIGNERS_FILE
from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.domain.weakening import Stage
from verigate.errors import GateError
from verigate.evidence.ssh_keygen import SshKeygen
from verigate.usecases.disclosed import choose_stage
from verigate.usecases.judge_signature import Change, RefusedError, judge_signature
from verigate.usecases.prepare import Prepared
from verigate.usecases.request import Request
from verigate.usecases.services import Services
from verigate.usecases.trusted_policy import describe_trusted, read_trusted_file

_MAX_FAULTS = 20
_MAX_JUDGED = 50
"""Approvals for which ssh-keygen is started."""

Read = SignedApproval | UnreadableApproval


def judge_approvals(facts: Facts, request: Request, prepared: Prepared, services: Services) -> ApprovalFacts | None:
    """Return which approvals count for the findings of ``facts``; None where there is nothing to say.

    The clock is read once. Nothing in here is an error: what can't be read approves nothing, and is reported.
    """
    workspace = prepared.workspace
    policy = _list_policy_findings(facts, workspace)
    weakenings = {
        format_weakening_finding(each.kind, each.path, each.test, each.id) for each in list_weakenings(facts.evidence)
    }
    moment = f"{services.clock.now()[:19]}Z"
    found = tuple(_read_all(Path(services.root), workspace))
    if not found and request.reviews is None:
        return ApprovalFacts(moment, policy) if policy else None
    present = {POLICY: frozenset(policy.values()), WEAKENING: frozenset(weakenings)}
    change = Change(facts.subject.tree, present, moment, describe_trusted(workspace), lambda: _read_added(workspace))
    meant = [each for each in found if _is_meant(each, change)]
    if not meant and request.reviews is None:
        return ApprovalFacts(moment, policy) if policy else None
    try:
        trusted = read_approval_policy(lambda path: read_trusted_file(workspace, path))
    except GateError as problem:
        fault = f"no approval counts: {'; '.join(map(str, problem.faults[:3]))} (in {change.trusted})"
        return ApprovalFacts(moment, policy, (), (show_line(fault),))
    accepted, faults = _judge_each(meant, trusted, change, services)
    reviews, more = _judge_reviews(request, workspace, trusted)
    return ApprovalFacts(moment, policy, (*accepted, *reviews), (*faults, *more)[:_MAX_FAULTS])


def _list_policy_findings(facts: Facts, workspace: SubjectWorkspace) -> dict[str, str]:
    """Map the changed policy files to their findings. A commitment can't be approved: it is the task's promise."""
    if facts.policy_change_allowed:
        return {}
    own = (path for path in facts.changed_policy_files if not path.startswith(f"{ARTIFACTS_FOLDER}/"))
    versions = workspace.versions
    return (
        {}
        if versions is None
        else {path: format_policy_finding(path, *versions.describe_versions(path)) for path in own}
    )


def _read_added(workspace: SubjectWorkspace) -> bytes | None:
    return None if workspace.versions is None else workspace.versions.read_subject(SIGNERS_FILE)


def _read_all(root: Path, workspace: SubjectWorkspace) -> Iterator[Read]:
    """Read the approvals that the subject carries, and those that lie in the working tree, each once."""
    seen: set[str] = set()
    for each in (*_read_carried(workspace), *read_approvals(root)):
        key = f"{each.id} {each.signature}" if isinstance(each, SignedApproval) else each.place
        if key not in seen:
            seen.add(key)
            yield each


def _read_carried(workspace: SubjectWorkspace) -> Iterator[Read]:
    try:
        for path, content in () if workspace.versions is None else workspace.versions.read_approvals():
            yield UnreadableApproval(path, "it is too large") if content is None else parse_approval(content, path)
    except GateError as problem:
        yield UnreadableApproval("the approvals of the commit", str(problem))


def _is_meant(found: Read, change: Change) -> bool:
    """Whether an approval seems to be for this change. Those of earlier ones may lie around."""
    if isinstance(found, UnreadableApproval):
        return True
    present = {finding for each in change.findings.values() for finding in each}
    return found.approval.tree == change.tree or shares_finding(found.approval.findings, present)


def _judge_each(
    meant: Iterable[Read], trusted: ApprovalPolicy | None, change: Change, services: Services
) -> tuple[list[Accepted], list[str]]:
    find_keygen = cache(lambda: SshKeygen.find(Path(services.root), services.environ))
    accepted: list[Accepted] = []
    faults: list[str] = []
    for number, found in enumerate(meant):
        if isinstance(found, UnreadableApproval):
            faults.append(show_line(f"{found.place} is no approval: {found.why}"))
            continue
        if trusted is None:
            faults.append(f"approval {found.name} doesn't count: no keys are configured in {change.trusted}")
            continue
        if number >= _MAX_JUDGED:
            faults.append(f"more than {_MAX_JUDGED} approvals are for this change: remove what isn't needed")
            break
        try:
            accepted.append(judge_signature(found, trusted, change, find_keygen))
        except (RefusedError, GateError) as problem:
            faults.append(show_line(f"approval {found.name} doesn't count: {problem}"))
    return accepted, faults


def _judge_reviews(
    request: Request, workspace: SubjectWorkspace, trusted: ApprovalPolicy | None
) -> tuple[list[Accepted], list[str]]:
    """Take the reviews of the forge that approve the commit. They are the word of the CI job, so only there."""
    reviews = request.reviews
    if reviews is None:
        return [], []
    if choose_stage(request) is not Stage.CI:
        return [], ["reviews of a pull request only count in CI (--stage ci)"]
    commit = None if workspace.versions is None else workspace.versions.commit
    if commit is None or commit != reviews.commit:
        return [], [f"the reviews are of the commit {reviews.commit[:12]}, which isn't the one that is verified"]
    reviewers = {login.lower() for login in trusted.reviewers} if trusted is not None else set()
    accepted: list[Accepted] = []
    faults: list[str] = []
    for review in reviews.list_approving():
        if review.login.lower() not in reviewers:
            faults.append(f"the review by {review.login} doesn't count: config/approvals.json doesn't name the login")
        elif review.login.lower() == reviews.author.lower():
            faults.append(f"the review by {review.login} doesn't count: they opened the pull request")
        elif review.commit != reviews.head:
            faults.append(
                f"the review by {review.login} doesn't count: it is of {review.commit[:12]}, and the pull request is "
                f"at {reviews.head[:12]} now"
            )
        else:
            reference = f"review by {review.login} of pull request {reviews.pull_request}"
            how = f"review at {reviews.forge}"
            accepted.append(Accepted(reference, review.login, how, "", review.submitted))
    return accepted, [show_line(fault) for fault in faults]
