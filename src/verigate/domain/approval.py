"""An approval: somebody's signature under exactly these findings of exactly this tree, until a date.

``gate approve`` writes it as a file of its own, and ssh-keygen signs it. What counts is decided by the trusted policy:
who may sign, with which keys, for which repository.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.weakening import format_target

APPROVAL_SCHEMA = "verigate:approval.v1"
POLICY = "policy@verigate"
"""The namespace of signatures under changes of policy."""
WEAKENING = "weakening@verigate"
"""The namespace of signatures under weakenings."""
NAMESPACES = (POLICY, WEAKENING)

MAX_DAYS = 30
"""The longest time for which an approval counts."""
MAX_BYTES = 256 * 1024
"""The largest file of an approval that is read, in bytes."""
MAX_FINDINGS = 1000
"""The most findings that one approval names."""
ID_DIGITS = 12
"""Hex digits by which people name an approval; its whole id has 64."""

_SHOWN = "policy"


class Approval(Struct, frozen=True):
    """What is signed. ``signed`` and ``expires`` are moments in UTC, ``2026-01-31T12:00:00Z``.

    ``findings`` are texts by ``format_policy_finding`` and ``format_weakening_finding``; ``tree`` is the id of the
    subject's tree without ``.artifacts``.
    """

    namespace: str
    repository: str
    tree: str
    findings: tuple[str, ...]
    reason: str
    signed: str
    expires: str

    def document(self) -> dict[str, Any]:
        """Return it as a JSON value; ``encode`` is what is signed."""
        return {
            "schema": APPROVAL_SCHEMA,
            "namespace": self.namespace,
            "repository": self.repository,
            "tree": self.tree,
            "findings": list(self.findings),
            "reason": self.reason,
            "signed": self.signed,
            "expires": self.expires,
        }

    def encode(self) -> bytes:
        """Encode what is signed: compact JSON with sorted keys, in UTF-8."""
        import orjson  # few runs have an approval

        return orjson.dumps(self.document(), option=orjson.OPT_SORT_KEYS)


class SignedApproval(Struct, frozen=True):
    """An approval with its armored signature, which nobody has verified yet. ``place`` says where it was read."""

    approval: Approval
    signature: str
    place: str

    @property
    def id(self) -> str:
        """The sha256 of what is signed."""
        return hashlib.sha256(self.approval.encode()).hexdigest()

    @property
    def name(self) -> str:
        """The id as people use it."""
        return self.id[:ID_DIGITS]


class UnreadableApproval(Struct, frozen=True):
    """A file in the folder of approvals that is none, and why."""

    place: str
    why: str


class ApprovalPolicy(Struct, frozen=True):
    """What the trusted policy says of approvals.

    ``signers`` is the content of the allowed signers file. ``plain_keys``: keys count that aren't in hardware.
    ``reviewers`` are the logins whose review at the forge counts; ``revoked`` are whole ids of approvals.
    """

    repository: str
    signers: bytes
    plain_keys: bool = False
    reviewers: tuple[str, ...] = ()
    revoked: frozenset[str] = frozenset()


class Accepted(Struct, frozen=True):
    """An approval that counts. ``findings`` None: a review of the whole change, which expires with its commit.

    ``by`` is a principal or a login; ``how`` names the key or the forge. ``namespace`` None stands for both.
    """

    reference: str
    by: str
    how: str
    reason: str
    signed: str
    expires: str | None = None
    namespace: str | None = None
    findings: tuple[str, ...] | None = None

    def covers(self, namespace: str, finding: str) -> bool:
        """Whether it approves this finding."""
        if self.findings is None:
            return True
        return self.namespace == namespace and finding in self.findings


class ApprovalFacts(Struct, frozen=True):
    """The approvals of a run, judged once, at ``judged_at`` (UTC).

    ``policy`` maps the changed policy files that can be approved to their findings. ``faults`` say of approvals that
    seem to be meant for this change why they don't count.
    """

    judged_at: str
    policy: Mapping[str, str]
    accepted: tuple[Accepted, ...] = ()
    faults: tuple[str, ...] = ()

    def find(self, namespace: str, finding: str) -> Accepted | None:
        """Find the first approval of a finding."""
        return next((each for each in self.accepted if each.covers(namespace, finding)), None)

    def find_policy(self, path: str) -> Accepted | None:
        """Find the first approval of a changed policy file."""
        finding = self.policy.get(path)
        return None if finding is None else self.find(POLICY, finding)

    def document(self) -> dict[str, Any]:
        """Return it as run.json has it."""
        return {
            "judged_at": self.judged_at,
            "policy": dict(self.policy),
            "accepted": [
                {
                    "reference": each.reference,
                    "by": each.by,
                    "how": each.how,
                    "reason": each.reason,
                    "signed": each.signed,
                    "expires": each.expires,
                    "namespace": each.namespace,
                    "findings": None if each.findings is None else list(each.findings),
                }
                for each in self.accepted
            ],
            "faults": list(self.faults),
        }


def restore_approvals(document: Mapping[str, Any]) -> ApprovalFacts:
    """Read what run.json says of approvals, the inverse of ``ApprovalFacts.document``."""
    accepted = tuple(
        Accepted(**{**each, "findings": None if each["findings"] is None else tuple(each["findings"])})
        for each in document["accepted"]
    )
    return ApprovalFacts(document["judged_at"], document["policy"], accepted, tuple(document["faults"]))


def format_policy_finding(path: str, before: str | None, after: str | None) -> str:
    """Format the finding that a policy file changed: one line of visible characters, with a digest of both versions.

    ``before`` and ``after`` are mode and object id in base and subject, None where it has none.
    """
    text = "\0".join((path, before or "", after or ""))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_DIGITS]
    return f"{_SHOWN} {format_target(path, None)} {digest}"


def format_weakening_finding(kind: str, path: str, test: str | None, weakening_id: str) -> str:
    """Format a weakening as an approval names it."""
    return f"{kind} {format_target(path, test)} {weakening_id}"


def shares_finding(named: Iterable[str], present: Iterable[str]) -> bool:
    """Whether an approval names any of the findings that are there."""
    return not set(named).isdisjoint(present)
