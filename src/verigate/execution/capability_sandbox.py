"""The sandbox of one capability: which folders it shows and which are writable."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.domain.ports import Mount
from verigate.execution.adapter_paths import find_adapter_folder, find_launcher
from verigate.execution.kept_facts import VARIABLE
from verigate.execution.phase_values import CARGO, CORE, EMPTY, GRADLE, HOME, MAVEN, PROGRESS, TMP
from verigate.execution.tool_homes import list_tool_homes, plan_cargo_home
from verigate.processes import sandbox
from verigate.processes.control_groups import MEMORY, Limits
from verigate.processes.home_view import holds_a_home
from verigate.processes.sandbox_view import HIDDEN, Confinement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verigate.domain.execution import Invocation
    from verigate.domain.manifest import Manifest, SandboxPolicy
    from verigate.execution.phase_values import CallInputs, PreparedCall, RunSetting
    from verigate.processes.job import Launch


def build_launch(setting: RunSetting, inputs: CallInputs, policy: SandboxPolicy, invocation: Invocation) -> Launch:
    """Build the launch of ``invocation`` under ``policy``: in the run's sandbox, or under a supervisor without one.

    Memory is limited by a control group where there can be one, else for each process.
    """
    limited = MEMORY in setting.groups
    launch = _confine(setting, inputs, policy, invocation, None if limited else policy.memory_mb)
    memory = policy.memory_mb * 1_048_576 if limited and policy.memory_mb is not None else None
    # A user's processes are counted by the user namespace: to move one into a group takes up to 20 ms once per run.
    counted = setting.bubblewrap is not None and os.geteuid() != 0
    if not setting.groups or (counted and memory is None):
        return launch
    return replace(launch, limits=Limits(setting.groups, memory))


def _confine(
    setting: RunSetting, inputs: CallInputs, policy: SandboxPolicy, invocation: Invocation, memory_mb: int | None
) -> Launch:
    planned, configured, prepared = inputs.planned, inputs.configured, inputs.prepared
    if setting.sandbox is None:
        return sandbox.launch_under_supervisor(setting.host.python, invocation.argv, prepared.root, memory_mb)
    plans = prepared.project_path and setting.bubblewrap is not None
    homes = tuple(_plan_homes(setting, prepared, configured.folder)) if plans else ()
    confinement = Confinement(
        root=prepared.root,
        mounts=(*prepared.checkout.mounts, *homes, *_list_granted_mounts(prepared)),
        visible=_list_visible(setting, planned.provider, prepared),
        writable=_list_writable(setting, prepared, configured.folder),
        tmp=f"{configured.folder}/{TMP}",
        links=(f"{setting.folder}/{CORE}", setting.core),
        linked=setting.linked,
        masked=setting.masked,
        empty=f"{setting.folder}/{EMPTY}",
        network=policy.network,
        read_only=policy.read_only,
        granted=prepared.granted,
        homes=setting.homes.hidden,
    )
    if isinstance(setting.sandbox, sandbox.Landlock):
        return sandbox.launch_under_landlock(setting.sandbox, confinement, invocation.argv, memory_mb)
    return sandbox.launch_in_sandbox(setting.sandbox, confinement, invocation.argv, memory_mb)


def _list_granted_mounts(prepared: PreparedCall) -> tuple[Mount, ...]:
    """List the mounts of granted paths that are inside the checkout."""
    return tuple(Mount(path.source, path.target, not path.writable) for path in prepared.granted if path.inside)


def _list_writable(setting: RunSetting, prepared: PreparedCall, folder: str) -> tuple[str, ...]:
    progress = (f"{folder}/{PROGRESS}",) if setting.context.reports_progress else ()
    facts = (prepared.env[VARIABLE],) if VARIABLE in prepared.env else ()
    return (str(prepared.staging), f"{folder}/{HOME}", *progress, *facts)


def _list_visible(setting: RunSetting, manifest: Manifest | None, prepared: PreparedCall) -> tuple[str, ...]:
    workspace = setting.workspace
    paths = [workspace.path, workspace.policy_root, *setting.host.prefixes]
    paths += [find_adapter_folder(manifest, workspace)] if manifest else []
    if manifest is not None and manifest.launcher is not None:
        paths.append(os.path.dirname(os.path.dirname(find_launcher(manifest.launcher, workspace))))  # noqa: PTH120
    paths += workspace.project_envs
    for path in prepared.toolbox.found.values():
        for folder in (os.path.dirname(path), os.path.dirname(os.path.realpath(path))):  # noqa: PTH120
            is_environment = os.path.exists(f"{folder}/../pyvenv.cfg")  # noqa: PTH110
            paths.append(os.path.dirname(folder) if is_environment else folder)  # noqa: PTH120
    paths += _list_installations(setting, prepared)
    paths += setting.toolchains
    paths += [_find_base(environment) for environment in (*workspace.project_envs, *_find_environments(prepared))]
    # A home may be a link itself, and what is hidden is the folder that it leads to.
    paths += [os.path.realpath(path) for path in paths if setting.homes.hidden]
    return tuple(path for path in dict.fromkeys(paths) if path and not holds_a_home(path, setting.homes))


def _find_base(environment: str) -> str:
    """Find the installation that a virtual environment's interpreter links to."""
    return os.path.dirname(os.path.dirname(os.path.realpath(f"{environment}/bin/python")))  # noqa: PTH120


