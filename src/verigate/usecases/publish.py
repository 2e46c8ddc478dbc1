"""Publish a verdict with its evidence, run.json, logs and attestation in the folder of its task."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.facts import Facts
from verigate.domain.task_folder import ATTESTATION_FILE, BASELINE_COPY, LOGS_FOLDER, RUN_FILE
from verigate.domain.verdict import Verdict
from verigate.domain.verdict_chain import ChainEntry
from verigate.errors import GateError
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import encode_json, publish, task_folder
from verigate.usecases.services import Services

if TYPE_CHECKING:
    from verigate.domain.remote_call import RemoteUse


def publish_run(
    facts: Facts,
    verdict: Verdict,
    staging: RunStaging,
    services: Services,
    *,
    warnings: tuple[str, ...],
    record: Mapping[str, bytes],
    remote: RemoteUse | None = None,
) -> tuple[Path, tuple[str, ...]]:
    """Publish all at once; ``record`` holds the files of a verifier's answers, ``remote`` how a remote cache was used.

    Returns the folder of the task, and warnings if the verdict couldn't be added to the chain of its task's verdicts,
    or not be remembered.
    """
    from verigate.evidence import run_record  # loaded by now, see composition.load_later_modules
    from verigate.evidence.index import build_index

    folder = task_folder(services.publication or services.root, facts.task.id)
    logs = {f"{LOGS_FOLDER}/{name}": staging.logs[name] for name in sorted(staging.logs)}
    run = encode_json(run_record.to_document(facts, version=services.version, warnings=warnings, remote=remote))
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
    digest = publish(folder, staging.accepted, own=own, index=index, verdict=verdict.document())
    return folder, _append_to_chain(facts, verdict, digest, services) if services.publication is None else ()


def _append_to_chain(facts: Facts, verdict: Verdict, digest: str, services: Services) -> tuple[str, ...]:
    from verigate.evidence.verdict_chain import append_verdict, explain_failure

    finished = str(verdict.metadata["finished"])
    entry = ChainEntry("", 0, facts.task.id, verdict.status.value, digest, facts.subject.tree, finished)
    try:
        return append_verdict(services.root, services.environ, entry)
    except GateError as problem:
        # A repository that can only be read, as some sandboxes of agents have it: the verdict itself holds.
        return (explain_failure(problem),)
