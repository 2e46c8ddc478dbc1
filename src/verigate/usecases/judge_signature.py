"""Decide whether an approval counts for a change. Everything in it is a claim, until the signature is verified."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from verigate.domain.approval import MAX_DAYS, Accepted, ApprovalPolicy, SignedApproval
from verigate.domain.profile import APPROVALS_FILE, SIGNERS_FILE
from verigate.evidence.ssh_keygen import SshKeygen, UnknownSignerError
from verigate.formats.ssh_signature import SshSignature, SshSignatureError, read_ssh_signature

SKEW_S = 300
"""Seconds by which the clocks of who signs and who verifies may differ."""

_FORM = "%Y-%m-%dT%H:%M:%SZ"


class Change(Struct, frozen=True):
    """What an approval must fit.

    ``findings`` maps namespaces to the findings that are there; ``added`` returns the allowed signers file of the
    subject, which doesn't count.
    """

    tree: str
    findings: Mapping[str, Collection[str]]
    judged_at: str
    trusted: str
    added: Callable[[], bytes | None]


class RefusedError(ValueError):
    """Why an approval doesn't count, as a sentence about "it"."""


def judge_signature(
    signed: SignedApproval, policy: ApprovalPolicy, change: Change, find_keygen: Callable[[], SshKeygen]
) -> Accepted:
    """Return the approval as it counts. Raises RefusedError."""
    approval = signed.approval
    if signed.id in policy.revoked:
        raise RefusedError(f"{APPROVALS_FILE} of {change.trusted} revokes it")
    if approval.repository != policy.repository:
        raise RefusedError(f"it is for the repository {approval.repository}, and this is {policy.repository}")
    if approval.tree != change.tree:
        raise RefusedError(
            f"it is for the tree {approval.tree[:12]}, and this is {change.tree[:12]}: the change is another one, so "
            "it must be approved again"
        )
    if set(approval.findings).isdisjoint(change.findings.get(approval.namespace, ())):
        raise RefusedError(f"it names other findings than this change has for {approval.namespace}")
    _check_dates(signed, change.judged_at)
    signature = _read_signature(signed)
    signer = _verify(signed, signature, policy, change, find_keygen())
    if not policy.plain_keys:
        _require_hardware(signature)
    kind = "hardware key" if signature.is_user_verified else "plain key" if signature.flags is None else "token"
    return Accepted(
        f"approval {signed.name} by {signer}",
        signer,
        f"{kind} {signature.fingerprint}",
        approval.reason,
        approval.signed,
        approval.expires,
        approval.namespace,
        approval.findings,
    )


def format_moment(moment: datetime) -> str:
    """Format a moment as approvals have it."""
    return moment.astimezone(UTC).strftime(_FORM)


def parse_moment(text: str) -> datetime:
    """Parse a moment of an approval. Raises ValueError."""
    return datetime.strptime(text, _FORM).replace(tzinfo=UTC)


def _check_dates(signed: SignedApproval, judged_at: str) -> None:
    try:
        begin, end = parse_moment(signed.approval.signed), parse_moment(signed.approval.expires)
    except ValueError:
        raise RefusedError("one of its dates is none") from None
    now = parse_moment(judged_at)
    if end <= begin or end - begin > timedelta(days=MAX_DAYS):
        raise RefusedError(f"it counts for more than {MAX_DAYS} days ({signed.approval.signed} to {end:%Y-%m-%d})")
    if begin > now + timedelta(seconds=SKEW_S):
        raise RefusedError(
            f"it was signed at {signed.approval.signed}, and this machine's clock says {judged_at}: set the clock"
        )
    if end <= now:
        raise RefusedError(f"it expired at {signed.approval.expires} (now {judged_at})")


def _read_signature(signed: SignedApproval) -> SshSignature:
    try:
        signature = read_ssh_signature(signed.signature)
    except SshSignatureError as problem:
        raise RefusedError(f"its signature can't be read: {problem}") from None
    if signature.namespace != signed.approval.namespace:
        raise RefusedError(
            f"it is signed in the namespace {signature.namespace}, and {signed.approval.namespace} is asked for"
        )
    return signature


def _verify(
    signed: SignedApproval, signature: SshSignature, policy: ApprovalPolicy, change: Change, keygen: SshKeygen
) -> str:
    if not policy.signers.strip():
        raise RefusedError(f"no keys are configured: {SIGNERS_FILE} is empty or missing in {change.trusted}")
    payload, approval = signed.approval.encode(), signed.approval
    named = f"the key {signature.fingerprint}"
    try:
        return keygen.find_signer(payload, signed.signature, policy.signers, approval.namespace, change.judged_at)
    except UnknownSignerError:
        added = change.added()
        if added is not None and signature.public_key.encode() in added.split():
            message = f"{named} is added by this very change: {SIGNERS_FILE} counts as it is in {change.trusted}"
        else:
            message = f"{named} is none of {SIGNERS_FILE} in {change.trusted}, or not valid at this time"
        raise RefusedError(message) from None
    except ValueError as problem:
        if "namespace" in str(problem):
            raise RefusedError(f"{named} may not sign for {approval.namespace}: {SIGNERS_FILE} says so") from None
        raise RefusedError(f"its signature is not for what it says: {problem}") from None


def _require_hardware(signature: SshSignature) -> None:
    named = f"{signature.key_type} {signature.fingerprint}"
    if signature.flags is None:
        raise RefusedError(
            f"it is signed with a plain key ({named}): an agent that runs with its owner's rights can use it, through "
            f'ssh-agent or its file. Only hardware keys count, unless {APPROVALS_FILE} has "keys": "any"'
        )
    if not signature.is_user_verified:
        raise RefusedError(
            f"its hardware key ({named}) didn't verify who touched it: make one with `ssh-keygen -t ed25519-sk -O "
            "verify-required`"
        )
