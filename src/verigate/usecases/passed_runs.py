"""Reuse the run of a verdict that passed: commit, verify and push of one tree run the project's tests once.

A run is found again for the same tree, base, plan, adapters, profile, configuration, commitment and claim, on the same
machine in the same state as far as that can be seen cheaply, for an hour. Tests depend on more than that, so only what
passed is kept, or lacks a line in the commit's message alone, only of capabilities without a network, and CI runs
everything. Two runs with the same key that found different facts void it: a test that passes now and then is run each
time. What is decided is decided again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Manifest, Origin
from verigate.domain.plan import Plan
from verigate.domain.ports import RunContext, SubjectWorkspace
from verigate.domain.subject import SubjectKind
from verigate.evidence import run_record
from verigate.evidence.staging import RunStaging
from verigate.execution.evidence_cache import EvidenceCache, compute_key

REUSED_FOR_S = 3600
"""Seconds for which a run is found again."""

OUTCOMES_FOR_S = 30 * 86_400
"""Seconds for which it is known what a run found."""

_RECORD = "run"
_OUTCOME = "outcome"
_SEVERAL = b"several"
_OF_THE_CALL = frozenset({"_", "CI", "PATH", "PWD", "OLDPWD", "SHLVL"})
"""Variables that differ between the shell, git's hooks and hook managers. PATH is compared by its folders."""


class PassedRuns:
    """Runs kept in ``cache``, and what was found in ``outcomes``.

    ``version`` is the gate's; ``now`` returns the moment, ISO 8601.
    """

    def __init__(self, cache: EvidenceCache, outcomes: EvidenceCache, version: str, now: Callable[[], str]) -> None:
        self._cache = cache
        self._outcomes = outcomes
        self._version = version
        self._now = now

    def key(
        self, plan: Plan, workspace: SubjectWorkspace, context: RunContext, inputs: Mapping[str, bytes]
    ) -> str | None:
        """Compute the key of a run; None for one that is never reused."""
        subject = workspace.subject
        if subject.kind is SubjectKind.FOLDER or any(each.problem is not None for each in plan.capabilities):
            return None
        providers = {each.provider.name: each.provider for each in plan.capabilities if each.provider is not None}
        try:
            return compute_key(
                {
                    "gate": self._version,
                    "root": subject.root,
                    "tree": subject.tree,
                    "base": subject.base,
                    "policy": None if workspace.policy_source is None else workspace.policy_source.commit,
                    "plan": [[each.name, each.required, each.needs] for each in plan.capabilities],
                    "adapters": {name: _describe_adapter(provider) for name, provider in providers.items()},
                    "task": context.task_id,
                    "inputs": {name: content.decode("utf-8") for name, content in inputs.items()},
                    "profile": [context.profile_name, context.profile_document],
                    "config": context.adapter_config,
                    "sandbox": [context.sandbox, repr(sorted(context.grants.items()))],
                    "env": _list_variables(context.environ),
                    "path": _describe_path(context.environ.get("PATH", os.defpath)),
                    "project": _describe_project(workspace),
                }
            )
        except (OSError, TypeError, ValueError):
            return None

    def take(self, key: str, plan: Plan, staging: RunStaging, *, of_hooks: bool) -> tuple[CapabilityRun, ...] | None:
        """Write a kept run into ``staging`` and return its records, marked as cached; None without a usable one.

        ``of_hooks``: only one that a git hook made. Who calls by hand a second time wants it to run.
        """
        files = self._cache.lookup(key)
        if files is None or self._is_void(key):
            return None
        try:
            record = json.loads(files.pop(_RECORD))
            age = self._age(record["finished"])
            if not 0 <= age < REUSED_FOR_S or (of_hooks and not record["hook"]):
                return None
            artifacts: dict[str, Artifact] = {}
            for planned in plan.capabilities:
                folder = staging.open(planned, ())
                for path in record["written"][planned.name]:
                    (folder / path).parent.mkdir(parents=True, exist_ok=True)
                    (folder / path).write_bytes(files[f"artifacts/{path}"])
                collected = staging.collect(planned, folder)
                if collected.failure is not None:
                    return None
                artifacts |= {artifact.path: artifact for artifact in collected.artifacts}
            staging.logs |= {name: files[f"logs/{name}"] for name in record["logs"]}
            return tuple(replace(run, cached=True) for run in run_record.runs_from(record, artifacts))
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None

    def observe(self, key: str, runs: tuple[CapabilityRun, ...]) -> None:
        """Remember what a run found; where an earlier one with the same key found something else, the key is void."""
        if any(run.cached for run in runs):
            return
        found = _digest_outcome(runs)
        known = self._outcomes.lookup(key)
        if known is None:
            self._outcomes.remove_older_than(OUTCOMES_FOR_S)
        if known is None or known.get(_OUTCOME) not in {found, _SEVERAL}:
            self._outcomes.store(key, {_OUTCOME: found if known is None else _SEVERAL})

    def _is_void(self, key: str) -> bool:
        known = self._outcomes.lookup(key)
        return known is None or known.get(_OUTCOME) == _SEVERAL

    def keep(self, key: str, runs: tuple[CapabilityRun, ...], staging: RunStaging, *, hook: bool) -> None:
        """Keep a run whose verdict passed, unless it saw a network or wasn't in a sandbox. ``hook``: a git hook's."""
        if not runs or self._is_void(key) or not all(_is_reusable(run) for run in runs):
            return
        record = {
            "finished": self._now(),
            "hook": hook,
            "written": {run.capability: [artifact.path for artifact in run.artifacts] for run in runs},
            "logs": sorted(staging.logs),
            **run_record.runs_document(runs),
        }
        files = {f"artifacts/{item.path}": staging.accepted.read(item.path) for run in runs for item in run.artifacts}
        files |= {f"logs/{name}": content for name, content in staging.logs.items()}
        self._cache.remove_older_than(REUSED_FOR_S)
        self._cache.store(key, {**files, _RECORD: json.dumps(record).encode()})

    def _age(self, finished: str) -> float:
        return (datetime.fromisoformat(self._now()) - datetime.fromisoformat(finished)).total_seconds()


