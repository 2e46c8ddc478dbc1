"""The order of the stages, and nothing else.

    subject -> config -> discovery -> planning -> execution -> evidence -> gate -> (verifier -> gate) -> reporting

Each stage has a module: ``prepare`` up to planning, ``run_plan``, ``facts``, ``ask_verifier`` and ``publish``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from verigate.domain.artifact import Evidence
from verigate.domain.execution import CapabilityRun
from verigate.domain.facts import Facts
from verigate.domain.policy_source import PolicyUse, TriedPolicy
from verigate.domain.subject import SubjectKind, SubjectNames
from verigate.domain.verdict import CheckOutcome, Status, Verdict
from verigate.errors import SubjectError
from verigate.evidence.lock import task_lock
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import artifacts_folder, has_artifacts, remove_unused_artifacts
from verigate.usecases.facts import collect_facts, collect_measurements
from verigate.usecases.policy_changes import load_trusted_profiles
from verigate.usecases.prepare import Prepared, prepare
from verigate.usecases.publish import publish_run
from verigate.usecases.request import Request
from verigate.usecases.run_plan import run_plan
from verigate.usecases.sandbox_lacks import list_sandbox_lacks
from verigate.usecases.services import Services

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline


class Verified(Struct, frozen=True):
    """The result. ``folder`` is None if nothing was published; ``verdict`` None if there was nothing to verify.

    ``landing`` and ``merged`` are as in the workspace. ``left_to_message``: all that the verdict lacks are disclosures.
    ``logs`` are the outputs of capabilities by the names of their files, of a run that publishes none.
    """

    verdict: Verdict | None
    runs: tuple[CapabilityRun, ...] = ()
    folder: Path | None = None
    warnings: tuple[str, ...] = field(default=())
    baseline: Baseline | None = None
    landing: tuple[str, str | None] | None = None
    left_to_message: bool = False
    merged: tuple[str, ...] = ()
    logs: Mapping[str, bytes] = {}


def verify(request: Request, services: Services) -> Verified:
    """Prepare, run, decide and publish. Raises GateError if there can be no verdict."""
    describe_run = _start_clock(services)
    with _lock_task(request, services), prepare(request, services) as prepared:
        if prepared.has_nothing_to_verify or (request.only_planned and not prepared.plan.capabilities):
            return Verified(None, warnings=prepared.warnings)
        ran = run_plan(request, prepared, services)
        staging, runs = ran.staging, ran.runs
        facts = collect_facts(request, prepared, runs)
        facts = _judge_approvals(facts, request, prepared, services)
        facts = _judge_messages(facts, request, prepared, services)
        facts = _try_own_policy(facts, request, prepared, services)
        facts, verdict, record = _decide(facts, request, prepared, staging, services)
        verdict = replace(verdict, metadata=describe_run(facts.evidence, prepared.workspace.names))
        warnings = (*prepared.warnings, *list_sandbox_lacks(runs), *_list_unread_messages(facts))
        left = request.message_follows and _can_be_disclosed(facts, verdict)
        kept = left or verdict.status is not Status.ERROR
        ran.keep((() if left else _list_refused(verdict)) if kept else None)
        used = ran.end()
        warnings += used.notes if used is not None else ()
        folder = None
        if not request.only and request.policy_use is not PolicyUse.TRY:
            folder, failed = publish_run(
                facts, verdict, staging, services, warnings=warnings, record=record, remote=used
            )
            warnings += failed
        landing, merged = prepared.workspace.landing, prepared.workspace.merged
        logs = dict(staging.logs) if request.only else {}
        return Verified(verdict, runs, folder, warnings, facts.baseline, landing, left, merged, logs)


def _list_refused(verdict: Verdict) -> frozenset[str]:
    """List the artifacts that a check cites which doesn't hold."""
    passing = {CheckOutcome.HOLDS, CheckOutcome.NOT_APPLICABLE}
    return frozenset(ref.artifact for check in verdict.checks if check.outcome not in passing for ref in check.evidence)


