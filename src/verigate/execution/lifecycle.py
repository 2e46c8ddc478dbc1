"""The five phases of one capability: configure, set up, build inputs, execute, collect.

Source: the fourth source document. An adapter's inputs are the files of its command line instead of a prompt, and its
result are artifacts instead of text; so phase three is strict about files, and phase five reads the staging folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun, Invocation
from verigate.domain.manifest import BASE, RULES, Argument, Manifest
from verigate.domain.object_merge import merge_objects
from verigate.domain.shown_task import NO_PROFILE, show_profile, shown_task_id
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.errors import GateError
from verigate.execution.adapter_paths import find_adapter_folder, find_entry
from verigate.execution.call_failures import classify_failure
from verigate.execution.capability_sandbox import build_launch
from verigate.execution.declared_inputs import find_inputs
from verigate.execution.phase_values import (
    CORE,
    EMPTY,
    GIT,
    HOME,
    PROGRESS,
    TMP,
    CallInputs,
    ConfiguredCall,
    PreparedCall,
    RunSetting,
)
from verigate.formats.visible import format_path
from verigate.processes import environment, sandbox, tool_path
from verigate.processes.git_settings import render_git_settings
from verigate.processes.process_loop import Processes
from verigate.processes.project_environment import SETTINGS, build_project_environment

if TYPE_CHECKING:
    from verigate.domain.artifact import Artifact
    from verigate.domain.grants import Grant
    from verigate.domain.manifest import SandboxPolicy
    from verigate.domain.plan import PlannedCapability
    from verigate.domain.ports import Checkout, Workspace
    from verigate.processes.granted_paths import GrantedPath
    from verigate.processes.job import EndedProcess

PROFILE_FILE = "verification.profiles.json"
RUNS_PROJECT = "runs_project"
"""The flag of a capability that runs the project's programs: they get the PATH that a developer has."""

_BIN = "bin.d"
_LONGEST_VARIABLE = 120_000
"""One string of an environment has at most 128 KiB (execve(2))."""


class NotReadyError(GateError):
    """A capability can't be invoked: its entry or one of its inputs is missing."""


def render_profile(document: Mapping[str, Any]) -> bytes:
    """Render the JSON text of the ``--profile`` file."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)


def write_shared_files(folder: str, profile: bytes) -> None:
    """Write the files that all sandboxes of a run share and none of them can change."""
    Path(f"{folder}/{CORE}").mkdir(mode=0o755)
    Path(f"{folder}/{EMPTY}").touch(mode=0o400)
    Path(f"{folder}/{PROFILE_FILE}").write_bytes(profile)


def configure(setting: RunSetting, planned: PlannedCapability) -> ConfiguredCall:
    """Layer the run's configuration over the manifest's defaults; write a profile file of this capability's own."""
    manifest = _require_provider(planned)
    config = merge_objects(manifest.config_defaults, setting.context.adapter_config.get(manifest.name, {}))
    config_json = json.dumps(config, sort_keys=True)
    if len(config_json) > _LONGEST_VARIABLE:
        raise NotReadyError(f"the configuration of {manifest.name} is longer than {_LONGEST_VARIABLE} bytes")
    folder = setting.locate_call(planned)
    reports = (f"{folder}/{PROGRESS}",) if setting.context.reports_progress else ()
    for path in (folder, f"{folder}/{HOME}", f"{folder}/{TMP}", *reports):
        Path(path).mkdir(mode=0o700)
    Path(f"{folder}/{TMP}").chmod(0o1777)  # as /tmp is; who isn't us stops at the run's folder
    if setting.bubblewrap is not None and RULES in planned.declaration.sees:
        return ConfiguredCall(folder, config, config_json, f"{setting.folder}/{PROFILE_FILE}")
    profile = f"{folder}/{PROFILE_FILE}"
    shown = show_profile(setting.context.profile_document, planned.declaration.sees)
    Path(profile).write_bytes(render_profile(shown))
    return ConfiguredCall(folder, config, config_json, profile)


def locate_progress(setting: RunSetting, planned: PlannedCapability) -> str | None:
    """Return the file in which the capability reports how far it is; None if nobody looks."""
    if not setting.context.reports_progress:
        return None
    return f"{setting.locate_call(planned)}/{PROGRESS}/now"


def set_up_environment(
    setting: RunSetting,
    planned: PlannedCapability,
    configured: ConfiguredCall,
    checkout: Checkout,
    visible: Sequence[Artifact],
) -> PreparedCall:
    """Create staging folder, PATH folder, private home and environment for a checkout."""
    workspace, context, sees = setting.workspace, setting.context, planned.declaration.sees
    grants = _list_grants(setting, planned)
    policy = _resolve_policy(planned, configured.config, grants)
    inside = setting.bubblewrap is not None
    root = workspace.subject.root if inside else checkout.path
    seen_as = [(mount.source, mount.target) for mount in checkout.mounts if mount.source is not None and inside]
    search = tool_path.Search(
        project=setting.search.project if find_inputs(planned, context, workspace) is None else (),
        path=setting.search.path,
        inside=(*setting.search.inside, checkout.path),
        root=setting.search.root,
        environ=context.environ,
        seen_as=tuple(seen_as),
    )
    toolbox = tool_path.build_toolbox(f"{configured.folder}/{_BIN}", policy.tools, search)
    core = f"{setting.folder if inside else configured.folder}/{CORE}"
    if not inside:
        tool_path.link_coreutils(core, setting.core)
    project_path: tuple[str, ...] = ()
    project: Mapping[str, str | None] = {}
    if planned.declaration.flags.get(RUNS_PROJECT) is True:
        project_path = search.for_project()
        shown = [_map_folder(folder, search, root, workspace) for folder in project_path]
        project = build_project_environment(context.environ, search, shown, inside=inside)
        settings = render_git_settings(search.find("git"), context.environ)
        Path(f"{configured.folder}/{HOME}/.gitconfig").write_bytes(settings)
        if setting.landlock is not None:
            from verigate.execution import java_homes  # where nothing better works

            java_homes.copy_maven_settings(context.environ, f"{configured.folder}/{HOME}")
    without_base = f"{configured.folder}/{GIT}"
    env = environment.build_environment(
        context.environ,
        environment.Identity(
            task_id=shown_task_id(context.task_id, sees),
            root=root,
            base=(workspace.subject.base or "") if BASE in sees else "",
            profile=context.profile_name if RULES in sees else NO_PROFILE,
            config_json=configured.config_json,
            python=setting.host.python,
        ),
        environment.Folders(
            home=f"{configured.folder}/{HOME}",
            tmp="/tmp" if inside else f"{configured.folder}/{TMP}",  # noqa: S108 (the sandbox's own)
            path=f"{toolbox.folder}:{core}",
            project_envs=tuple(map(search.map_path, workspace.project_envs)),
            project=project,
            git=without_base if BASE not in sees and checkout.write_git_without_base(without_base) else None,
        ),
        network=policy.network,
        named=environment.list_named_variables(planned.declaration.flags, configured.config),
        granted=[grant.what for grant in grants if grant.kind == "env"],
    )
    if (progress := locate_progress(setting, planned)) is not None:
        env["GATE_PROGRESS"] = progress
    if not checkout.is_written:
        env["GATE_CHECKOUT"] = "on_demand"
    if policy.timeout_s != _require_provider(planned).sandbox.timeout_s:
        env["GATE_TIMEOUT"] = f"{policy.timeout_s:g}"
    report = sandbox.report_sandbox(setting.sandbox, policy)
    paths: tuple[GrantedPath, ...] = ()
    if grants:
        from verigate.execution import granted_access  # most repositories grant nothing

        resolved = granted_access.resolve_paths(setting, grants, checkout, f"{configured.folder}/{HOME}")
        report = granted_access.report_grants(report, grants, resolved, frozenset(context.environ))
        paths = resolved.found
    return PreparedCall(
        staging=setting.staging.open(planned, visible),
        checkout=checkout,
        root=root,
        toolbox=toolbox,
        env=env,
        report=report,
        timeout_s=policy.timeout_s,
        project_path=project_path,
        project={name: value for name in SETTINGS if (value := project.get(name)) is not None},
        granted=paths,
    )