def _digest_outcome(runs: tuple[CapabilityRun, ...]) -> bytes:
    """Digest the facts of a run without what differs each time, as durations; a failure is an outcome too."""
    facts = [
        [
            run.capability,
            None if run.failure is None else run.failure.reason,
            sorted([artifact.path, artifact.digest] for artifact in run.artifacts),
        ]
        for run in runs
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest().encode()


def _is_reusable(run: CapabilityRun) -> bool:
    sandbox = run.sandbox
    return (
        run.failure is None
        and not run.cached
        and sandbox is not None
        and sandbox.is_whole
        and not sandbox.missing
        and not sandbox.network
    )


def _describe_adapter(manifest: Manifest) -> list[Any]:
    """Describe the adapter's files; those of the repository are part of the tree, those of npm are pinned by it."""
    if manifest.origin in {Origin.REPOSITORY, Origin.NPM}:
        return [manifest.digest]
    return [manifest.digest, manifest.folder, list(_list_files(manifest.folder))]


def _list_files(folder: str) -> Iterator[tuple[str, int, int]]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in {"__pycache__", "tests"})
        for name in sorted(files):
            path = os.path.join(parent, name)  # noqa: PTH118 - of hundreds of files
            status = os.lstat(path)
            yield path, status.st_size, status.st_mtime_ns


def _list_variables(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in sorted(environ.items())
        if name not in _OF_THE_CALL and not name.startswith(("GIT_", "GATE_TASK_ID"))
    }


def _describe_path(path: str) -> list[tuple[str, int]]:
    """Describe the folders of PATH that exist by their times; without git's own, which git puts before its hooks."""
    found = []
    for folder in dict.fromkeys(path.split(os.pathsep)):
        place = Path(folder)
        if folder and place.is_dir() and not (place / "git-sh-setup").exists():
            found.append((folder, place.stat().st_mtime_ns))
    return found


def _describe_project(workspace: SubjectWorkspace) -> list[Any]:
    """Describe the dependencies that are installed: names, sizes and times in the folders of packages and programs."""
    folders = [Path(folder) for folder in workspace.tool_folders]
    folders += [folder.parent for folder in folders if folder.name == ".bin"]
    for env in map(Path, workspace.project_envs):
        folders += [env, *sorted(env.glob("lib/python*/site-packages"))]
    return [[str(folder), list(_list_entries(folder))] for folder in dict.fromkeys(folders)]


def _list_entries(folder: Path) -> Iterator[tuple[str, int, int]]:
    if not folder.is_dir():
        return
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        status = entry.stat(follow_symlinks=False)
        if entry.name != "__pycache__":
            yield entry.name, status.st_size if not entry.is_dir(follow_symlinks=False) else 0, status.st_mtime_ns
