"""Read a statement whose signature was verified: strict JSON, in-toto's own definitions, and ours on top.

in-toto-attestation defines the statement and, as protobuf messages, VSA and test-result. It has none for SVR 0.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from verigate.domain.attestation import (
    CHAIN,
    EXPIRES,
    PASS_PROPERTY,
    Attested,
    AttestedSubject,
    Predicate,
)
from verigate.domain.verdict import Status
from verigate.domain.verdict_chain import Anchor
from verigate.errors import EvidenceError
from verigate.formats.strict_json import StrictJsonError, loads

LARGEST_STATEMENT = 16 * 1024 * 1024
_HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MISDEFINED = frozenset({"verifiedLevels"})
"""in-toto-attestation 0.9.3 defines it as one text, SLSA as a list; fixed upstream in commit abb6190. Checked here."""

_KINDS = {kind.uri: kind for kind in Predicate}


def read_statement(payload: bytes, signers: Sequence[str], *, where: str) -> Attested:
    """Read the payload of an envelope whose signatures hold. Raises EvidenceError for whatever can't be trusted."""
    try:
        document = loads(payload, max_bytes=LARGEST_STATEMENT)
    except StrictJsonError as problem:
        raise _refuse(f"the payload is not strict JSON: {problem}", where) from problem
    if not isinstance(document, dict):
        raise _refuse("the payload is not a JSON object", where)
    check_statement(document, where=where)
    kind = _KINDS[document["predicateType"]]
    predicate = document["predicate"]
    try:
        found = _READERS[kind](predicate)
        subject = _read_subject(document["subject"], kind)
        for moment in (found.get("moment"), found.get("expires")):
            if moment is not None:
                parse_moment(moment)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise _refuse(f"its {kind.value} can't be read: {problem}", where) from problem
    return Attested(predicate=kind, subject=subject, signers=tuple(signers), statement=document, **found)


def check_statement(document: Mapping[str, Any], *, where: str) -> None:
    """Check a statement by in-toto's own definitions. Raises EvidenceError.

    Unknown fields are accepted, as its parsing rules ask.
    """
    from google.protobuf import json_format
    from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
    from in_toto_attestation.predicates.vsa.v1 import vsa_pb2
    from in_toto_attestation.v1 import statement_pb2
    from in_toto_attestation.v1.statement import Statement

    try:
        message = json_format.ParseDict(dict(document), statement_pb2.Statement(), ignore_unknown_fields=True)
        Statement.copy_from_pb(message).validate()
        kind = document["predicateType"]
        if kind not in _KINDS:
            known = ", ".join(_KINDS)
            raise _refuse(f"the predicate type {kind!r} is not one that a verdict is attested by: {known}", where)
        shapes = {
            Predicate.VSA: vsa_pb2.VerificationSummary,
            Predicate.TEST_RESULT: test_result_pb2.TestResult,
        }
        if (shape := shapes.get(_KINDS[kind])) is not None:
            fields = {name: value for name, value in document["predicate"].items() if name not in _MISDEFINED}
            json_format.ParseDict(fields, shape(), ignore_unknown_fields=True)
    except (json_format.ParseError, ValueError, TypeError, AttributeError) as problem:
        raise _refuse(f"it is not an in-toto statement: {problem}", where) from problem


def parse_moment(text: Any) -> datetime:
    """Read an RFC 3339 timestamp with a zone. Raises ValueError."""
    if not isinstance(text, str):
        raise ValueError("a moment must be a text")  # noqa: TRY004 - a fault of the document like any other
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone")
    return moment


def _read_subject(subjects: Sequence[Mapping[str, Any]], kind: Predicate) -> AttestedSubject:
    found: dict[str, str] = {}
    for subject in subjects:
        for algorithm, digest in subject["digest"].items():
            if algorithm not in {"gitCommit", "gitTree"}:
                if kind is Predicate.VERDICT:
                    continue  # the artifacts of a run
                raise ValueError(f"a subject is named by {algorithm!r}; only gitCommit and gitTree are compared")
            if _HEX.fullmatch(digest) is None:
                raise ValueError(f"{digest!r} is no {algorithm}")
            if found.setdefault(algorithm, digest) != digest:
                raise ValueError(f"it names two objects by {algorithm}")
    if "gitTree" not in found:
        raise ValueError("no subject is a gitTree")
    return AttestedSubject(found["gitTree"], found.get("gitCommit"))


def _read_svr(predicate: Mapping[str, Any]) -> dict[str, Any]:
    properties, verifier = predicate["properties"], predicate["verifier"]
    if not isinstance(properties, list) or not all(isinstance(item, str) for item in properties):
        raise ValueError("properties must be a list of texts")
    if not isinstance(verifier["policies"], list):
        raise ValueError("verifier.policies must be a list")  # noqa: TRY004 - as above
    passed = PASS_PROPERTY in properties
    says = f"{PASS_PROPERTY} and {len(properties) - 1} checks" if passed else f"not {PASS_PROPERTY}"
    return {
        "passed": passed,
        "says": says,
        "moment": predicate["timeCreated"],
        "verifier": _text(verifier["id"]),
        **_read_terms(predicate),
    }


def _read_vsa(predicate: Mapping[str, Any]) -> dict[str, Any]:
    result, levels = predicate["verificationResult"], predicate["verifiedLevels"]
    if result not in {"PASSED", "FAILED"}:
        raise ValueError(f"verificationResult is {result!r}")
    if not isinstance(levels, list) or not all(isinstance(level, str) for level in levels):
        raise ValueError("verifiedLevels must be a list of texts")
    passed = result == "PASSED"
    if passed != (PASS_PROPERTY in levels):
        raise ValueError(f"verificationResult is {result}, and verifiedLevels are {levels}")
    return {
        "passed": passed,
        "says": result,
        "moment": predicate["timeVerified"],
        "resource": _text(predicate["resourceUri"]),
        "verifier": _text(predicate["verifier"]["id"]),
        **_read_terms(predicate),
    }


def _read_terms(predicate: Mapping[str, Any]) -> dict[str, Any]:
    # Without an end it would count for ever.
    return {"expires": predicate[EXPIRES], "chain": _read_chain(predicate.get(CHAIN))}


def _read_chain(found: Any) -> tuple[str, Anchor] | None:
    if found is None:
        return None
    commit = found["digest"]["gitCommit"]
    if _HEX.fullmatch(commit) is None:
        raise ValueError(f"{commit!r} is no commit")
    return _text(found["ref"]), Anchor(int(found["number"]), commit)


def _read_test_result(predicate: Mapping[str, Any]) -> dict[str, Any]:
    result = predicate["result"]
    if result not in {"PASSED", "WARNED", "FAILED"}:
        raise ValueError(f"result is {result!r}")
    if not isinstance(predicate["configuration"], list):
        raise ValueError("configuration must be a list")  # noqa: TRY004 - as above
    return {"passed": result != "FAILED", "says": result}


def _read_verdict(predicate: Mapping[str, Any]) -> dict[str, Any]:
    status = Status(predicate["status"])
    return {"passed": status is Status.PASS, "says": status.value, "task_id": _text(predicate["task_id"])}


_READERS = {
    Predicate.SVR: _read_svr,
    Predicate.VSA: _read_vsa,
    Predicate.TEST_RESULT: _read_test_result,
    Predicate.VERDICT: _read_verdict,
}


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{value!r} must be a text")
    return value


def _refuse(message: str, where: str) -> EvidenceError:
    return EvidenceError(message, where=where, hint="take the attestation that `gate attest` wrote, or make it again")
