"""Collect the facts of a run, which the gate decides on, and its measurements, which it doesn't."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate.domain.artifact import Evidence
from verigate.domain.evidence_weakenings import has_weakenings
from verigate.domain.execution import CapabilityRun
from verigate.domain.facts import Facts
from verigate.domain.subject import BaseBy
from verigate.usecases.prepare import Prepared
from verigate.usecases.request import Request

if TYPE_CHECKING:
    from verigate.domain.weakening import DisclosureFacts


def collect_facts(request: Request, prepared: Prepared, runs: tuple[CapabilityRun, ...]) -> Facts:
    """Return all that the gate may look at."""
    artifacts = {artifact.path: artifact for run in runs for artifact in run.artifacts}
    subject = prepared.workspace.subject
    evidence = Evidence(artifacts)
    return Facts(
        task=prepared.task,
        subject=replace(
            subject,
            unverified=subject.unverified if request.marks_count else (),
            whole=request.whole,
            base_by=_name_base(request, prepared),
        ),
        profile=prepared.profile,
        plan=prepared.plan,
        runs=runs,
        evidence=evidence,
        units=prepared.units,
        changed_policy_files=prepared.policy_changes,
        policy_change_allowed=prepared.policy_change_allowed,
        only=frozenset(request.only),
        baseline=prepared.configuration.baseline,
        policy_source=prepared.workspace.policy_source,
        disclosed=_collect_disclosures(request, prepared, evidence) if has_weakenings(evidence) else None,
    )


def _name_base(request: Request, prepared: Prepared) -> BaseBy | None:
    """Name how the base is known; None of a plain folder."""
    if prepared.workspace.subject.base is None:
        return None
    if request.base is not None:
        return BaseBy.OPTION
    promised = prepared.task.commitment.base is not None
    return BaseBy.COMMITMENT if promised else prepared.workspace.subject.base_by


def _collect_disclosures(request: Request, prepared: Prepared, evidence: Evidence) -> DisclosureFacts:
    from verigate.usecases.disclosed import collect_disclosures  # few changes weaken anything

    return collect_disclosures(request, prepared, evidence)


def collect_measurements(evidence: Evidence) -> dict[str, dict[str, Any]]:
    """Return the volatile top-level scalars of each artifact, by its path and by their JSON pointer."""
    found: dict[str, dict[str, Any]] = {}
    for path, artifact in sorted(evidence.artifacts.items()):
        if not isinstance(artifact.value, dict):
            continue
        places = {place: artifact.value[place[1:]] for place in artifact.volatile if place[1:] in artifact.value}
        scalars = {place: value for place, value in places.items() if not isinstance(value, dict | list)}
        if scalars:
            found[path] = scalars
    return found
