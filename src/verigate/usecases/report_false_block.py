"""Report that a verdict blocked what should have passed. The verdict stays as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from verigate.config.approval_files import show_line
from verigate.domain.false_block import MAX_FINDINGS, MAX_NAME, FalseBlock
from verigate.domain.task_folder import VERDICT_FILE
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict, parse_verdict
from verigate.errors import UsageError
from verigate.evidence.false_block_store import add_false_block
from verigate.evidence.store import read_plain
from verigate.formats.near_names import suggest_name
from verigate.usecases.reason_text import check_reason
from verigate.usecases.replay import read_genuine

_PROBLEMS = frozenset({CheckOutcome.REFUTED, CheckOutcome.UNKNOWN, CheckOutcome.ERROR})


def report_false_block(
    root: Path,
    folder: Path,
    environ: Mapping[str, str],
    *,
    findings: Sequence[str],
    reason: str,
    by: str,
    now: str,
) -> tuple[FalseBlock, bool]:
    """Keep a report about the published verdict of the task in ``folder``; return it, and whether it is a new one.

    ``findings`` are ids of checks that held the verdict back; without one all of them are meant. Raises UsageError for
    a verdict that blocked nothing, for findings and a reason that can't be taken; EvidenceError for a broken seal.
    """
    why = check_reason(reason)
    name = by.strip()
    if show_line(name) != name or len(name) > MAX_NAME:
        raise UsageError(f"a name is one line of at most {MAX_NAME} characters", where="--by")
    published = read_genuine(root, folder)
    verdict = parse_verdict(published.verdict)
    if verdict.status is Status.PASS:
        raise UsageError("the verdict is pass: it blocked nothing", where=folder.name)
    chosen = _choose(_find_blocking(verdict), findings)
    codes = dict.fromkeys(check.reason for check in chosen if check.reason)
    report = FalseBlock(
        verdict.task_id,
        f"sha256:{hashlib.sha256(read_plain(folder, VERDICT_FILE)).hexdigest()}",
        verdict.status.value,
        str(verdict.metadata.get("finished") or ""),
        tuple(check.id for check in chosen),
        tuple(codes),
        why,
        name,
        now,
    )
    return report, add_false_block(root, environ, report)


def list_blocking(verdict: Verdict) -> tuple[str, ...]:
    """List the ids of the checks that hold a verdict back."""
    return tuple(_find_blocking(verdict))


def _find_blocking(verdict: Verdict) -> dict[str, Check]:
    return {check.id: check for check in verdict.checks if check.holds_back and check.outcome in _PROBLEMS}


def _choose(blocking: Mapping[str, Check], findings: Sequence[str]) -> list[Check]:
    for name in findings:
        if name not in blocking:
            hint = suggest_name(name, blocking) or "`gate show` lists what held the verdict back"
            raise UsageError(f"no check {show_line(name[:100])} held the verdict back", where="--finding", hint=hint)
    chosen = [blocking[name] for name in dict.fromkeys(findings)] or list(blocking.values())
    if len(chosen) > MAX_FINDINGS:
        hint = f"name at most {MAX_FINDINGS} with --finding"
        raise UsageError(f"{len(chosen):,} checks held the verdict back", where="--finding", hint=hint)
    return chosen
