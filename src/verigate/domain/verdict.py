"""The verdict: checks with their evidence, reasons, units and a status."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from verigate.domain.weakening import Accounted, AccountedBy

VERDICT_SCHEMA = "verigate:verdict.v1"

SOURCE = "verifier"
"""The source of a check that was decided by a language model's answer; all others are decided by facts."""


class Status(StrEnum):
    """What the gate decided. ``exit_code`` is the one of ``gate verify``."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "fail"
    ERROR = "error"
    INCONCLUSIVE = "inconclusive"

    @property
    def exit_code(self) -> int:
        """0, 1, 3 or 4, as in the contracts."""
        return {"pass": 0, "fail": 1, "error": 3, "inconclusive": 4}[self.value]


class CheckOutcome(StrEnum):
    """What the facts say about one check."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"
    ERROR = "error"


class UnitOutcome(StrEnum):
    """What the facts say about one claimed unit."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class EvidenceRef(Struct, frozen=True):
    """A value at a place: artifact path, JSON pointer (RFC 6901), the value found there, the artifact's digest."""

    artifact: str
    pointer: str
    value: Any
    sha256: str


_MAX_MEMBERS = 20
_MAX_CHARACTERS = 2000


def shorten_cited(value: Any) -> Any:
    """Shorten a value for a citation: a large container to its size, a long string to its start."""
    if isinstance(value, dict | list) and (len(value) > _MAX_MEMBERS or len(str(value)) > _MAX_CHARACTERS):
        return {"members": len(value)}
    if isinstance(value, str) and len(value) > _MAX_CHARACTERS:
        return value[:_MAX_CHARACTERS] + "…"
    return value


class Check(Struct, frozen=True):
    """One question and what the facts answer.

    ``id`` is stable (``code.tests_pass``, ``unit:func:add``); ``expected`` and ``actual`` are JSON values; ``reason``
    is a reason code, set unless the check holds or doesn't apply; ``message`` is for people. ``holds_back`` is False
    for what is only reported (``statements: report``). ``source`` is ``verifier`` where a model's answer settled it.
    ``accounted`` is what accounts for a weakening or an approved change of policy, None for every other check.
    """

    id: str
    outcome: CheckOutcome
    expected: Any = None
    actual: Any = None
    reason: str | None = None
    message: str = ""
    evidence: tuple[EvidenceRef, ...] = ()
    holds_back: bool = True
    source: str = "facts"
    accounted: Accounted | None = None


class Reason(Struct, frozen=True):
    """Why the verdict isn't a pass: a code, a sentence, the check that says so."""

    code: str
    message: str
    check: str


class UnitVerdict(Struct, frozen=True):
    """One unit of the claim (or of the commitment) and its outcome."""

    id: str
    outcome: UnitOutcome
    check: str
    message: str = ""


class Units(Struct, frozen=True):
    """The count of units; ``expected`` is the commitment's or the claim's total, None where neither names one."""

    expected: int | None = None
    per_unit: tuple[UnitVerdict, ...] = ()

    def count(self, outcome: UnitOutcome) -> int:
        """Return the number of units with this outcome."""
        return sum(unit.outcome is outcome for unit in self.per_unit)


class Verdict(Struct, frozen=True):
    """What the gate decided and why. A pure function of facts, policy and claim, ``metadata`` apart.

    ``weakenings`` counts and lists what the change weakens, None where it weakens nothing. ``approvals`` counts and
    lists what people approved of it, None where nobody did.
    """

    task_id: str
    type: str
    status: Status
    decided_by: str
    checks: tuple[Check, ...]
    reasons: tuple[Reason, ...]
    units: Units
    metrics: Mapping[str, Any]
    policy: Mapping[str, Any]
    subject: Mapping[str, Any]
    verifier: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    weakenings: Mapping[str, Any] | None = None
    approvals: Mapping[str, Any] | None = None

    def check(self, check_id: str) -> Check | None:
        """Return the check with this id, None if there is none."""
        return next((check for check in self.checks if check.id == check_id), None)

    def document(self) -> dict[str, Any]:
        """Return verdict.json as a JSON value."""
        return {
            "schema": VERDICT_SCHEMA,
            "task_id": self.task_id,
            "type": self.type,
            "status": self.status.value,
            "decided_by": self.decided_by,
            "checks": [_describe_check(check) for check in self.checks],
            "reasons": [
                {"code": reason.code, "message": reason.message, "check": reason.check} for reason in self.reasons
            ],
            "units": {
                "expected": self.units.expected,
                "supported": self.units.count(UnitOutcome.SUPPORTED),
                "refuted": self.units.count(UnitOutcome.REFUTED),
                "undecided": self.units.count(UnitOutcome.UNDECIDED),
                "per_unit": [
                    {"id": unit.id, "outcome": unit.outcome.value, "check": unit.check, "message": unit.message}
                    for unit in self.units.per_unit
                ],
            },
            "metrics": dict(self.metrics),
            "policy": dict(self.policy),
            "subject": dict(self.subject),
            **({"weakenings": dict(self.weakenings)} if self.weakenings is not None else {}),
            **({"approvals": dict(self.approvals)} if self.approvals is not None else {}),
            "verifier": dict(self.verifier) if self.verifier is not None else None,
            "metadata": dict(self.metadata),
        }


def _describe_check(check: Check) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": check.id,
        "outcome": check.outcome.value,
        "expected": check.expected,
        "actual": check.actual,
    }
    if check.reason is not None:
        document["reason"] = check.reason
    if check.message:
        document["message"] = check.message
    if not check.holds_back:
        document["holds_back"] = False
    if check.source == SOURCE:
        document["source"] = SOURCE
    if check.accounted is not None:
        document["accounted"] = check.accounted.document()
    document["evidence"] = [
        {"artifact": ref.artifact, "pointer": ref.pointer, "value": ref.value, "sha256": ref.sha256}
        for ref in check.evidence
    ]
    return document


def parse_verdict(document: Mapping[str, Any]) -> Verdict:
    """Parse verdict.json, the inverse of ``Verdict.document``; the schema must accept the document."""
    units = document["units"]
    return Verdict(
        task_id=document["task_id"],
        type=document["type"],
        status=Status(document["status"]),
        decided_by=document["decided_by"],
        checks=tuple(_parse_check(check) for check in document["checks"]),
        reasons=tuple(Reason(item["code"], item["message"], item["check"]) for item in document["reasons"]),
        units=Units(
            expected=units["expected"],
            per_unit=tuple(
                UnitVerdict(item["id"], UnitOutcome(item["outcome"]), item["check"], item["message"])
                for item in units["per_unit"]
            ),
        ),
        metrics=document["metrics"],
        policy=document["policy"],
        subject=document["subject"],
        verifier=document["verifier"],
        metadata=document["metadata"],
        weakenings=document.get("weakenings"),
        approvals=document.get("approvals"),
    )


def _parse_check(document: Mapping[str, Any]) -> Check:
    return Check(
        id=document["id"],
        outcome=CheckOutcome(document["outcome"]),
        expected=document["expected"],
        actual=document["actual"],
        reason=document.get("reason"),
        message=document.get("message", ""),
        evidence=tuple(
            EvidenceRef(ref["artifact"], ref["pointer"], ref["value"], ref["sha256"]) for ref in document["evidence"]
        ),
        holds_back=document.get("holds_back", True),
        source=document.get("source", "facts"),
        accounted=_parse_accounted(document["accounted"]) if "accounted" in document else None,
    )


def _parse_accounted(document: Mapping[str, Any]) -> Accounted:
    return Accounted(AccountedBy(document["by"]), document["reference"])
