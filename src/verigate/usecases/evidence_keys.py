"""The keys of kept evidence: all that a capability could read, so that what it found holds wherever this is the same.

That is the subject's tree; of the task and the base only what its manifest says that it sees, for nothing else is
shown to it; its adapter, configuration and environment; the artifacts it is given; and what is installed for the
project, by names, sizes and times. Programs outside of it are seen by the folders of PATH.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.domain.manifest import RULES, Manifest, Origin
from verigate.domain.object_merge import merge_objects
from verigate.domain.shown_task import show_profile, withhold_unseen
from verigate.domain.subject import SubjectKind
from verigate.execution.declared_inputs import find_inputs
from verigate.execution.evidence_cache import compute_key
from verigate.execution.installed_files import list_path_folders
from verigate.processes.environment import list_named_variables, select_variables
from verigate.processes.project_environment import SETTINGS

if TYPE_CHECKING:
    from verigate.domain.artifact import Artifact
    from verigate.domain.plan import PlannedCapability
    from verigate.domain.ports import RunContext, SubjectWorkspace

_NOT_INSTALLED = frozenset({"__pycache__", ".cache"})
"""Folders that programs write as they run."""


class EvidenceKeys(Struct, frozen=True, dict=True):
    """The keys of one run's capabilities. ``version`` is the gate's, ``inputs`` commitment.json and claim.json."""

    version: str
    workspace: SubjectWorkspace
    context: RunContext
    inputs: Mapping[str, bytes]

    def compute(self, planned: PlannedCapability, visible: Sequence[Artifact], *, with_base: bool) -> str | None:
        """Compute the key of a capability that is given the ``visible`` artifacts; None if it is never reused."""
        manifest, subject, context = planned.provider, self.workspace.subject, self.context
        if manifest is None or planned.problem is not None or subject.kind is SubjectKind.FOLDER:
            return None
        sees, flags = planned.declaration.sees, planned.declaration.flags
        inputs = withhold_unseen(self.inputs, context.task_id, sees)
        try:
            return compute_key(
                {
                    "gate": self.version,
                    "root": subject.root,
                    "tree": self._digest_tree(planned),
                    "lacking": self.workspace.lacking_submodules,
                    "base": [subject.base, self.workspace.tags] if with_base else None,
                    "capability": planned.name,
                    "adapter": self._describe_adapter(manifest),
                    "inputs": {name: content.decode("utf-8") for name, content in inputs.items()},
                    "profile": [context.profile_name if RULES in sees else None, self._show_profile(sees)],
                    "config": context.adapter_config.get(manifest.name),
                    "artifacts": [[artifact.path, artifact.digest] for artifact in visible],
                    "sandbox": [context.sandbox, repr(context.grants.get(manifest.name))],
                    "variables": self._select_variables(manifest, flags),
                    "project": [self._project, self._settings] if flags.get("runs_project") else None,
                    "path": self._path,
                }
            )
        except (OSError, TypeError, ValueError):
            return None

    def _digest_tree(self, planned: PlannedCapability) -> Any:
        """Digest what a call is shown of the subject: the files that the capability declares, or all."""
        return find_inputs(planned, self.context, self.workspace) or self.workspace.subject.tree

    def _show_profile(self, sees: Sequence[str]) -> Mapping[str, Any]:
        return show_profile(self.context.profile_document, sees)

    def _describe_adapter(self, manifest: Manifest) -> list[Any]:
        """Describe the adapter's files; those of the repository are part of the tree, those of npm are pinned by it."""
        if manifest.origin in {Origin.REPOSITORY, Origin.NPM}:
            source = self.workspace.policy_source
            return [manifest.digest, None if source is None else source.commit]
        if manifest.folder not in self._adapter_files:
            self._adapter_files[manifest.folder] = list(_list_files(manifest.folder, _OF_AN_ADAPTER))
        return [manifest.digest, manifest.folder, self._adapter_files[manifest.folder]]

    def _select_variables(self, manifest: Manifest, flags: Mapping[str, Any]) -> dict[str, str]:
        context = self.context
        config = merge_objects(manifest.config_defaults, context.adapter_config.get(manifest.name, {}))
        granted = [grant.what for grant in context.grants.get(manifest.name, ()) if grant.kind == "env"]
        return select_variables(context.environ, list_named_variables(flags, config), granted)

    @cached_property
    def _adapter_files(self) -> dict[str, list[tuple[str, int, int, int]]]:
        """The files of adapters that were looked at, by their folders."""
        return {}

    @cached_property
    def _path(self) -> list[tuple[str, int]]:
        return list_path_folders(self.context.environ)

    @cached_property
    def _project(self) -> list[Any]:
        """The files that are installed for the project."""
        return [[place, list(_list_files(place, _NOT_INSTALLED))] for place in self.workspace.installed]

    @cached_property
    def _settings(self) -> dict[str, str]:
        return {name: value for name in SETTINGS if (value := self.context.environ.get(name)) is not None}


_OF_AN_ADAPTER = frozenset({"__pycache__", "tests"})


def _list_files(place: str, left_out: frozenset[str]) -> Iterator[tuple[str, int, int, int]]:
    """Yield path, size and times of a file, or of the files below a folder. No program can set the time of change."""
    pending = [place]
    if not Path(place).is_dir():
        status = Path(place).stat()
        yield place, status.st_size, status.st_mtime_ns, status.st_ctime_ns
        return
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in left_out:
                        yield entry.path, 0, 0, 0
                        pending.append(entry.path)
                    continue
                status = entry.stat(follow_symlinks=False)
                yield entry.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns
