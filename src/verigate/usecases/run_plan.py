"""Run the capabilities of a plan, and collect their artifacts in a private folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun
from verigate.domain.policy_source import PolicyUse
from verigate.domain.ports import RunContext
from verigate.domain.task import Task
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import encode_json
from verigate.usecases.prepare import Prepared
from verigate.usecases.request import Request
from verigate.usecases.services import Services

_REQUIRED = "require"


class Ran(Struct, frozen=True):
    """The accepted files, one record per capability, and what keeps them for the next run, to call if they pass."""

    staging: RunStaging
    runs: tuple[CapabilityRun, ...]
    keep: Callable[[], None]


def run_plan(request: Request, prepared: Prepared, services: Services) -> Ran:
    """Run what is planned, unless the same run passed within the hour and may be reused.

    Raises ExecutionError if a required sandbox is missing, Interrupted on SIGINT or SIGTERM.
    """
    workspace, plan = prepared.workspace, prepared.plan
    inputs = _encode_inputs(prepared.task)
    context = _make_context(request, prepared, services)
    passed = services.passed_runs() if request.reuse and request.use_cache and not request.only else None
    key = passed.key(plan, workspace, context, inputs) if passed is not None else None
    if passed is not None and key is not None:
        staging = _make_staging("reused", inputs, prepared, services)
        kept = passed.take(key, plan, staging, of_hooks=not request.touched)
        if kept is not None:
            for run in kept:
                services.listener.started(run.capability)
                services.listener.finished(run)
            workspace.begin_cleanup()
            return Ran(staging, kept, lambda: None)
    staging = _make_staging("calls", inputs, prepared, services)
    runs = services.runner(plan, workspace, staging, context, services.listener)
    workspace.begin_cleanup()
    runs = tuple(_hide_private_path(run, workspace.path) for run in runs)
    if passed is None or key is None:
        return Ran(staging, runs, lambda: None)
    passed.observe(key, runs)
    return Ran(staging, runs, partial(passed.keep, key, runs, staging, hook=request.touched))


def _make_staging(name: str, inputs: Mapping[str, bytes], prepared: Prepared, services: Services) -> RunStaging:
    folder = Path(prepared.workspace.path)
    kept = folder / ("accepted" if name == "calls" else f"accepted-{name}")
    return RunStaging(
        folder / name, prepared.task.id, inputs, services.artifact_check, prepared.plan.capabilities, kept=kept
    )


def _encode_inputs(task: Task) -> dict[str, bytes]:
    claim = task.claim.document if task.claim else {"task_id": task.id, "claim": {"type": task.type}}
    return {COMMITMENT_FILE: encode_json(task.commitment.document), CLAIM_FILE: encode_json(claim)}


def _make_context(request: Request, prepared: Prepared, services: Services) -> RunContext:
    return RunContext(
        task_id=prepared.task.id,
        profile_name=prepared.profile.name,
        profile_document=prepared.configuration.profiles.document(prepared.profile),
        adapter_config=prepared.settings,
        environ=services.environ,
        sandbox=_REQUIRED
        if request.policy_use is PolicyUse.TRY
        else str(prepared.profile.rules.get("sandbox") or "prefer"),
        jobs=services.jobs,
        use_cache=request.use_cache,
        grants=prepared.grants,
        reports_progress=services.listener.watches,
    )


def _hide_private_path(run: CapabilityRun, path: str) -> CapabilityRun:
    """Replace this run's own folder, which is another in every run, in the message of a failure."""
    if run.failure is None or path not in run.failure.message:
        return run
    return replace(run, failure=replace(run.failure, message=run.failure.message.replace(path, "<run>")))
