"""Run the capabilities of a plan, and collect their artifacts in a private folder."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun
from verigate.domain.ports import RunContext
from verigate.domain.task import Task
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import encode_json
from verigate.usecases.prepare import Prepared
from verigate.usecases.request import Request
from verigate.usecases.services import Services


def run_plan(request: Request, prepared: Prepared, services: Services) -> tuple[RunStaging, tuple[CapabilityRun, ...]]:
    """Run what is planned. Returns the accepted files and one record per capability.

    Raises ExecutionError if a required sandbox is missing, Interrupted on SIGINT or SIGTERM.
    """
    workspace, plan = prepared.workspace, prepared.plan
    folder = Path(workspace.path)
    staging = RunStaging(
        folder / "calls",
        prepared.task.id,
        _encode_inputs(prepared.task),
        services.artifact_check,
        plan.capabilities,
        kept=folder / "accepted",
    )
    runs = services.runner(plan, workspace, staging, _make_context(request, prepared, services), services.listener)
    workspace.begin_cleanup()
    return staging, tuple(_hide_private_path(run, workspace.path) for run in runs)


def _encode_inputs(task: Task) -> dict[str, bytes]:
    claim = task.claim.document if task.claim else {"task_id": task.id, "claim": {"type": task.type}}
    return {COMMITMENT_FILE: encode_json(task.commitment.document), CLAIM_FILE: encode_json(claim)}


def _make_context(request: Request, prepared: Prepared, services: Services) -> RunContext:
    return RunContext(
        task_id=prepared.task.id,
        profile_name=prepared.profile.name,
        profile_document=prepared.configuration.profiles.document(prepared.profile),
        adapter_config=services.adapters.resolve_settings(prepared.configuration, prepared.registry),
        environ=services.environ,
        sandbox=str(prepared.profile.rules.get("sandbox") or "prefer"),
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
