"""The order of the stages, and nothing else.

    subject -> config -> discovery -> planning -> execution -> evidence -> gate -> (verifier -> gate) -> reporting

The subject comes first because plan, profiles and adapters are read from it: what is verified is judged by the policy
that lands with it, and whether that policy differs from the base's is one of the facts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from verigate.config.configuration import Configuration
from verigate.config.effective_profile import choose_profile, describe_code_rules, require_code_rules
from verigate.config.plan_file import find_entry
from verigate.config.profiles import Profiles
from verigate.config.task_files import commitment_from, read_claim, read_commitment
from verigate.config.tighten import set_default, tighten
from verigate.domain.adapter_package import in_copy
from verigate.domain.artifact import Evidence
from verigate.domain.execution import CapabilityRun
from verigate.domain.facts import Facts
from verigate.domain.manifest import Registry
from verigate.domain.plan import Plan
from verigate.domain.ports import Listener, RunContext, Staging, SubjectWorkspace
from verigate.domain.profile import Profile
from verigate.domain.subject import SubjectKind
from verigate.domain.task import IMPLICIT_TASK_ID, IMPLICIT_TASK_TYPE, Task, Unit, parse_unit
from verigate.domain.task_folder import (
    ATTESTATION_FILE,
    BASELINE_COPY,
    CLAIM_FILE,
    COMMITMENT_FILE,
    LOGS_FOLDER,
    RUN_FILE,
)
from verigate.domain.verdict import Status, Verdict
from verigate.errors import Fault
from verigate.evidence.lock import task_lock
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import artifacts_folder, encode, publish, task_folder
from verigate.planning.plan import build_plan
from verigate.usecases.policy_changes import (
    allows_policy_change,
    base_profiles,
    commitment_path,
    find_edited_commitment,
    list_policy_changes,
)

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline
    from verigate.usecases.ask_verifier import Ask


class Request(Struct, frozen=True):
    """What to verify. ``task_id`` None means an implicit task; ``only`` capabilities narrow the run.

    ``statements_reported`` is the caller's word that the claim's statements are an agent's message: where the profile
    doesn't say how to take statements, undecided ones hold nothing back. Without ``marks_count`` the marks of earlier
    turns that were let go are left out: they are about what lands, and not about the turn that mends it. Without
    ``llm`` facts alone decide, whatever the profile says.
    """

    task_id: str | None = None
    kind: SubjectKind = SubjectKind.WORKTREE
    ref: str | None = None
    base: str | None = None
    profile: str | None = None
    only: tuple[str, ...] = ()
    use_cache: bool = True
    statements_reported: bool = False
    marks_count: bool = True
    llm: bool = True


class Services(Struct, frozen=True):
    """The parts that do I/O, constructed by ``composition``."""

    root: Path
    version: str
    environ: Mapping[str, str]
    host: str
    jobs: int
    now: Callable[[], str]
    monotonic: Callable[[], float]
    open_workspace: Callable[..., AbstractContextManager[SubjectWorkspace]]
    read_configuration: Callable[[Path], Configuration]
    read_base_profiles: Callable[[bytes], Profiles | None]
    discover: Callable[..., Registry]
    entry_problem: Callable[[str], str | None]
    adapter_config: Callable[[Configuration, Registry], Mapping[str, Mapping[str, Any]]]
    check_artifact: Callable[..., Any]
    run: Callable[[Plan, SubjectWorkspace, Staging, RunContext, Listener], tuple[CapabilityRun, ...]]
    ask: Ask
    attest: Callable[[Mapping[str, Any], Mapping[str, str]], bytes | None]
    listener: Listener


class Prepared(Struct, frozen=True):
    """Everything up to the point where something would run."""

    task: Task
    workspace: SubjectWorkspace
    configuration: Configuration
    profile: Profile
    registry: Registry
    plan: Plan
    units: tuple[Unit, ...] | None
    judges_changed: tuple[str, ...]
    policy_change_allowed: bool
    warnings: tuple[str, ...] = ()


class Verified(Struct, frozen=True):
    """What came of it. ``folder`` is None where nothing was published; ``verdict`` None on an empty diff."""

    verdict: Verdict | None
    runs: tuple[CapabilityRun, ...] = ()
    folder: Path | None = None
    warnings: tuple[str, ...] = field(default=())
    baseline: Baseline | None = None


def verify(request: Request, services: Services) -> Verified:
    """Check a task out, run what must check it, decide, publish. Raises GateError where no verdict can be had."""
    started, clock = services.now(), services.monotonic()
    with _locked(request, services), prepare(request, services) as prepared:
        subject = prepared.workspace.subject
        if prepared.task.implicit and subject.is_empty and not subject.unverified:
            return Verified(None, warnings=prepared.warnings)
        staging, runs = run_planned(request, prepared, services)
        facts = _facts(request, prepared, runs)
        from verigate.gate.decision import decide_verdict  # loaded by now, see composition.load_what_comes

        verdict = decide_verdict(facts)
        asked: Mapping[str, bytes] = {}
        if request.llm and verdict.status is Status.INCONCLUSIVE and facts.profile.rules.get("verifier"):
            from verigate.usecases.ask_verifier import ask_what_is_open  # rare

            base = partial(base_profiles, prepared.workspace, services.read_base_profiles)
            facts, asked = ask_what_is_open(facts, verdict, staging.accepted.read, services.ask, base)
            verdict = decide_verdict(facts)
        metadata = {
            "started": started,
            "finished": services.now(),
            "duration": round(services.monotonic() - clock, 3),
            "host": services.host,
            "gate_version": services.version,
            "measured": _measured(facts.evidence),
        }
        verdict = replace(verdict, metadata=metadata)
        if request.only:
            return Verified(verdict, runs, None, prepared.warnings, facts.baseline)
        folder = _publish(facts, verdict, staging, prepared, services, asked=asked)
        return Verified(verdict, runs, folder, prepared.warnings, facts.baseline)


@contextmanager
def prepare(request: Request, services: Services) -> Iterator[Prepared]:
    """Subject, configuration, discovery and plan; nothing of the subject or of an adapter is executed."""
    task, warnings = _task(request, services)
    base = request.base or task.commitment.base
    with services.open_workspace(services.root, kind=request.kind, ref=request.ref, base=base) as workspace:
        configuration = services.read_configuration(Path(workspace.policy_root))
        entry = find_entry(configuration.plan, task.type)
        profile = choose_profile(
            configuration.profiles,
            task.type,
            committed=task.commitment.profile,
            caller=request.profile,
            where=f"{commitment_path(task.id)} /profile",
        )
        profile, held = _as_code(request, task, profile, workspace, configuration.profiles)
        profile, loosened = tighten(profile, task.commitment.quality)
        if request.statements_reported:
            profile = set_default(profile, "statements", "report")
        registry = services.discover(workspace.policy_root, workspace.subject.root)
        task, units = _units(task, workspace)
        plan = build_plan(
            task.type,
            entry,
            profile,
            units or (),
            registry,
            entry_problem=lambda path: services.entry_problem(_in_copy(path, workspace)),
            only=request.only,
            statements=task.claim.statements if task.claim else (),
        )
        edited, read = find_edited_commitment(task, workspace), services.read_base_profiles
        yield Prepared(
            task,
            workspace,
            configuration,
            profile,
            registry,
            plan,
            units,
            (*edited, *list_policy_changes(workspace, configuration.baseline)),
            not edited and allows_policy_change(task.type, profile, workspace, read, named=bool(request.profile)),
            (*warnings, *held, *map(str, loosened), *registry.warnings),
        )


def run_planned(
    request: Request, prepared: Prepared, services: Services
) -> tuple[RunStaging, tuple[CapabilityRun, ...]]:
    """Run what is planned: what the runs left, and where it lies."""
    place = prepared.workspace.path
    calls, kept, plan = Path(place) / "calls", Path(place) / "accepted", prepared.plan
    inputs = _inputs(prepared.task)
    staging = RunStaging(calls, prepared.task.id, inputs, services.check_artifact, plan.capabilities, kept=kept)
    context = _context(request, prepared, services)
    runs = services.run(plan, prepared.workspace, staging, context, services.listener)
    prepared.workspace.leave()
    return staging, tuple(_without_private_path(run, place) for run in runs)


def _as_code(
    request: Request, task: Task, profile: Profile, workspace: SubjectWorkspace, profiles: Profiles
) -> tuple[Profile, tuple[str, ...]]:
    """The profile with what code is asked, where the change touches code and the caller named no profile."""
    if request.profile or task.type == IMPLICIT_TASK_TYPE or (path := workspace.code_touched) is None:
        return profile, ()
    held, more = require_code_rules(profile, profiles, reported=request.statements_reported)
    return held, (describe_code_rules(profile, profiles, more, path),) if more else ()


def _in_copy(path: str, workspace: SubjectWorkspace) -> str:
    """Where a file of the repository's adapters, or of a package that it pins, lies in the copy that they run from."""
    root = workspace.subject.root.rstrip("/")
    own = f"{root}/adapters/"
    if path.startswith(own):
        return f"{workspace.policy_root}{path.removeprefix(root)}"
    copied = in_copy(path, root, workspace.policy_root)
    return copied if copied is not None and Path(copied).exists() else path


