"""Recompute a verdict from published evidence and the recorded policy. Runs nothing, reads nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from msgspec import Struct

from verigate.config.profiles import hash_rules
from verigate.domain.artifact import Evidence
from verigate.domain.facts import Facts
from verigate.domain.profile import Profile
from verigate.domain.task_folder import BASELINE_COPY, RUN_FILE, VERDICT_FILE, VERIFIER_RECORD
from verigate.domain.verdict import Verdict, parse_verdict
from verigate.errors import ConfigError, EvidenceError
from verigate.evidence import run_record
from verigate.evidence.reload import reload_artifacts
from verigate.evidence.store import Published, read_published
from verigate.formats.pointer import escape
from verigate.gate.decision import decide_verdict
from verigate.usecases.resolve_task import restore_task

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline
    from verigate.domain.verification import Verification


class Difference(Struct, frozen=True):
    """The first position where the recorded and the recomputed verdict differ; an absent value is None."""

    pointer: str
    recorded: Any
    recomputed: Any


class Replayed(Struct, frozen=True):
    """The recomputed verdict, and where it differs from the recorded one (None: nowhere)."""

    recorded: Verdict
    recomputed: Verdict
    difference: Difference | None


def replay(root: Path, folder: Path) -> Replayed:
    """Recompute a task's verdict. Raises EvidenceError if the published state is incomplete or was changed."""
    published = read_published(folder)
    recorded = _read_verdict(published)
    recomputed = _recompute(root, published)
    return Replayed(recorded, recomputed, _compare(published, recomputed))


def read_genuine(root: Path, folder: Path) -> Published:
    """Read the published state of a task. Raises EvidenceError if its verdict doesn't follow from its evidence.

    Digests protect the evidence, not the verdict next to it, which anybody can edit.
    """
    published = read_published(folder)
    difference = _compare(published, _recompute(root, published))
    if difference is None:
        return published
    _read_verdict(published)  # a document that is no verdict at all is reported as that
    message = f"not verified: the verdict does not follow from its evidence, first difference at {difference.pointer}"
    hint = f"run `gate verify {folder.name}`, or see both with `gate replay {folder.name}`"
    raise EvidenceError(message, where=str(folder / VERDICT_FILE), hint=hint)


def _recompute(root: Path, published: Published) -> Verdict:
    facts = restore_facts(root, published)
    try:
        return decide_verdict(facts)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        # Evidence that was edited and sealed again may have any shape, which the gate would never have accepted.
        where = str(published.folder)
        raise EvidenceError(f"not verified: its evidence can't be decided on ({problem})", where=where) from problem


def _compare(published: Published, recomputed: Verdict) -> Difference | None:
    mine, theirs = recomputed.document(), dict(published.verdict)
    for document in (mine, theirs):
        document.pop("metadata", None)
    return None if _is_same_json(theirs, mine) else find_first_difference(theirs, mine)


def _is_same_json(recorded: Any, recomputed: Any) -> bool:
    """Whether two values are the same JSON, byte for byte; False where that isn't known. The usual case, and quick."""
    try:
        return orjson.dumps(recorded, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
            recomputed, option=orjson.OPT_SORT_KEYS
        )
    except TypeError:  # a lone surrogate, an integer of more than 64 bits
        return False


def restore_facts(root: Path, published: Published) -> Facts:
    """Restore the facts that a published verdict was decided on. Raises EvidenceError."""
    run = published.run
    artifacts = reload_artifacts(published)
    try:
        resolved = restore_task(run["task"])
        policy = run["policy"]
        return Facts(
            task=resolved.task,
            subject=run_record.subject_from(run, str(root)),
            # Its own digest, not the recorded one: rules that were edited must not keep their old name.
            profile=Profile(policy["profile"], policy["rules"], hash_rules(policy["rules"]), policy["source"]),
            plan=run_record.plan_from(run),
            runs=run_record.runs_from(run, artifacts),
            evidence=Evidence(artifacts),
            units=resolved.units,
            changed_policy_files=tuple(policy["judges_changed"]),
            policy_change_allowed=policy["policy_change_allowed"],
            baseline=_restore_baseline(published),
            disclosed=run_record.disclosed_from(run),
            messages=run_record.messages_from(run),
            approvals=run_record.approvals_from(run),
            policy_source=run_record.policy_source_from(run),
            tried_policy=run_record.tried_policy_from(run),
            verification=_restore_verification(published, Evidence(artifacts)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        where = str(published.folder / RUN_FILE)
        raise EvidenceError(f"not verified: it is not a record of a run ({problem})", where=where) from problem


def _restore_verification(published: Published, evidence: Evidence) -> Verification | None:
    """Restore what a verifier answered. Nobody is asked again."""
    if VERIFIER_RECORD not in published.index:
        return None
    from verigate.usecases.ask_verifier import restore_verification  # rare

    return restore_verification(published.read, evidence)


def _restore_baseline(published: Published) -> Baseline | None:
    """Restore the baseline that was in force, as of the day of the run."""
    recorded = published.run["policy"].get("baseline")
    if recorded is None:
        return None
    from verigate.config.baseline import parse_baseline  # rare

    try:
        return parse_baseline(published.read(BASELINE_COPY), recorded["judged_on"])
    except ConfigError as problem:
        raise EvidenceError(f"not verified: {problem}", where=str(published.folder / BASELINE_COPY)) from problem


def _read_verdict(published: Published) -> Verdict:
    try:
        return parse_verdict(published.verdict)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        where = str(published.folder / VERDICT_FILE)
        raise EvidenceError(f"not verified: it is not a verdict ({problem})", where=where) from problem


def find_first_difference(recorded: Any, recomputed: Any, place: str = "") -> Difference | None:
    """Find the first position, members by name, where two JSON values differ."""
    if isinstance(recorded, dict) and isinstance(recomputed, dict):
        for key in sorted({*recorded, *recomputed}):
            inner = f"{place}/{escape(key)}"
            if key not in recorded or key not in recomputed:
                return Difference(inner, recorded.get(key), recomputed.get(key))
            if (found := find_first_difference(recorded[key], recomputed[key], inner)) is not None:
                return found
        return None
    if isinstance(recorded, list) and isinstance(recomputed, list) and len(recorded) == len(recomputed):
        for index, (left, right) in enumerate(zip(recorded, recomputed, strict=True)):
            if (found := find_first_difference(left, right, f"{place}/{index}")) is not None:
                return found
        return None
    same = recorded == recomputed and isinstance(recorded, bool) == isinstance(recomputed, bool)
    return None if same else Difference(place, recorded, recomputed)
