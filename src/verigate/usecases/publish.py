"""Publish a verdict with its evidence, run.json, logs and attestation in the folder of its task."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from verigate.domain.facts import Facts
from verigate.domain.task_folder import ATTESTATION_FILE, BASELINE_COPY, LOGS_FOLDER, RUN_FILE
from verigate.domain.verdict import Verdict
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import encode_json, publish, task_folder
from verigate.usecases.services import Services


def publish_run(
    facts: Facts,
    verdict: Verdict,
    staging: RunStaging,
    services: Services,
    *,
    warnings: tuple[str, ...],
    record: Mapping[str, bytes],
) -> Path:
    """Publish all at once; ``record`` holds the files of a verifier's answers. Returns the folder of the task."""
    from verigate.evidence import run_record  # loaded by now, see composition.load_later_modules
    from verigate.evidence.index import build_index

    folder = task_folder(services.root, facts.task.id)
    logs = {f"{LOGS_FOLDER}/{name}": staging.logs[name] for name in sorted(staging.logs)}
    run = encode_json(run_record.to_document(facts, version=services.version, warnings=warnings))
    artifacts = tuple(facts.evidence.artifacts[path] for path in sorted(facts.evidence.artifacts))
    own = {RUN_FILE: run, **logs, **record}
    if facts.baseline is not None:
        own[BASELINE_COPY] = facts.baseline.content
    digests = {artifact.path: artifact.sha256 for artifact in artifacts}
    digests |= {path: hashlib.sha256(content).hexdigest() for path, content in record.items()}
    attestation = services.attestor(verdict.document(), digests)
    if attestation is not None:
        own[ATTESTATION_FILE] = attestation
    index = build_index(facts.task.id, artifacts, own)
    publish(folder, staging.accepted, own=own, index=index, verdict=verdict.document())
    return folder
