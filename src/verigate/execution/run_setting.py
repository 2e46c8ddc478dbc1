"""What all calls of a run share: their sandbox, what it hides and shows, the tools, and the profile's file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.execution import coreutils_folder, lifecycle
from verigate.execution.phase_values import RunSetting
from verigate.processes import home_view, sandbox, tool_path
from verigate.processes.control_groups import find_parents
from verigate.user_folders import UserFolders

if TYPE_CHECKING:
    from verigate.domain.ports import RunContext, Staging, Workspace
    from verigate.execution.gate_installation import GateInstallation


def prepare_setting(
    workspace: Workspace,
    staging: Staging,
    context: RunContext,
    host: GateInstallation,
    probed: Callable[[], sandbox.Sandbox | None],
) -> RunSetting:
    """Prepare it and write the shared files. Raises ExecutionError if a required sandbox is unavailable."""
    found = probed() if context.sandbox != "off" else None
    chosen = sandbox.choose_sandbox(context.sandbox, found)
    bubblewrap = chosen if isinstance(chosen, sandbox.Bubblewrap) else None
    folder = f"{workspace.path}/calls"
    Path(folder).mkdir(mode=0o700)
    own = set(map(os.path.realpath, host.prefixes))
    shares = any(os.path.realpath(env) in own for env in workspace.project_envs)
    search = tool_path.Search(
        project=workspace.tool_folders,
        path=tool_path.list_caller_path(context.environ, None if shares else host.bin),
        inside=(workspace.subject.root, workspace.path),
        root=workspace.subject.root,
        environ=context.environ,
    )
    core, profile = tool_path.locate_coreutils(search), lifecycle.render_profile(context.profile_document)
    masked: tuple[str, ...] = ()
    linked = None
    homes, toolchains = home_view.NO_HOMES, tuple[str, ...]()
    if bubblewrap is not None:
        # First the cached folder, then the hidden ones: the cache is among them.
        linked = coreutils_folder.keep_links(core, UserFolders(context.environ, workspace.subject.root))
        lifecycle.write_shared_files(folder, profile)
    if chosen is not None:
        masked = sandbox.find_secret_stores(context.environ)
        homes = home_view.find_homes(context.environ)
        toolchains = (
            *home_view.list_toolchains(context.environ, homes),
            *home_view.list_programs_packages(search.path, homes),
            *_list_import_roots(workspace),
        )
    return RunSetting(
        workspace=workspace,
        staging=staging,
        context=context,
        host=host,
        bubblewrap=bubblewrap,
        folder=folder,
        masked=masked,
        search=search,
        core=core,
        profile=profile,
        linked=linked,
        landlock=chosen if isinstance(chosen, sandbox.Landlock) else None,
        homes=homes,
        toolchains=toolchains,
        groups=find_parents(),
    )


def _list_import_roots(workspace: Workspace) -> Iterator[str]:
    if workspace.project_envs:
        from verigate.subject.editable_installs import list_import_roots  # many projects aren't Python's

        for env in workspace.project_envs:
            yield from list_import_roots(env)
