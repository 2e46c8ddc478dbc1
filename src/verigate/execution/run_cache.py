"""One run's use of the evidence cache: compute the key of an invocation, take artifacts and store them.

Only where a sandbox is in force: without one an adapter could read the cache's key, and plant evidence for later runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verigate.domain.grants import GrantKind
from verigate.domain.manifest import BASE
from verigate.execution.adapter_paths import find_adapter_folder
from verigate.execution.declared_inputs import find_inputs
from verigate.execution.evidence_cache import SIZE_LIMIT, compute_key, digest_tree
from verigate.execution.installed_files import describe_installation, list_path_folders
from verigate.execution.kept_facts import FLAG, VARIABLE, give_facts, keep_facts
from verigate.user_folders import DEFAULTS

if TYPE_CHECKING:
    from verigate.domain.execution import CapabilityRun
    from verigate.execution.evidence_cache import EvidenceCache
    from verigate.execution.phase_values import CallInputs, RunSetting


class RunCache:
    """The cache as one run uses it."""

    def __init__(self, setting: RunSetting, cache: EvidenceCache) -> None:
        self._setting = setting
        self._cache = cache

    def key(self, invocation: CallInputs) -> str | None:
        """Compute the cache key of an invocation; None if it isn't cached."""
        planned, configured, prepared = invocation.planned, invocation.configured, invocation.prepared
        manifest, workspace = planned.provider, self._setting.workspace
        inputs = find_inputs(planned, self._setting.context, workspace)
        report = prepared.report
        if inputs is None or manifest is None or not report.is_whole or report.missing:
            return None
        if report.network or any(grant.kind is GrantKind.BIND for grant in report.granted):
            return None  # no key has what the network, or a path of the machine, holds
        try:
            shared = self._describe_call(invocation)
            return compute_key(
                {
                    **shared,
                    "base": workspace.subject.base if BASE in planned.declaration.sees else None,
                    "inputs": inputs,
                    "staged": digest_tree(str(prepared.staging)),
                    "profile": Path(configured.profile).read_text("utf-8"),
                    "env": {name: value for name, value in prepared.env.items() if name not in _PER_RUN},
                }
            )
        except (OSError, ValueError):
            return None

    def give_facts(self, invocation: CallInputs) -> CallInputs:
        """Give a capability with the flag ``keeps_facts`` what is known of single files."""
        key = self._facts_key(invocation)
        return invocation if key is None else give_facts(self._cache, key, invocation)

    def _facts_key(self, invocation: CallInputs) -> str | None:
        """Compute the key of the facts of a call, which may depend on nothing but single files; None without."""
        planned, env = invocation.planned, invocation.prepared.env
        if planned.declaration.flags.get(FLAG) is not True:
            return None
        try:
            own = {name: value for name, value in env.items() if name not in _PER_RUN and name not in _OF_THE_TASK}
            return compute_key({**self._describe_call(invocation), "facts": own})
        except (OSError, ValueError):
            return None

    def _describe_call(self, invocation: CallInputs) -> dict[str, Any]:
        """Describe what a call depends on beyond subject and task. Raises OSError, ValueError."""
        planned, prepared, workspace = invocation.planned, invocation.prepared, self._setting.workspace
        manifest = planned.provider
        if manifest is None:
            raise ValueError("it has no adapter")
        stats = {name: (path, Path(path).stat()) for name, path in prepared.toolbox.found.items()}
        return {
            "gate": [self._setting.host.version, self._gate],
            "capability": planned.name,
            "manifest": manifest.digest,
            "adapter": digest_tree(find_adapter_folder(manifest, workspace)),
            "root": prepared.root,
            "config": invocation.configured.config_json,
            "tools": {name: [path, at.st_size, at.st_mtime_ns] for name, (path, at) in stats.items()},
            "grants": [[each.kind, each.what, each.mode] for each in prepared.report.granted],
            "path": self._path,
        }

    @cached_property
    def _gate(self) -> list[list[object]]:
        return describe_installation()

    @cached_property
    def _path(self) -> list[tuple[str, int]]:
        return list_path_folders(self._setting.context.environ)

    def take(self, key: str, staging: Path) -> bool:
        """Write the entry of this key into a staging folder; False if there is none."""
        files = self._cache.lookup(key)
        if files is None:
            return False
        for path, content in files.items():
            target = staging / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return True

    def keep(self, key: str, record: CapabilityRun, written: Mapping[str, bytes], invocation: CallInputs) -> None:
        """Store the artifacts of a good run, all or none, and its facts; ``written`` is from ``read_candidates``."""
        own = {artifact.path for artifact in record.artifacts}
        if record.failure is None and own and own <= written.keys():
            self._cache.store(key, {path: written[path] for path in own})
            if VARIABLE in invocation.prepared.env and (facts := self._facts_key(invocation)) is not None:
                keep_facts(self._cache, facts, invocation)


def read_candidates(staging: Path) -> dict[str, bytes]:
    """Read the regular files of a staging folder by path; none if together they are too large for the cache."""
    found: dict[str, bytes] = {}
    size = 0
    for path in sorted(staging.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        size += path.stat().st_size
        if size > SIZE_LIMIT:
            return {}
        found[str(path.relative_to(staging))] = path.read_bytes()
    return found


_PER_RUN = frozenset({"HOME", "PATH", VARIABLE, "GATE_GIT_DIR", "GATE_PROGRESS", *DEFAULTS})
"""Variables that name folders of one run; the folders' content is the same in every run."""

_OF_THE_TASK = frozenset({"GATE_TASK_ID", "GATE_BASE", "GATE_PROFILE", "GATE_TIMEOUT"})
"""Variables on which facts about single files don't depend."""
