"""Resolve the paths that an adapter's grants open, and report the grants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.domain.grants import Grant, GrantKind
from verigate.processes.granted_paths import OwnFolders, ResolvedPaths, resolve_granted_paths
from verigate.user_folders import UserFolders

if TYPE_CHECKING:
    from verigate.domain.execution import SandboxReport
    from verigate.domain.ports import Checkout
    from verigate.execution.phase_values import RunSetting


def _list_variables(grants: tuple[Grant, ...]) -> tuple[str, ...]:
    """List the names of the granted variables."""
    return tuple(grant.what for grant in grants if grant.kind is GrantKind.ENV)


def resolve_paths(setting: RunSetting, grants: tuple[Grant, ...], checkout: Checkout, home: str) -> ResolvedPaths:
    """Resolve the granted paths on this machine; ``home`` is the private one of the call.

    Raises ExecutionError for one that can't be opened.
    """
    workspace, environ = setting.workspace, setting.context.environ
    # Without a repository: a folder that the gate refuses as its own may still hold what it wrote before.
    user = UserFolders(environ)
    own = [folder for folder in (user.state(), user.cache(), user.config()) if folder is not None]
    return resolve_granted_paths(
        grants,
        environ=environ,
        root=workspace.subject.root,
        checkout=checkout.path,
        own=OwnFolders((*own, workspace.path), setting.host.prefixes),
        masked=setting.masked,
        home=home,
        is_verified=workspace.is_verified,
    )


def report_grants(
    report: SandboxReport, grants: tuple[Grant, ...], paths: ResolvedPaths, environ_names: frozenset[str]
) -> SandboxReport:
    """Add the grants to the report, and what of them this machine doesn't have."""
    absent = [f"bind {path}" for path in paths.absent]
    absent += [f"env {name}" for name in _list_variables(grants) if name not in environ_names]
    if not report.is_whole:
        # The path isn't hidden, but the checkout has none of its own.
        absent += [f"bind {path.target}" for path in paths.found if path.inside]
    return replace(report, missing=(*report.missing, *absent), granted=grants, absent=frozenset(absent))
