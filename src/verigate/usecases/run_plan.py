"""Run the capabilities of a plan, and collect their artifacts in a private folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.ci import is_ci
from verigate.domain.execution import CapabilityRun
from verigate.domain.policy_source import PolicyUse
from verigate.domain.ports import RunContext
from verigate.domain.rules import AFFECTED, AFFECTED_IN_CI, IMPACTED, IMPACTED_IN_CI, TESTS_KEY
from verigate.domain.task import Task
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import encode_json
from verigate.usecases.prepare import Prepared
from verigate.usecases.request import Request
from verigate.usecases.services import Services

if TYPE_CHECKING:
    from verigate.domain.remote_call import RemoteUse
    from verigate.usecases.kept_evidence import RunEvidence
    from verigate.usecases.remote_evidence import RunRemote

_REQUIRED = "require"


class Ran(Struct, frozen=True):
    """The accepted files, one record per capability, and what keeps them for the next run.

    ``keep`` takes the paths of artifacts that a check refused; None: nothing is kept. ``end`` ends the use of the
    remote cache and describes it, None without one.
    """

    staging: RunStaging
    runs: tuple[CapabilityRun, ...]
    keep: Callable[[Collection[str] | None], None]
    end: Callable[[], RemoteUse | None]


def run_plan(request: Request, prepared: Prepared, services: Services) -> Ran:
    """Run what is planned, but for what is known of the same calls and may be used again.

    Raises ExecutionError if a required sandbox is missing, Interrupted on SIGINT or SIGTERM.
    """
    workspace, plan = prepared.workspace, prepared.plan
    inputs = _encode_inputs(prepared.task)
    context = _make_context(request, prepared, services)
    known = _open_known(request, prepared, context, inputs, services)
    staging = _make_staging(inputs, prepared, services)
    remote = None
    if request.policy_use is not PolicyUse.TRY:
        remote = services.remote(prepared.configuration, workspace, plan, takes=request.use_cache)
    try:
        runs = services.runner(plan, workspace, staging, context, services.listener, known=known, remote=remote)
    except BaseException:
        if remote is not None:
            remote.abandon()
        raise
    workspace.begin_cleanup()
    if known is not None:
        known.observe()
    runs = tuple(_hide_private_path(run, workspace.path) for run in runs)
    end = (lambda: None) if remote is None else remote.close
    return Ran(staging, runs, partial(_keep, known, remote, staging), end)


def _keep(
    known: RunEvidence | None, remote: RunRemote | None, staging: RunStaging, refused: Collection[str] | None
) -> None:
    if known is not None and refused is not None:
        known.keep(staging, refused)
    if remote is not None:
        remote.store(refused)


def _open_known(
    request: Request, prepared: Prepared, context: RunContext, inputs: Mapping[str, bytes], services: Services
) -> RunEvidence | None:
    """Open what is known of the plan's calls; None where nothing is used again, and nothing kept."""
    store = services.kept_evidence() if request.reuse and not request.only else None
    if store is None:
        return None
    from verigate.usecases.evidence_keys import EvidenceKeys
    from verigate.usecases.kept_evidence import RunEvidence

    keys = EvidenceKeys(services.version, prepared.workspace, context, inputs)
    return RunEvidence(store, keys, takes=request.use_cache)


def _make_staging(inputs: Mapping[str, bytes], prepared: Prepared, services: Services) -> RunStaging:
    folder, planned = Path(prepared.workspace.path), prepared.plan.capabilities
    kept = folder / "accepted"
    return RunStaging(folder / "calls", prepared.task.id, inputs, services.artifact_check, planned, kept=kept)


def _encode_inputs(task: Task) -> dict[str, bytes]:
    claim = task.claim.document if task.claim else {"task_id": task.id, "claim": {"type": task.type}}
    return {COMMITMENT_FILE: encode_json(task.commitment.document), CLAIM_FILE: encode_json(claim)}


def _make_profile_document(prepared: Prepared, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Make the profile as adapters see it: with all tests in CI, unless it says that there too some are selected."""
    rules = dict(prepared.profile.rules)
    word = {IMPACTED_IN_CI: IMPACTED, AFFECTED_IN_CI: AFFECTED}.get(rules.get(TESTS_KEY, ""))
    if word is None and not is_ci(environ):
        word = rules.get(TESTS_KEY) if rules.get(TESTS_KEY) in {IMPACTED, AFFECTED} else None
    if word is None:
        rules.pop(TESTS_KEY, None)
    else:
        rules[TESTS_KEY] = word
    return prepared.configuration.profiles.document(replace(prepared.profile, rules=rules))


def _make_context(request: Request, prepared: Prepared, services: Services) -> RunContext:
    return RunContext(
        task_id=prepared.task.id,
        profile_name=prepared.profile.name,
        profile_document=_make_profile_document(prepared, services.environ),
        adapter_config=prepared.settings,
        environ=services.environ,
        sandbox=_REQUIRED
        if request.policy_use is PolicyUse.TRY
        else str(prepared.profile.rules.get("sandbox") or "prefer"),
        jobs=services.jobs,
        use_cache=request.use_cache and not is_ci(services.environ),
        grants=prepared.grants,
        reports_progress=services.listener.watches,
    )


def _hide_private_path(run: CapabilityRun, path: str) -> CapabilityRun:
    """Replace this run's own folder, which is another in every run, in the message of a failure."""
    if run.failure is None or path not in run.failure.message:
        return run
    return replace(run, failure=replace(run.failure, message=run.failure.message.replace(path, "<run>")))
