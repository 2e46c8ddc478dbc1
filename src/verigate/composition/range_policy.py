"""Describe by which policy the shards of a range judge, so that those of another aren't merged with them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.policy_source import PolicyRef
from verigate.domain.verification_job import JobSettings
from verigate.formats import canonical_json
from verigate.subject.git import Git, open_repository
from verigate.subject.policy_ref import resolve_policy_ref
from verigate.usecases.policy_ref import find_policy_ref


def describe_policy(root: Path, environ: Mapping[str, str], settings: JobSettings) -> dict[str, Any]:
    """Describe what the command line and the environment say of the policy, with a digest of it (sha256, hex).

    ``commit`` is that of the ref, None without a ref: then the repository or the subject says it, as each verdict
    does. Raises UsageError and SubjectError for a ref that isn't one here.
    """
    named = settings.policy_ref
    ref = find_policy_ref(str(root), environ) if named is None else PolicyRef(named, "--policy-ref")
    commit = None
    if ref is not None:
        git = Git.from_root(str(root), environ)
        commit = resolve_policy_ref(git, ref, open_repository(git)).commit
    described: dict[str, Any] = {
        "ref": None if ref is None else ref.name,
        "commit": commit,
        "profile": settings.profile,
        "stage": settings.stage,
        "touched": settings.touched,
        "llm": settings.llm,
    }
    return {**described, "digest": hashlib.sha256(canonical_json.dumps(described)).hexdigest()}
