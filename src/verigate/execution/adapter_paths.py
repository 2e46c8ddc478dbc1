"""Paths of an adapter's own files during a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.domain.adapter_package import locate_in_copy
from verigate.domain.manifest import Manifest, Origin

if TYPE_CHECKING:
    from verigate.domain.ports import Workspace


def find_entry(manifest: Manifest, workspace: Workspace) -> str:
    """Return the executable's absolute path; a repository's adapter runs from the pristine copy of the subject."""
    if manifest.launcher is not None:
        return find_launcher(manifest.launcher, workspace)
    return f"{find_adapter_folder(manifest, workspace)}/{manifest.entry}"


def find_launcher(launcher: str, workspace: Workspace) -> str:
    """Return a launcher's path for this run: in the copy where the gate verifies its own checkout."""
    root = workspace.subject.root.rstrip("/")
    return workspace.policy_root.rstrip("/") + launcher[len(root) :] if launcher.startswith(f"{root}/") else launcher


def find_adapter_folder(manifest: Manifest, workspace: Workspace) -> str:
    """Return the folder of the adapter's own files for this run."""
    root = workspace.subject.root.rstrip("/")
    if manifest.origin is Origin.REPOSITORY and manifest.folder.startswith(f"{root}/"):
        return workspace.policy_root.rstrip("/") + manifest.folder[len(root) :]
    if manifest.origin is Origin.NPM:
        return locate_in_copy(manifest.folder, root, workspace.policy_root) or manifest.folder
    return manifest.folder
