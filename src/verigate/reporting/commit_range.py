"""Render the verdicts of the commits of a range, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.domain.commit_verdict import CommitVerdict, find_worst
from verigate.domain.verdict import Verdict
from verigate.reporting.escape import escape
from verigate.reporting.outcome_style import STATUS_STYLE
from verigate.reporting.palette import Palette
from verigate.subject.merges import Merge

RANGE_SCHEMA = "verigate:range-report.v1"
_NEVER = " (never verified before)"
_SHORT, _MOST, _REASONS = 10, 160, 3


def render_commit(each: CommitVerdict, *, colour: bool = False) -> str:
    """Render one commit: its status, id and subject, and the first reasons where it is no pass."""
    palette = Palette(colour)
    status = palette.paint(f"{each.status.value.upper():<12}", *STATUS_STYLE[each.status])
    lines = [
        f"{status} {each.commit.id[:_SHORT]} {escape(each.subject, limit=_MOST)}{_NEVER if each.never_verified else ''}"
    ]
    lines += [f"{'':<13}{escape(reason, limit=_MOST)}" for reason in _list_reasons(each)[:_REASONS]]
    return "\n".join(lines)


def render_merges(merges: Sequence[Merge]) -> str:
    """Say which commits were verified as a part of the whole alone."""
    own = [each.id[:_SHORT] for each in merges if not each.is_plain]
    more = f", and {len(own) - _REASONS} more" if len(own) > _REASONS else ""
    said = f"; changes of their own: {', '.join(own[:_REASONS])}{more}" if own else ""
    return f"{'-':<12} {len(merges)} {'merge' if len(merges) == 1 else 'merges'}, as part of the whole alone{said}"


def range_document(
    commits: Sequence[CommitVerdict], whole: Verdict | None, merges: Sequence[Merge] = ()
) -> dict[str, Any]:
    """Return the JSON document of ``gate verify --range --json``."""
    statuses = [*(each.status for each in commits), *(() if whole is None else (whole.status,))]
    return {
        "schema": RANGE_SCHEMA,
        "status": find_worst(statuses).value,
        "commits": [
            {
                "commit": each.commit.id,
                "subject": each.subject,
                "task_id": each.verdict.task_id if each.verdict is not None else None,
                "status": each.status.value,
                "never_verified": each.never_verified,
                "reasons": _list_reasons(each),
            }
            for each in commits
        ],
        "merges": [{"commit": each.id, "own_changes": not each.is_plain} for each in merges],
        "whole": whole.document() if whole is not None else None,
    }


def _list_reasons(each: CommitVerdict) -> list[str]:
    if each.problem:
        return [each.problem]
    return [f"{reason.code}: {reason.message}" for reason in (each.verdict.reasons if each.verdict is not None else ())]