def _find_environments(prepared: PreparedCall) -> Iterator[str]:
    """Find the virtual environments on the PATH of the project's programs."""
    for folder in prepared.project_path:
        parent = os.path.dirname(folder)  # noqa: PTH120
        if os.path.exists(f"{parent}/pyvenv.cfg"):  # noqa: PTH110
            yield parent


def _plan_homes(setting: RunSetting, prepared: PreparedCall, folder: str) -> Iterator[Mount]:
    """Plan the mounts at the homes of tools that write there, or keep secrets next to what they need."""
    yield from plan_cargo_home(prepared.env, f"{folder}/{CARGO}", prepared.root)
    has_settings = any(path.endswith("/.m2/settings.xml") for path in setting.masked)
    has_gradle = "GRADLE_USER_HOME" in prepared.env
    if has_settings or has_gradle:
        from verigate.execution import java_homes  # most machines have neither

        if has_settings:
            yield from java_homes.plan_maven_settings(setting.context.environ, f"{folder}/{MAVEN}")
        checkout = prepared.checkout.path
        if has_gradle and any(os.path.lexists(f"{checkout}/{name}") for name in java_homes.GRADLE_PROJECTS):
            yield from java_homes.plan_gradle_home(prepared.env, f"{folder}/{GRADLE}")


def _list_installations(setting: RunSetting, prepared: PreparedCall) -> Iterator[str]:
    """List the homes of toolchains, and what the PATH of the project's programs leads to with the libraries next to it.

    Nothing below a masked folder: a program there isn't worth a secret.
    """
    if prepared.project_path:
        yield from (home for home in list_tool_homes(prepared.env) if not _is_masked(setting, home))
    for folder in prepared.project_path:
        real = os.path.realpath(folder)
        if _is_masked(setting, real):
            continue
        for place in dict.fromkeys((folder, real)):
            parent = os.path.dirname(place)  # noqa: PTH120
            if parent in HIDDEN or not os.path.isdir(f"{parent}/lib"):  # noqa: PTH112
                yield place
            elif _is_shared(setting, parent):
                # A home, or ~/.local: next to programs and libraries lies what is nobody's business.
                yield from (place, f"{parent}/lib")
            else:
                yield parent


def _is_shared(setting: RunSetting, folder: str) -> bool:
    return os.path.basename(os.path.realpath(folder)) == ".local" or holds_a_home(folder, setting.homes)  # noqa: PTH119


def _is_masked(setting: RunSetting, path: str) -> bool:
    real = os.path.realpath(path)
    return any(real == masked or real.startswith(f"{masked}/") for masked in setting.masked)
