"""What is attested of a verdict, and the names that others read it by."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from verigate.domain.verdict_chain import Anchor

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
SSH_NAMESPACE = "attest@verigate"
"""The namespace of signatures by ``ssh-keygen -Y sign``: one that was made for anything else doesn't count."""

PASS_PROPERTY = "VERIGATE_PASS"  # noqa: S105 - no password
CHECK_PROPERTY = "VERIGATE_CHECK:"
"""With the id of a check after it: it holds, and no language model settled it."""

LEVEL_FAILED = "FAILED"
EXPIRES = "verigateExpires"
"""Extension field of SVR and VSA: after this moment it isn't to be trusted."""

STATUS = "verigateStatus"
CHAIN = "verigateChain"
EVIDENCE = "verigateEvidence"
DECIDED_BY = "verigateDecidedBy"

DEFAULT_DAYS = 30
LONGEST_DAYS = 366


class Predicate(StrEnum):
    """The predicate types that are written and read, by the short names of the command line."""

    SVR = "svr"
    VSA = "vsa"
    TEST_RESULT = "test-result"
    VERDICT = "verdict"

    @property
    def uri(self) -> str:
        """The type's URI, as it stands in a statement."""
        return _URIS[self]


_URIS = {
    Predicate.SVR: "https://in-toto.io/attestation/svr/v0.2",
    Predicate.VSA: "https://slsa.dev/verification_summary/v1",
    Predicate.TEST_RESULT: "https://in-toto.io/attestation/test-result/v0.1",
    Predicate.VERDICT: "https://verigate.invalid/attestation/verdict/v1",
}

WRITTEN = (Predicate.SVR, Predicate.VSA, Predicate.TEST_RESULT)
"""What ``gate attest`` writes; a run with a key writes VERDICT by itself."""


class AttestedSubject(Struct, frozen=True):
    """The git objects that a statement is about. ``commit`` is None for a tree that isn't committed."""

    tree: str
    commit: str | None = None


class Terms(Struct, frozen=True):
    """What whoever attests adds to the verdict: who they are, what the code is called, and until when it counts.

    ``verifier`` and ``resource`` are URIs, ``expires`` is ISO 8601 in UTC.
    """

    verifier: str
    resource: str
    expires: str
    chain: tuple[str, Anchor] | None = None
    """The ref of the task's chain of verdicts, and the verdict's entry."""


class Attested(Struct, frozen=True):
    """What one signed statement says, its signatures verified.

    ``moment`` is when the verification ended and ``expires`` until when it counts, ISO 8601; None where the predicate
    doesn't say. ``passed``: it says that the subject passed. ``signers`` names each key that signed.
    """

    predicate: Predicate
    subject: AttestedSubject
    passed: bool
    says: str
    signers: tuple[str, ...]
    moment: str | None = None
    expires: str | None = None
    resource: str | None = None
    verifier: str | None = None
    chain: tuple[str, Anchor] | None = None
    task_id: str | None = None
    statement: dict[str, Any] | None = None
