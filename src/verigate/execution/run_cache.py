"""One run's use of the evidence cache: compute the key of an invocation, take artifacts and store them.

Only where a sandbox is in force: without one an adapter could read the cache's key, and plant evidence for later runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.manifest import BASE
from verigate.execution.adapter_paths import find_adapter_folder
from verigate.execution.declared_inputs import find_inputs
from verigate.execution.evidence_cache import SIZE_LIMIT, compute_key, digest_tree
from verigate.execution.installed_files import describe_installation, list_path_folders
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
        patterns = find_inputs(planned, self._setting.context)
        inputs = None if patterns is None else workspace.digest_declared(patterns)
        if inputs is None or manifest is None or not prepared.report.is_whole or prepared.report.missing:
            return None
        try:
            stats = {name: (path, Path(path).stat()) for name, path in prepared.toolbox.found.items()}
            return compute_key(
                {
                    "gate": [self._setting.host.version, self._gate],
                    "capability": planned.name,
                    "manifest": manifest.digest,
                    "adapter": digest_tree(find_adapter_folder(manifest, workspace)),
                    "base": workspace.subject.base if BASE in planned.declaration.sees else None,
                    "root": prepared.root,
                    "inputs": [patterns, inputs],
                    "staged": digest_tree(str(prepared.staging)),
                    "profile": Path(configured.profile).read_text("utf-8"),
                    "config": configured.config_json,
                    "tools": {name: [path, at.st_size, at.st_mtime_ns] for name, (path, at) in stats.items()},
                    "grants": [[each.kind, each.what, each.mode] for each in prepared.report.granted],
                    "path": self._path,
                    "env": {name: value for name, value in prepared.env.items() if name not in _PER_RUN},
                }
            )
        except (OSError, ValueError):
            return None

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

    def keep(self, key: str, record: CapabilityRun, written: Mapping[str, bytes]) -> None:
        """Store the artifacts of a good run, all or none; ``written`` comes from ``read_candidates``."""
        own = {artifact.path for artifact in record.artifacts}
        if record.failure is None and own and own <= written.keys():
            self._cache.store(key, {path: written[path] for path in own})


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


_PER_RUN = frozenset({"HOME", "PATH", *DEFAULTS})
"""Variables that name folders of one run; the folders' content is the same in every run."""
