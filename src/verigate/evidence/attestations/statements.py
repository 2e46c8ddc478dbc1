"""Build in-toto statements about a published verdict: SVR 0.2, VSA 1.0 and test-result 0.1.

Sources: https://github.com/in-toto/attestation/tree/main/spec, https://slsa.dev/spec/v1.0/verification_summary. Every
statement is checked by in-toto's own definitions before it is signed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from verigate.domain.attestation import (
    CHAIN,
    CHECK_PROPERTY,
    DECIDED_BY,
    EVIDENCE,
    EXPIRES,
    LEVEL_FAILED,
    PASS_PROPERTY,
    STATEMENT_TYPE,
    STATUS,
    AttestedSubject,
    Predicate,
    Terms,
)
from verigate.domain.task_folder import INDEX_FILE, VERDICT_FILE
from verigate.domain.verdict import Status
from verigate.evidence.store import Published

_SLSA_VERSION = "1.0"


def build_statements(
    published: Published, tests: Any, subject: AttestedSubject, terms: Terms
) -> tuple[tuple[Predicate, dict[str, Any]], ...]:
    """Build the statements about a genuine verdict; ``tests`` is tests.json, None without one."""
    predicates: list[tuple[Predicate, dict[str, Any] | None]] = [
        (Predicate.SVR, _build_svr(published.verdict, terms)),
        (Predicate.VSA, _build_vsa(published.verdict, hash_verdict(published.folder), terms)),
        (Predicate.TEST_RESULT, _build_test_result(published, tests)),
    ]
    subjects = describe_subjects(subject)
    return tuple(
        (kind, {"_type": STATEMENT_TYPE, "subject": subjects, "predicateType": kind.uri, "predicate": predicate})
        for kind, predicate in predicates
        if predicate is not None
    )


def describe_subjects(subject: AttestedSubject) -> list[dict[str, Any]]:
    """Return the subjects: a digest set is of one object, so commit and tree are two."""
    found = [{"name": "tree", "digest": {"gitTree": subject.tree}}]
    if subject.commit is not None:
        found.insert(0, {"name": "commit", "digest": {"gitCommit": subject.commit}})
    return found


def _is_pass(verdict: Mapping[str, Any]) -> bool:
    return str(verdict["status"]) == Status.PASS.value


def _build_svr(verdict: Mapping[str, Any], terms: Terms) -> dict[str, Any]:
    """Name what was verified. Of a verdict that isn't a pass, nothing: a reader may look for one property alone."""
    properties: list[str] = []
    if _is_pass(verdict):
        held = (check for check in verdict["checks"] if check["outcome"] == "holds")
        facts = (str(check["id"]) for check in held if check.get("source") != "verifier")
        properties = [PASS_PROPERTY, *sorted({f"{CHECK_PROPERTY}{check}" for check in facts})]
    policy = _describe_policy(verdict)
    return {
        "verifier": {"id": terms.verifier, "policies": [policy]},
        "timeCreated": verdict["metadata"]["finished"],
        "properties": properties,
        **_describe_terms(terms),
    }


def hash_verdict(folder: Path) -> str:
    """Return the SHA-256 of a task's verdict.json. The index, and the evidence, don't vouch for its metadata."""
    return hashlib.sha256((folder / VERDICT_FILE).read_bytes()).hexdigest()


def describe_evidence(verdict: Mapping[str, Any], sha256: str) -> list[dict[str, Any]]:
    """Name what a statement is made from: the index of all evidence, and verdict.json, whose digest is ``sha256``."""
    return [
        {"name": INDEX_FILE, "digest": {"sha256": verdict["metadata"]["index_sha256"]}},
        {"name": VERDICT_FILE, "digest": {"sha256": sha256}},
    ]


def _build_vsa(verdict: Mapping[str, Any], sha256: str, terms: Terms) -> dict[str, Any]:
    passed, metadata = _is_pass(verdict), verdict["metadata"]
    policy = _describe_policy(verdict)
    return {
        "verifier": {"id": terms.verifier, "version": {"verigate": str(metadata["gate_version"])}},
        "timeVerified": metadata["finished"],
        "resourceUri": terms.resource,
        "policy": {"uri": policy["uri"], "digest": policy["digest"]},
        "verificationResult": "PASSED" if passed else "FAILED",
        "verifiedLevels": [PASS_PROPERTY if passed else LEVEL_FAILED],
        "slsaVersion": _SLSA_VERSION,
        **_describe_terms(terms),
        STATUS: verdict["status"],
        DECIDED_BY: verdict["decided_by"],
        EVIDENCE: describe_evidence(verdict, sha256),
    }


def _describe_terms(terms: Terms) -> dict[str, Any]:
    """Say until when it counts, and which entry of the chain it is: each statement may be all that somebody reads."""
    found: dict[str, Any] = {EXPIRES: terms.expires}
    if terms.chain is not None:
        ref, entry = terms.chain
        found[CHAIN] = {"ref": ref, "number": entry.number, "digest": {"gitCommit": entry.commit}}
    return found


def _build_test_result(published: Published, tests: Any) -> dict[str, Any] | None:
    """Say how the tests ran; None where none did, and of a verdict that isn't a pass although no test failed.

    The names are files of tests and, of failing ones, ids. A reader may look at this statement alone, so a change whose
    tests were tampered with must have none that says PASSED.
    """
    if not isinstance(tests, dict) or not tests.get("total"):
        return None
    files = tests.get("files") or ()
    failed = sorted({str(failure["id"]) for failure in tests.get("failures") or () if failure.get("id")})
    whole = not tests.get("unexamined") and not _has_failing(tests.get("deselected") or ())
    if tests["failed"]:
        result = "FAILED"
    elif not _is_pass(published.verdict):
        return None
    else:
        result = "PASSED" if whole and not tests["skipped"] else "WARNED"
    return {
        "result": result,
        "configuration": [_describe_policy(published.verdict), *_describe_commands(published)],
        "passedTests": sorted(str(file["path"]) for file in files if not file["failed"] and not file["skipped"]),
        "warnedTests": sorted(str(file["path"]) for file in files if not file["failed"] and file["skipped"]),
        "failedTests": failed or sorted(str(file["path"]) for file in files if file["failed"]),
    }


def _has_failing(deselected: Iterable[Mapping[str, Any]]) -> bool:
    return any(entry.get("outcome") == "failed" for entry in deselected)


def _describe_policy(verdict: Mapping[str, Any]) -> dict[str, Any]:
    policy = verdict["policy"]
    name = str(policy["profile"])
    return {"name": name, "uri": f"verigate:profile:{name}", "digest": {"sha256": policy["digest"]}}


def _describe_commands(published: Published) -> list[dict[str, Any]]:
    """Return the file that holds the commands of the tests, if there is one."""
    entry = published.index.get("tests.meta.json")
    return [] if entry is None else [{"name": "tests.meta.json", "digest": {"sha256": entry["sha256"]}}]
