"""Write and read run.json: what ran, under which policy, on which subject. A verdict can be recomputed from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun, Failure, Outcome, SandboxReport
from verigate.domain.facts import Facts
from verigate.domain.plan import Plan, PlanEntry, PlannedCapability
from verigate.domain.subject import BaseBy, Change, ChangeKind, Subject, SubjectKind, SubmoduleMove

if TYPE_CHECKING:
    from verigate.domain.approval import ApprovalFacts
    from verigate.domain.ledger import LedgerEntry
    from verigate.domain.policy_source import PolicySource, TriedPolicy
    from verigate.domain.remote_call import RemoteUse
    from verigate.domain.weakening import DisclosureFacts

RUN_SCHEMA = "verigate:run.v1"


def to_document(
    facts: Facts, *, version: str, warnings: tuple[str, ...], remote: RemoteUse | None = None
) -> dict[str, Any]:
    """Convert facts to the JSON document of run.json; ``remote`` is how a remote cache was used."""
    task = facts.task
    return {
        "schema": RUN_SCHEMA,
        "gate_version": version,
        "task": {
            "id": task.id,
            "implicit": task.implicit,
            "commitment": dict(task.commitment.document),
            "claim": dict(task.claim.document) if task.claim else None,
            "claim_faults": [str(fault) for fault in task.claim_faults],
            "units": None if facts.units is None else [unit.id for unit in facts.units],
        },
        "subject": _subject_document(facts.subject),
        "policy": {
            "profile": facts.profile.name,
            "source": facts.profile.source,
            **({"named": True} if facts.profile.named else {}),
            "digest": facts.profile.digest,
            "rules": dict(facts.profile.rules),
            "judges_changed": list(facts.changed_policy_files),
            "policy_change_allowed": facts.policy_change_allowed,
            **_baseline_document(facts),
            **({"ref": facts.policy_source.document()} if facts.policy_source is not None else {}),
            **({"tried": facts.tried_policy.document()} if facts.tried_policy is not None else {}),
        },
        **({"disclosed": _disclosed_document(facts.disclosed)} if facts.disclosed is not None else {}),
        **({"approvals": facts.approvals.document()} if facts.approvals is not None else {}),
        **({"messages": [entry.document() for entry in facts.messages]} if facts.messages else {}),
        "plan": {
            "type": facts.plan.task_type,
            "order": list(facts.plan.entry.order),
            "required": sorted(facts.plan.entry.required),
            "optional": sorted(facts.plan.entry.optional),
            "capabilities": [_planned_document(planned) for planned in facts.plan.capabilities],
            **({"unchecked": dict(facts.plan.entry.unchecked)} if facts.plan.entry.unchecked else {}),
            **({"skipped": list(facts.plan.skipped)} if facts.plan.skipped else {}),
        },
        **runs_document(facts.runs),
        **({"remote": remote.document()} if remote is not None else {}),
        "warnings": list(warnings),
    }


def _baseline_document(facts: Facts) -> dict[str, Any]:
    """The baseline's digest and the day for its expiry dates; the baseline itself is published next to run.json."""
    if facts.baseline is None:
        return {}
    return {"baseline": {"sha256": facts.baseline.sha256, "judged_on": facts.baseline.judged_on}}


def _disclosed_document(disclosed: DisclosureFacts) -> dict[str, Any]:
    return {
        "stage": disclosed.stage.value,
        "disclosures": [
            {
                "kind": each.kind,
                "target": each.target,
                "id": each.id,
                "reason": each.reason,
                "source": each.source.value,
                "reference": each.reference,
            }
            for each in disclosed.disclosures
        ],
        "agent_marks": list(disclosed.agent_marks),
        "faults": list(disclosed.faults),
        **({"removals": dict(disclosed.removals)} if disclosed.removals else {}),
    }


def disclosed_from(document: Mapping[str, Any]) -> DisclosureFacts | None:
    """Read what run.json says was disclosed, None where nothing was weakened."""
    disclosed = document.get("disclosed")
    if disclosed is None:
        return None
    from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage  # few changes weaken anything

    found = tuple(Disclosure(**{**each, "source": Source(each["source"])}) for each in disclosed["disclosures"])
    return DisclosureFacts(
        Stage(disclosed["stage"]),
        found,
        tuple(disclosed["agent_marks"]),
        tuple(disclosed["faults"]),
        disclosed.get("removals", {}),
    )


def approvals_from(document: Mapping[str, Any]) -> ApprovalFacts | None:
    """Read what run.json says of approvals, None where nothing asked for any."""
    found = document.get("approvals")
    if found is None:
        return None
    from verigate.domain.approval import restore_approvals  # few changes touch policy

    return restore_approvals(found)


def messages_from(document: Mapping[str, Any]) -> tuple[LedgerEntry, ...]:
    """Read what run.json says of the messages of commits, () where none was judged."""
    found = document.get("messages", ())
    if not found:
        return ()
    from verigate.domain.ledger import read_entry  # only where there is no task

    return tuple(read_entry(each) for each in found)


def policy_source_from(document: Mapping[str, Any]) -> PolicySource | None:
    """Read which ref run.json says that the policy came from, None where it was the subject's own."""
    found = document["policy"].get("ref")
    if found is None:
        return None
    from verigate.domain.policy_source import PolicySource  # few repositories name a ref

    return PolicySource.from_document(found)