def _locked(request: Request, services: Services) -> AbstractContextManager[None]:
    if request.only:
        return nullcontext()
    return task_lock(artifacts_folder(services.root), request.task_id or IMPLICIT_TASK_ID)


def _task(request: Request, services: Services) -> tuple[Task, tuple[str, ...]]:
    if request.task_id is None:
        commitment = commitment_from({"task_id": IMPLICIT_TASK_ID, "type": IMPLICIT_TASK_TYPE})
        return Task(IMPLICIT_TASK_ID, commitment, implicit=True), ()
    folder = task_folder(services.root, request.task_id)
    promised = read_commitment(folder / COMMITMENT_FILE, request.task_id, services.root)
    claimed = read_claim(folder / CLAIM_FILE, request.task_id, promised.commitment.type, services.root)
    task = Task(request.task_id, promised.commitment, claimed.claim, claimed.faults)
    return task, tuple(map(str, (*promised.warnings, *claimed.warnings)))


def _units(task: Task, workspace: SubjectWorkspace) -> tuple[Task, tuple[Unit, ...] | None]:
    """The claim's units against base and subject. A unit that names nothing makes the claim invalid."""
    if task.claim is None or task.claim.unit_ids is None:
        return task, None
    units: list[Unit] = []
    for index, text in enumerate(task.claim.unit_ids):
        try:
            units.append(parse_unit(text, workspace.path_exists))
        except ValueError as problem:
            fault = Fault(str(problem), CLAIM_FILE, f"/claim/units_list/{index}")
            return replace(task, claim=None, claim_faults=(fault,)), None
    if len(set(units)) != len(units):
        twice = sorted({unit.id for unit in units if units.count(unit) > 1})
        fault = Fault(f"units are listed more than once: {', '.join(twice[:5])}", CLAIM_FILE, "/claim/units_list")
        return replace(task, claim=None, claim_faults=(fault,)), None
    return task, tuple(units)


