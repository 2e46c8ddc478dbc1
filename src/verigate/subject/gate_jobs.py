"""Whether a change of a pipeline changes the job that calls the gate: that job judges, the others don't.

Of such a job everything counts but the versions of actions that other steps use. A job that is new may call the gate as
it likes; one that is gone, made non-fatal, or given another profile or base changes the judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Any

PIPELINES = (
    *(".github/workflows/*.y*ml", ".github/actions/*/action.y*ml", ".gitlab-ci.y*ml", ".gitlab/*.y*ml"),
    *(".circleci/*.y*ml", ".travis.y*ml", "azure-pipelines.y*ml", "bitbucket-pipelines.y*ml", ".buildkite/*.y*ml"),
    *(".drone.y*ml", "appveyor.y*ml", ".woodpecker/*.y*ml", ".woodpecker.y*ml", ".forgejo/workflows/*.y*ml"),
    *(".gitea/workflows/*.y*ml", "Jenkinsfile"),
)
"""Patterns of the files that CI systems read."""

_CALL = re.compile(
    r"(?<![\w.-])gate(?:\s+--?\S+)*\s+(?:verify|git-hook|replay|ci|plan|adapters|attest|approve|doctor)\b|\bverigate\b",
    re.IGNORECASE,
)
_AROUND = ("on", True, "env", "defaults", "permissions", "workflow", "workflows", "variables", "default", "include")
"""Keys of a document that decide when and how its jobs run; YAML 1.1 reads a bare ``on`` as true."""

_MOST_BYTES = 1 << 20
_DEEPEST = 40


def is_pipeline(path: str) -> bool:
    """Whether a CI system reads this file."""
    return any(fnmatchcase(path, pattern) for pattern in PIPELINES)


def find_changed_gate_jobs(
    paths: Iterable[str], read_base: Callable[[str], bytes | None], read_subject: Callable[[str], bytes | None]
) -> tuple[str, ...]:
    """Find the pipelines among the changed ``paths`` in which the base calls the gate, and the subject not likewise."""
    found = []
    for path in filter(is_pipeline, paths):
        base = read_judging_part(read_base(path))
        if base is not None and base != read_judging_part(read_subject(path)):
            found.append(path)
    return tuple(sorted(found))


def read_judging_part(content: bytes | None) -> str | None:
    """Read what of a pipeline calls the gate, in a normal form; None if nothing does. A broken file is one part."""
    text = (content or b"").decode("utf-8", "replace")
    if _CALL.search(text) is None:
        return None
    document = _load(text) if len(text) <= _MOST_BYTES else None
    if not isinstance(document, dict):
        return text
    jobs = document.get("jobs")
    parts = jobs if isinstance(jobs, dict) else document
    judging = {str(name): _normalise(part) for name, part in parts.items() if _calls(part)}
    if not judging:
        return None  # in a comment
    around = {str(key): document[key] for key in _AROUND if key in document}
    return json.dumps({"around": around, "jobs": judging}, sort_keys=True, default=str)


def _load(text: str) -> Any:
    import yaml  # few changes touch a pipeline

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return None


def _calls(value: Any, depth: int = 0) -> bool:
    if isinstance(value, str):
        return _CALL.search(value) is not None
    if depth > _DEEPEST:
        return True
    inner: Iterable[Any] = ()
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    return any(_calls(each, depth + 1) for each in inner)


def _normalise(job: Any) -> Any:
    if not isinstance(job, dict) or not isinstance(job.get("steps"), list):
        return job
    return {**job, "steps": [step if _calls(step) else _drop_version(step) for step in job["steps"]]}


def _drop_version(step: Any) -> Any:
    if isinstance(step, dict) and isinstance(step.get("uses"), str):
        return {**step, "uses": step["uses"].partition("@")[0]}
    return step