def _decide(
    facts: Facts, request: Request, prepared: Prepared, staging: RunStaging, services: Services
) -> tuple[Facts, Verdict, Mapping[str, bytes]]:
    """Decide on the facts; if they are inconclusive and the profile names a verifier, ask it and decide again.

    Returns the facts with its answers, the verdict, and the files of its record.
    """
    from verigate.gate.decision import decide_verdict  # loaded by now, see composition.load_later_modules

    verdict = decide_verdict(facts)
    if not request.llm or verdict.status is not Status.INCONCLUSIVE or not facts.profile.rules.get("verifier"):
        return facts, verdict, {}
    from verigate.usecases.ask_verifier import ask_open_questions  # few profiles name one

    base_profiles = partial(load_trusted_profiles, prepared.workspace, services.policy.read_base_profiles)
    facts, record = ask_open_questions(facts, verdict, staging.accepted.read, services.verifier, base_profiles)
    return facts, decide_verdict(facts), record


def _judge_approvals(facts: Facts, request: Request, prepared: Prepared, services: Services) -> Facts:
    """Read what people approved, where something must be: few changes touch policy or weaken anything."""
    if facts.disclosed is None and (not facts.changed_policy_files or facts.policy_change_allowed):
        return facts
    from verigate.usecases.approvals import judge_approvals

    return replace(facts, approvals=judge_approvals(facts, request, prepared, services))


def _list_unread_messages(facts: Facts) -> tuple[str, ...]:
    if not facts.messages:
        return ()
    from verigate.usecases.messages import list_unread_messages  # loaded by now

    return list_unread_messages(facts.messages)


def _judge_messages(facts: Facts, request: Request, prepared: Prepared, services: Services) -> Facts:
    unsaid = request.stage is None and request.message is None and request.kind is not SubjectKind.COMMIT
    if unsaid or request.policy_use is PolicyUse.TRY:
        return facts
    from verigate.usecases.messages import judge_messages, judges_messages  # only where a change lands
    from verigate.usecases.silent import Silent

    if not judges_messages(request, prepared):
        return facts
    quiet = replace(services, listener=Silent())

    def judge(each: Request) -> Verdict | None:
        return verify(replace(each, policy_ref=request.policy_ref, policy_use=request.policy_use), quiet).verdict

    return replace(facts, messages=judge_messages(request, prepared, facts, judge))


def _try_own_policy(facts: Facts, request: Request, prepared: Prepared, services: Services) -> Facts:
    """Try the subject's own policy next to that of the ref, if the subject changes policy. It decides nothing."""
    if facts.policy_source is None or request.only:
        return facts
    try:
        digest = prepared.workspace.other_policy
    except SubjectError as problem:
        return replace(facts, tried_policy=TriedPolicy("", None, problem=str(problem.faults[0])))
    if digest is None:
        return facts
    from verigate.usecases.silent import Silent
    from verigate.usecases.try_policy import try_policy  # few changes touch policy

    quiet = replace(services, listener=Silent())
    tried = try_policy(request, facts.policy_source, digest, lambda each: verify(each, quiet).verdict)
    return replace(facts, tried_policy=tried)


def _can_be_disclosed(facts: Facts, verdict: Verdict) -> bool:
    if verdict.status is not Status.FAIL or not verdict.weakenings:
        return False
    from verigate.usecases.left_to_message import passes_once_disclosed  # few changes weaken anything

    return passes_once_disclosed(facts)


@contextmanager
def _lock_task(request: Request, services: Services) -> Iterator[None]:
    """Lock the task against other runs. A run that publishes nothing needs no lock.

    Where there was nothing to judge, such as outside of a git repository, no new folder is left.
    """
    if request.only or request.policy_use is PolicyUse.TRY:
        yield
        return
    place = services.publication or services.root
    is_new = not has_artifacts(place)
    try:
        with task_lock(artifacts_folder(place), request.folder_name):
            yield
    except SubjectError:
        if is_new:
            remove_unused_artifacts(place, request.folder_name)
        raise


def _start_clock(services: Services) -> Callable[[Evidence, SubjectNames], dict[str, Any]]:
    """Return the function that describes the run at its end: moments, seconds, machine, names, measurements."""
    started, start = services.clock.now(), services.clock.monotonic()
    return lambda evidence, names: {
        "started": started,
        "finished": services.clock.now(),
        "duration": round(services.clock.monotonic() - start, 3),
        "host": services.host,
        "gate_version": services.version,
        "subject": {"repository": names.repository, "commit": names.commit, "title": names.title},
        "measured": collect_measurements(evidence),
    }
