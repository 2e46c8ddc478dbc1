"""Say what the message of a commit must disclose, or has disclosed: for git's hooks, in a few lines of text."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from verigate.domain.verdict import CheckOutcome, Verdict
from verigate.reporting.escape import escape
from verigate.reporting.weakenings import WeakeningLine, list_notices, list_weakenings, summarise_weakenings

MAX_SHOWN = 100
"""Weakenings that are listed: each needs its line."""

_RESTORE = "restore the check"
_SHOWN_CHECKS = ("code.integrity", "capability:code:integrity", "capability:code:counterfactual")


def render_left_to_message(verdict: Verdict, *, amends: bool = False) -> str:
    """Render what the hook pre-commit leaves to the message.

    ``amends``: of the commit as a whole the ids may be others, so no lines are shown.
    """
    found = [each for each in list_weakenings(verdict) if each.line]
    if amends:
        return f"verigate: {_count(len(found))} left to the commit message, by which the whole commit is judged"
    head = (
        f"verigate: {_count(len(found))} left to the commit message: {_RESTORE}, or put a line for each into it, with"
    )
    return "\n".join((f"{head} a reason in place of …", *_list(found)))


def render_refused(verdict: Verdict, again: str, places: Collection[tuple[str, str, str | None]] | None = None) -> str:
    """Render why a commit can't be made with this message. ``again`` is the command that edits it once more.

    Only weakenings at ``places`` (kind, path, test) are shown; None: all.
    """
    found = [each for each in list_weakenings(verdict, places) if each.word == "open"]
    lines = [f"verigate: not committed: {_count(len(found))} not accounted for"] if found else []
    others = [
        f"verigate: not committed: {escape(check.message, limit=1000)}"
        for check in verdict.checks
        if check.outcome in {CheckOutcome.REFUTED, CheckOutcome.ERROR, CheckOutcome.UNKNOWN}
        and check.id in _SHOWN_CHECKS
        and (not found or check.outcome is not CheckOutcome.REFUTED)
    ]
    lines += [*_list(found), *others, *(f"  {notice}" for notice in list_notices(verdict))]
    if any(each.line for each in found):
        lines.append(f"verigate: {_RESTORE}, or put the lines into the message, with a reason in place of …: {again}")
    else:
        lines.append(f"verigate: {_RESTORE}: nothing that the message says accounts for it")
    return "\n".join(lines)


def render_refuted_message(reasons: Collection[str], again: str) -> str:
    """Render what a message says that the commit doesn't do. ``again`` edits it once more; "": it only is reported."""
    head = "verigate: not committed: the message says" if again else "verigate: the message says"
    shown = [f"  {escape(each, limit=600)}" for each in list(reasons)[:MAX_SHOWN]]
    reported = "reword it with git commit --amend; this is only reported, unless the profile has statements: require"
    tail = f"verigate: {f'reword it: {again}' if again else reported}"
    return "\n".join((f"{head} what the commit doesn't do", *shown, tail))


def render_accounted(verdict: Verdict) -> str:
    """Render what is weaker than before though the commit can be made; "" if nothing is."""
    summary = summarise_weakenings(verdict)
    return f"verigate: {summary}" if summary else ""


def _count(number: int) -> str:
    return f"{number} {'weakening is' if number == 1 else 'weakenings are'}"


def _list(found: list[WeakeningLine]) -> Iterator[str]:
    for each in found[:MAX_SHOWN]:
        yield f"  {each.text}"
        if each.line:
            yield f"      {each.line}"
    if len(found) > MAX_SHOWN:
        yield f"  … and {len(found) - MAX_SHOWN} more"
