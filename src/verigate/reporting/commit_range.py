"""Render the verdicts of the commits of a range, a line each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import orjson

from verigate.domain.commit_verdict import CommitVerdict, find_worst
from verigate.domain.range_shard import RangeVerdicts
from verigate.domain.verdict import Status, Verdict
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


def find_worst_of_range(found: RangeVerdicts) -> Status:
    """Return the most severe status of the commits and of the whole; a whole that has a problem is an error."""
    whole = [Status.ERROR] if found.whole_problem else [] if found.whole is None else [found.whole.status]
    return find_worst([*(each.status for each in found.commits), *whole])


def render_difference(found: RangeVerdicts, *, colour: bool = False) -> str | None:
    """Say that commits are worse than the whole, whose report would otherwise be the last word; None if none is."""
    worst = find_worst([each.status for each in found.commits])
    if found.whole is None or not found.commits or find_worst([worst, found.whole.status]) is found.whole.status:
        return None
    own = [each.commit.id[:_SHORT] for each in found.commits if each.status is worst]
    more = f" and {len(own) - _REASONS} more" if len(own) > _REASONS else ""
    status = Palette(colour).paint(f"{worst.value.upper():<12}", *STATUS_STYLE[worst])
    whole = found.whole.status.value.upper()
    return f"{status} the range, because of {', '.join(own[:_REASONS])}{more}; as a whole it is {whole}"


def range_document(found: RangeVerdicts, merges: Sequence[Merge] = ()) -> dict[str, Any]:
    """Return the JSON document of ``gate verify --range --json``."""
    return {
        "schema": RANGE_SCHEMA,
        "status": find_worst_of_range(found).value,
        "commits": [
            {
                "commit": each.commit.id,
                "subject": each.subject,
                "task_id": each.verdict.task_id if each.verdict is not None else None,
                "status": each.status.value,
                "never_verified": each.never_verified,
                "reasons": _list_reasons(each),
                "verdict_sha256": digest_verdict(each.verdict),
            }
            for each in found.commits
        ],
        "merges": describe_merges(merges),
        "whole": found.whole.document() if found.whole is not None else None,
        **({"whole_problem": found.whole_problem} if found.whole_problem else {}),
    }


def describe_merges(merges: Sequence[Merge]) -> list[dict[str, Any]]:
    """Return the merges as documents have them."""
    return [{"commit": each.id, "own_changes": not each.is_plain} for each in merges]


def digest_verdict(verdict: Verdict | None) -> str | None:
    """Return the sha256 of verdict.json without ``metadata``, keys sorted and no blanks, in hex; None without one.

    Two verifications of one subject by one policy have the same, whatever ran them.
    """
    if verdict is None:
        return None
    document = {key: value for key, value in verdict.document().items() if key != "metadata"}
    return hashlib.sha256(orjson.dumps(document, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _list_reasons(each: CommitVerdict) -> list[str]:
    if each.problem:
        return [each.problem]
    return [f"{reason.code}: {reason.message}" for reason in (each.verdict.reasons if each.verdict is not None else ())]
