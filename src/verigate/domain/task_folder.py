"""Names of the files in ``.artifacts/`` and in each ``.artifacts/<task_id>/``."""

from __future__ import annotations

ARTIFACTS_FOLDER = ".artifacts"
CURRENT_FILE = f"{ARTIFACTS_FOLDER}/current"
"""Names the task that ``gate start`` began."""

COMMITMENT_FILE = "commitment.json"
CLAIM_FILE = "claim.json"
VERDICT_FILE = "verdict.json"
RUN_FILE = "run.json"
INDEX_FILE = "artifacts.json"
CHECKSUMS_FILE = "checksums.sha256"
ATTESTATION_FILE = "attestation.json"
STATEMENTS_FILE = "verdict.intoto.jsonl"
"""Where ``gate attest`` writes its statements. It is in no index: it comes after the verdict, and goes with it."""

BASELINE_COPY = "baseline.json"
"""The copy of the baseline that the verdict was decided by."""

UNVERIFIED_FILE = "UNVERIFIED"
ENDED_FILE = "ENDED"
"""Written by ``gate end``: the task is closed, and its files stay. It never travels with a commit."""

VERIFIER_FOLDER = "verifier"
VERIFIER_RECORD = f"{VERIFIER_FOLDER}/record.json"
"""What was asked, with digests of prompts and answers."""

LOGS_FOLDER = "logs"

APPROVALS_FOLDER = f"{ARTIFACTS_FOLDER}/.approvals"
"""Signed approvals, a file each. They may be committed, and are no part of what is verified and signed."""

RESERVED_NAMES = frozenset(
    {
        *(COMMITMENT_FILE, CLAIM_FILE, VERDICT_FILE, RUN_FILE, INDEX_FILE, CHECKSUMS_FILE, ATTESTATION_FILE),
        *(BASELINE_COPY, STATEMENTS_FILE, UNVERIFIED_FILE, ENDED_FILE, VERIFIER_FOLDER),
    }
)
"""Top-level names of a task folder that no adapter may write."""

TRAVELLING_FILES = (COMMITMENT_FILE, CLAIM_FILE, UNVERIFIED_FILE)
"""Files of a task that may be committed."""

LASTING_FILES = (*TRAVELLING_FILES, ENDED_FILE)
"""Files that people and agents write into a task folder: publication never touches them."""

_KEPT = ("!.gitignore", "!*/", *(f"!*/{name}" for name in TRAVELLING_FILES), "!.approvals/*.json")
GITIGNORE = "".join(f"{line}\n" for line in ("*", *_KEPT))
"""The ``.gitignore`` of ``.artifacts``: evidence stays on the machine."""


def task_path(task_id: str, name: str) -> str:
    """Return the path of a file of a task, relative to the repository's root."""
    return f"{ARTIFACTS_FOLDER}/{task_id}/{name}"