def _inputs(task: Task) -> dict[str, bytes]:
    claim = task.claim.document if task.claim else {"task_id": task.id, "claim": {"type": task.type}}
    return {COMMITMENT_FILE: encode(task.commitment.document), CLAIM_FILE: encode(claim)}


def _context(request: Request, prepared: Prepared, services: Services) -> RunContext:
    return RunContext(
        task_id=prepared.task.id,
        profile_name=prepared.profile.name,
        profile_document=prepared.configuration.profiles.document(prepared.profile),
        adapter_config=services.adapter_config(prepared.configuration, prepared.registry),
        environ=services.environ,
        sandbox=str(prepared.profile.rules.get("sandbox") or "prefer"),
        jobs=services.jobs,
        use_cache=request.use_cache,
    )


def _without_private_path(run: CapabilityRun, path: str) -> CapabilityRun:
    """What a capability said when it failed may name this run's own folder, which is another in every run."""
    if run.failure is None or path not in run.failure.message:
        return run
    return replace(run, failure=replace(run.failure, message=run.failure.message.replace(path, "<run>")))


def _facts(request: Request, prepared: Prepared, runs: tuple[CapabilityRun, ...]) -> Facts:
    artifacts = {artifact.path: artifact for run in runs for artifact in run.artifacts}
    subject = prepared.workspace.subject
    return Facts(
        task=prepared.task,
        subject=subject if request.marks_count else replace(subject, unverified=()),
        profile=prepared.profile,
        plan=prepared.plan,
        runs=runs,
        evidence=Evidence(artifacts),
        units=prepared.units,
        judges_changed=prepared.judges_changed,
        policy_change_allowed=prepared.policy_change_allowed,
        only=frozenset(request.only),
        baseline=prepared.configuration.baseline,
    )


def _measured(evidence: Evidence) -> dict[str, dict[str, Any]]:
    """The volatile values of the artifacts' top level, kept apart from what is decided on."""
    found: dict[str, dict[str, Any]] = {}
    for path, artifact in sorted(evidence.artifacts.items()):
        if not isinstance(artifact.value, dict):
            continue
        places = {place: artifact.value[place[1:]] for place in artifact.volatile if place[1:] in artifact.value}
        scalars = {place: value for place, value in places.items() if not isinstance(value, dict | list)}
        if scalars:
            found[path] = scalars
    return found


def _publish(
    facts: Facts,
    verdict: Verdict,
    staging: RunStaging,
    prepared: Prepared,
    services: Services,
    *,
    asked: Mapping[str, bytes],
) -> Path:
    from verigate.evidence import run_record  # as in verify
    from verigate.evidence.index import build_index

    folder = task_folder(services.root, facts.task.id)
    logs = {f"{LOGS_FOLDER}/{name}": staging.logs[name] for name in sorted(staging.logs)}
    run = encode(run_record.to_document(facts, version=services.version, warnings=prepared.warnings))
    artifacts = tuple(facts.evidence.artifacts[path] for path in sorted(facts.evidence.artifacts))
    own = {RUN_FILE: run, **logs, **asked}
    if facts.baseline is not None:
        own[BASELINE_COPY] = facts.baseline.content
    vouched = {artifact.path: artifact.sha256 for artifact in artifacts}
    vouched |= {path: hashlib.sha256(content).hexdigest() for path, content in asked.items()}
    attestation = services.attest(verdict.document(), vouched)
    if attestation is not None:
        own[ATTESTATION_FILE] = attestation
    index = build_index(facts.task.id, artifacts, own)
    publish(folder, staging.accepted, own=own, index=index, verdict=verdict.document())
    return folder