def _map_folder(folder: str, search: tool_path.Search, root: str, workspace: Workspace) -> str:
    """Return the path of a tool folder as the adapter's programs see it: of one in the user's tree, the checkout's."""
    own = workspace.subject.root.rstrip("/")
    if folder.startswith(f"{own}/") and Path(linked := f"{root}{folder[len(own) :]}").is_dir():
        return linked
    return search.map_path(folder)


def build_inputs(
    setting: RunSetting, planned: PlannedCapability, configured: ConfiguredCall, prepared: PreparedCall
) -> CallInputs:
    """Build the argument vector of the contract; raises NotReadyError for a missing input or entry."""
    entry = find_entry(_require_provider(planned), setting.workspace)
    if not (Path(entry).is_file() and os.access(entry, os.X_OK)):
        raise NotReadyError(f"{format_path(entry)} is missing or can't be executed")
    commitment, claim = f"{prepared.staging}/{COMMITMENT_FILE}", f"{prepared.staging}/{CLAIM_FILE}"
    for path in (commitment, claim, configured.profile):
        if not Path(path).is_file():
            raise NotReadyError(f"the input {format_path(path)} is missing")
    config = planned.declaration.configuration_in(configured.config)
    declared = _build_arguments(planned.declaration.arguments, config)
    if planned.declaration.command is not None:
        call = (entry, planned.declaration.command, *declared)
        return CallInputs(
            planned, configured, prepared, _wrap_stdout_call(setting, planned, configured, prepared, call)
        )
    standard = ("--task-dir", str(prepared.staging), "--commitment", commitment, "--claim", claim)
    manifest = _require_provider(planned)
    if manifest.launcher is not None:
        declared = ("--adapter", f"{find_adapter_folder(manifest, setting.workspace)}/{manifest.entry}")
    argv = (entry, planned.name, *standard, "--profile", configured.profile, *declared)
    return CallInputs(planned, configured, prepared, argv)


def _wrap_stdout_call(
    setting: RunSetting,
    planned: PlannedCapability,
    configured: ConfiguredCall,
    prepared: PreparedCall,
    call: Sequence[str],
) -> tuple[str, ...]:
    """Build the call of a capability whose output is its stdout."""
    from verigate.execution import stdout_capability

    config = planned.declaration.configuration_in(configured.config)
    try:
        stdin = stdout_capability.copy_stdin(
            planned, config, prepared.checkout.path, configured.folder, setting.staging
        )
    except stdout_capability.StdinError as problem:
        raise NotReadyError(problem.message, hint=problem.hint) from problem
    return stdout_capability.wrap_argv(call, f"{prepared.staging}/{planned.declaration.outputs[0].path}", stdin)


def execute(setting: RunSetting, inputs: CallInputs, processes: Processes) -> None:
    """Start the adapter; ``processes.wait`` returns it by the capability's name. Raises ExecutionError if it can't."""
    start_containment(setting, inputs, processes)
    processes.release(inputs.planned.name)


def start_containment(setting: RunSetting, inputs: CallInputs, processes: Processes) -> None:
    """Build the adapter's containment; ``processes.release`` starts it. Raises ExecutionError if that fails."""
    inputs.prepared.checkout.write()
    policy = _require_provider(inputs.planned).sandbox
    opened = _resolve_policy(inputs.planned, inputs.configured.config, _list_grants(setting, inputs.planned))
    invocation = Invocation(
        argv=inputs.argv,
        cwd=inputs.prepared.root,
        env=inputs.prepared.env,
        timeout_s=inputs.prepared.timeout_s,
        memory_mb=policy.memory_mb,
    )
    processes.prepare(
        inputs.planned.name,
        invocation,
        build_launch(setting, inputs, opened, invocation),
    )