def tried_policy_from(document: Mapping[str, Any]) -> TriedPolicy | None:
    """Read what run.json says the subject's own policy would have decided, None where it wasn't tried."""
    found = document["policy"].get("tried")
    if found is None:
        return None
    from verigate.domain.policy_source import TriedPolicy  # few changes touch policy

    return TriedPolicy.from_document(found)


def plan_from(document: Mapping[str, Any]) -> Plan:
    """Read the plan of run.json, without providers: the runs record which adapter served each capability."""
    plan = document["plan"]
    required, optional = frozenset(plan["required"]), frozenset(plan["optional"])
    entry = PlanEntry(tuple(plan["order"]), required, optional, plan.get("unchecked", {}))
    planned = tuple(
        PlannedCapability(
            item["name"], item["required"], tuple(item["reasons"]), None, tuple(item["needs"]), item["problem"]
        )
        for item in plan["capabilities"]
    )
    return Plan(plan["type"], entry, planned, tuple(plan.get("skipped", ())))


def subject_from(document: Mapping[str, Any], root: str) -> Subject:
    """Read the subject of run.json; ``root`` is the current path of the repository."""
    subject = document["subject"]
    return Subject(
        SubjectKind(subject["kind"]),
        root,
        subject["base"],
        subject["tree"],
        tuple(Change(item["path"], ChangeKind(item["kind"]), item.get("plain", True)) for item in subject["changes"]),
        tuple(subject.get("unverified", ())),
        subject.get("whole", False),
        BaseBy(subject["base_by"]) if "base_by" in subject else None,
        tuple(SubmoduleMove(**item) for item in subject.get("submodules", ())),
    )


def runs_document(runs: Iterable[CapabilityRun]) -> dict[str, Any]:
    """Return the part of run.json that holds the runs; ``runs_from`` reads it."""
    return {"invocations": [_run_document(run) for run in runs]}


def runs_from(document: Mapping[str, Any], artifacts: Mapping[str, Artifact]) -> tuple[CapabilityRun, ...]:
    """Read the runs of run.json, with their artifacts."""
    return tuple(_capability_run_from(item, artifacts) for item in document["invocations"])


def _subject_document(subject: Subject) -> dict[str, Any]:
    return {
        **subject.document(),
        "changes": [
            {"path": change.path, "kind": change.kind.value, **({} if change.plain else {"plain": False})}
            for change in subject.changes
        ],
        **({"unverified": list(subject.unverified)} if subject.unverified else {}),
        **({"whole": True} if subject.whole else {}),
    }


def _planned_document(planned: PlannedCapability) -> dict[str, Any]:
    return {
        "name": planned.name,
        "required": planned.required,
        "reasons": list(planned.reasons),
        "needs": list(planned.needs),
        "adapter": planned.provider.name if planned.provider else None,
        "problem": planned.problem,
    }


def _run_document(run: CapabilityRun) -> dict[str, Any]:
    outcome = run.outcome
    return {
        "capability": run.capability,
        "required": run.required,
        "adapter": run.adapter,
        "adapter_version": run.adapter_version,
        "manifest_digest": run.manifest_digest,
        "argv": list(run.argv),
        "outcome": None
        if outcome is None
        else {
            "exit_code": outcome.exit_code,
            "signal": outcome.signal,
            "timed_out": outcome.timed_out,
            "duration_s": round(outcome.duration_s, 6),
            "stdout_bytes": outcome.stdout_bytes,
            "stderr_bytes": outcome.stderr_bytes,
            "leftover_processes": outcome.leftover_processes,
        },
        "failure": None
        if run.failure is None
        else {"reason": run.failure.reason, "message": run.failure.message, "hint": run.failure.hint},
        "artifacts": [artifact.path for artifact in run.artifacts],
        "sandbox": None
        if run.sandbox is None
        else {
            "mechanism": run.sandbox.mechanism,
            "network": run.sandbox.network,
            "read_only": run.sandbox.read_only,
            "missing": list(run.sandbox.missing),
            **({"granted": [grant.document() for grant in run.sandbox.granted]} if run.sandbox.granted else {}),
        },
        "tools_missing": list(run.tools_missing),
        "subject_changes": list(run.subject_changes),
        "cached": run.cached,
        **({"project_environment": dict(run.project_environment)} if run.project_environment else {}),
    }


def _capability_run_from(item: Mapping[str, Any], artifacts: Mapping[str, Artifact]) -> CapabilityRun:
    outcome, failure, sandbox = item["outcome"], item["failure"], item["sandbox"]
    return CapabilityRun(
        capability=item["capability"],
        required=item["required"],
        adapter=item["adapter"],
        adapter_version=item["adapter_version"],
        manifest_digest=item["manifest_digest"],
        argv=tuple(item["argv"]),
        outcome=None if outcome is None else Outcome(**outcome),
        failure=None if failure is None else Failure(**failure),
        artifacts=tuple(artifacts[path] for path in item["artifacts"]),
        sandbox=None if sandbox is None else _sandbox_from(sandbox),
        tools_missing=tuple(item["tools_missing"]),
        subject_changes=tuple(item["subject_changes"]),
        cached=item["cached"],
        project_environment=item.get("project_environment", {}),
    )


def _sandbox_from(document: Mapping[str, Any]) -> SandboxReport:
    report = SandboxReport(**{**document, "missing": tuple(document["missing"]), "granted": ()})
    if "granted" not in document:
        return report
    from verigate.domain.grants import restore_grant  # rare

    return replace(report, granted=tuple(restore_grant(grant) for grant in document["granted"]))
