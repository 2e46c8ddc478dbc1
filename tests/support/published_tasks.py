"""Task folders as a verify leaves them, made without running anything: facts as literals, decided and sealed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import literal_facts as literal
from msgspec.structs import replace

from verigate.config.profiles import hash_rules
from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.execution import Outcome
from verigate.domain.subject import SubjectKind
from verigate.domain.verdict import Verdict
from verigate.evidence import run_record
from verigate.evidence.accepted_files import AcceptedFiles
from verigate.evidence.artifact_validation import canonical_digest
from verigate.evidence.index import build_index
from verigate.evidence.store import encode_json, publish
from verigate.gate.decision import decide_verdict

MOMENT = "2026-11-02T12:00:00.000Z"
"""A Monday."""


def content_of(artifact: Artifact, given: Mapping[str, Any]) -> bytes:
    value = given[artifact.path]
    if isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else json.dumps(value, sort_keys=True).encode()


def publish_task(
    root: Path,
    task_id: str,
    artifacts: Mapping[str, Any],
    rules: Mapping[str, Any],
    *,
    units: Sequence[str] = (),
    statements: Sequence[Any] = (),
    actor: str | None = None,
    task_type: str = "every",
    finished: str = MOMENT,
    tree: str = "7" * 40,
    instruction: str | None = None,
    adapter: str = "code",
    duration_s: float = 0.5,
    logs: Mapping[str, bytes] | None = None,
    warnings: tuple[str, ...] = (),
    commit: str | None = None,
) -> Verdict:
    """Publish a task in ``root/.artifacts``: decided by the gate, with a commitment and a claim beside it.

    ``artifacts`` are by path: bytes and text as they are, anything else as JSON.
    """
    claim: dict[str, Any] = {"task_id": task_id, "claim": {"type": task_type}}
    if actor is not None:
        claim["actor"] = actor
    if units:
        claim["claim"]["units_list"] = list(units)
    if statements:
        claim["claim"]["statements"] = list(statements)
    commitment = {"task_id": task_id, "type": task_type}
    if instruction is not None:
        commitment["user_instruction"] = instruction
    shown = {path: value.decode("latin-1") if isinstance(value, bytes) else value for path, value in artifacts.items()}
    facts = literal.facts(rules, shown, claim=claim, commitment=commitment)
    sealed = {item.path: _seal(item, artifacts) for item in facts.evidence.artifacts.values()}
    runs = tuple(
        replace(
            run,
            adapter=adapter,
            outcome=Outcome(exit_code=0, duration_s=duration_s),
            artifacts=tuple(sealed[item.path] for item in run.artifacts),
        )
        for run in facts.runs
    )
    profile = replace(facts.profile, digest=hash_rules(facts.profile.rules))
    subject = replace(facts.subject, tree=tree, kind=SubjectKind.WORKTREE if commit is None else SubjectKind.COMMIT)
    facts = replace(facts, runs=runs, evidence=Evidence(sealed), subject=subject, profile=profile)
    metadata: dict[str, Any] = {"finished": finished, "duration": 1.5, "host": "test", "gate_version": "0"}
    if commit is not None:
        metadata["subject"] = {"commit": commit}
    verdict = replace(decide_verdict(facts), metadata=metadata)
    own = {"run.json": encode_json(run_record.to_document(facts, version="0", warnings=warnings)), **(logs or {})}
    folder = root / ".artifacts" / task_id
    folder.mkdir(parents=True, exist_ok=True)
    accepted = AcceptedFiles(root / "unused")
    for item in sealed.values():
        accepted.keep(item.path, content_of(item, artifacts))
    index = build_index(task_id, tuple(sealed[path] for path in sorted(sealed)), own)
    publish(folder, accepted, own=own, index=index, verdict=verdict.document())
    (folder / "commitment.json").write_bytes(encode_json(commitment))
    (folder / "claim.json").write_bytes(encode_json(claim))
    return verdict


def _seal(item: Artifact, given: Mapping[str, Any]) -> Artifact:
    content = content_of(item, given)
    raw = hashlib.sha256(content).hexdigest()
    digest = canonical_digest(item.path, item.value, item.volatile) if item.is_json else raw
    return replace(item, size=len(content), sha256=raw, digest=digest)
