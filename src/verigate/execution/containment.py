"""Where an adapter's own files lie, and what holds it: the folders that its sandbox shows and those it can write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from verigate.domain.adapter_package import in_copy
from verigate.domain.manifest import Manifest, Origin
from verigate.processes import sandbox

if TYPE_CHECKING:
    from verigate.domain.execution import Invocation
    from verigate.domain.manifest import SandboxPolicy
    from verigate.domain.ports import Workspace
    from verigate.execution.lifecycle import Inputs, Prepared, Setting
    from verigate.processes.job import Launch

HOME, TMP, CORE, EMPTY = "home.d", "tmp.d", "core.d", "empty"
"""Names in a run's folder, beside the folder of the task, whose name has no dot."""


def entry_path(manifest: Manifest, workspace: Workspace) -> str:
    """Absolute path of the executable; an adapter of the repository runs from the pristine copy of the subject."""
    if manifest.launcher is not None:
        return launcher_path(manifest.launcher, workspace)
    return f"{adapter_folder(manifest, workspace)}/{manifest.entry}"


def launcher_path(launcher: str, workspace: Workspace) -> str:
    """Where a launcher lies for this run: where the gate verifies its own checkout, in the copy of that."""
    root = workspace.subject.root.rstrip("/")
    return workspace.policy_root.rstrip("/") + launcher[len(root) :] if launcher.startswith(f"{root}/") else launcher


def adapter_folder(manifest: Manifest, workspace: Workspace) -> str:
    """Where the adapter's own files lie for this run."""
    root = workspace.subject.root.rstrip("/")
    if manifest.origin is Origin.REPOSITORY and manifest.folder.startswith(f"{root}/"):
        return workspace.policy_root.rstrip("/") + manifest.folder[len(root) :]
    if manifest.origin is Origin.NPM:
        return in_copy(manifest.folder, root, workspace.policy_root) or manifest.folder
    return manifest.folder


def launch(setting: Setting, inputs: Inputs, policy: SandboxPolicy, invocation: Invocation) -> Launch:
    """How ``invocation`` is started under ``policy``: in the run's sandbox, or under a supervisor where it has none."""
    planned, configured, prepared = inputs.planned, inputs.configured, inputs.prepared
    if setting.bubblewrap is None:
        return sandbox.supervised(setting.host.python, invocation.argv, prepared.root, policy.memory_mb)
    confinement = sandbox.Confinement(
        root=prepared.root,
        mounts=prepared.checkout.mounts,
        visible=_visible(setting, planned.provider, prepared),
        writable=(str(prepared.staging), f"{configured.folder}/{HOME}"),
        tmp=f"{configured.folder}/{TMP}",
        links=(f"{setting.folder}/{CORE}", setting.core),
        linked=setting.linked,
        masked=setting.masked,
        empty=f"{setting.folder}/{EMPTY}",
        network=policy.network,
        read_only=policy.read_only,
    )
    return sandbox.confined(setting.bubblewrap, confinement, invocation.argv, policy.memory_mb)


def _visible(setting: Setting, manifest: Manifest | None, prepared: Prepared) -> tuple[str, ...]:
    workspace = setting.workspace
    paths = [workspace.path, workspace.policy_root, *setting.host.prefixes]
    paths += [adapter_folder(manifest, workspace)] if manifest else []
    if manifest is not None and manifest.launcher is not None:
        paths.append(os.path.dirname(os.path.dirname(launcher_path(manifest.launcher, workspace))))  # noqa: PTH120
    paths += [workspace.project_env] if workspace.project_env else []
    for path in prepared.toolbox.found.values():
        for folder in (os.path.dirname(path), os.path.dirname(os.path.realpath(path))):  # noqa: PTH120
            is_environment = os.path.exists(f"{folder}/../pyvenv.cfg")  # noqa: PTH110
            paths.append(os.path.dirname(folder) if is_environment else folder)  # noqa: PTH120
    return tuple(dict.fromkeys(paths))