def collect(setting: RunSetting, inputs: CallInputs, ended: EndedProcess) -> CapabilityRun:
    """Collect the artifacts of a process that ended well, else the reason why there are none."""
    planned, prepared = inputs.planned, inputs.prepared
    if ended.streams is not None:
        setting.staging.keep_log(planned, *ended.streams)
    policy = planned.provider.sandbox if planned.provider is not None else None
    failure = classify_failure(ended, prepared.timeout_s, policy.memory_mb if policy is not None else None)
    artifacts: tuple[Artifact, ...] = ()
    if failure is None:
        collected = setting.staging.collect(planned, prepared.staging)
        artifacts, failure = collected.artifacts, collected.failure
    return build_run_record(
        planned,
        argv=inputs.argv,
        outcome=ended.outcome,
        failure=failure,
        artifacts=() if failure else artifacts,
        sandbox=prepared.report,
        project_environment=prepared.project,
        tools_missing=prepared.toolbox.missing,
    )


def build_run_record(planned: PlannedCapability, **fields: Any) -> CapabilityRun:
    """Build a CapabilityRun with the fields of the plan and of the provider's manifest."""
    manifest = planned.provider
    fields["argv"] = tuple(format_path(argument) for argument in fields.get("argv", ()))
    if manifest is not None:
        fields |= {"adapter": manifest.name, "adapter_version": manifest.version, "manifest_digest": manifest.digest}
    return CapabilityRun(capability=planned.name, required=planned.required, reasons=planned.reasons, **fields)


def _require_provider(planned: PlannedCapability) -> Manifest:
    if planned.provider is None:
        raise NotReadyError(f"no adapter provides {planned.name}")
    return planned.provider


def _resolve_policy(
    planned: PlannedCapability, config: Mapping[str, Any], grants: tuple[Grant, ...] = ()
) -> SandboxPolicy:
    """Return the manifest's policy, with the network and the time of ``grants``.

    There is also a network if the configuration sets the key of the flag ``network_if``.
    """
    policy = _require_provider(planned).sandbox
    key = planned.declaration.flags.get("network_if")
    policy = replace(policy, network=True) if isinstance(key, str) and config.get(key) else policy
    seconds = next((float(grant.what) for grant in grants if grant.kind == "time"), policy.timeout_s)
    policy = replace(policy, timeout_s=seconds)
    access = next((grant.what for grant in grants if grant.kind == "network"), None)
    return policy if access is None else replace(policy, network=access == "hosts")


def _list_grants(setting: RunSetting, planned: PlannedCapability) -> tuple[Grant, ...]:
    return setting.context.grants.get(_require_provider(planned).name, ())


def _build_arguments(declared: Iterable[Argument], config: Mapping[str, Any]) -> Iterable[str]:
    """Yield flags, then positional arguments. A value is the configuration's key of that name, else the default."""
    flags: list[str] = []
    positional: list[tuple[int, str]] = []
    for argument in declared:
        value = config.get(argument.name, argument.default)
        if value is None:
            if argument.required:
                raise NotReadyError(f"the required argument {argument.name!r} has no value in the configuration")
            continue
        if argument.cli_flag is None:
            positional.append((argument.position or 0, _format_value(value)))
        elif isinstance(value, bool):
            flags += [argument.cli_flag] if value else []
        else:
            values = value if isinstance(value, list | tuple) else [value]
            flags += [part for each in values for part in (argument.cli_flag, _format_value(each))]
    return (*flags, *(text for _, text in sorted(positional, key=lambda pair: pair[0])))


def _format_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
