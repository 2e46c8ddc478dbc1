"""Judge the message of a turn in which no file changed: it may still claim work, or results.

What earlier turns of the session did counts, so that a summary of it holds. Only what facts contradict keeps the agent
at work; an answer to a question claims nothing. What may be a claim and can't be read is named to the person.
"""

from __future__ import annotations

from collections.abc import Callable

from verigate.formats.visible import escape_invisible
from verigate.integrations.agents.judged import NO_VERDICT, Judged
from verigate.integrations.agents.statements import find_claimed_work, find_unread_claim, states_facts

_STATEMENT = "unit:statement:"
_SHOWN = 200
_UNDECIDED = "no rule or fact decides: "


def judge_idle(message: str, verify: Callable[[], Judged], *, is_empty: bool, elsewhere: tuple[str, ...]) -> Judged:
    """Return what contradicts ``message``. Where nothing does it is passed, and ``reason`` is for the person, if any.

    ``verify`` verifies the session's work so far with the message as its claim; ``is_empty`` is whether there is any;
    ``elsewhere`` names branches and stashes that the turn left work on.
    """
    work = find_claimed_work(message) if is_empty else None
    if work is not None:
        where = f"; what is on {', '.join(elsewhere)} isn't in the working tree, and not verified" if elsewhere else ""
        why = f"no file has changed since the session began, and the message says: {work[:_SHOWN]}{where}"
        problem = {"check": "claim.work", "code": "MISSING_UNIT", "message": why}
        return Judged(False, f"verigate: FAIL: {why}\nIf nothing was to be changed, say so.", (problem,))
    open_ones: list[str] = []
    if states_facts(message):
        judged = verify()
        refuted = [item for item in judged.refuted if item["check"].startswith(_STATEMENT)]
        if not judged.passed and any(item["code"] == "CLAIM_REFUTED" for item in refuted):
            return judged
        open_ones = list(judged.undecided)
        if any(item["check"] == NO_VERDICT for item in judged.refuted):
            open_ones = [message]
    unread = find_unread_claim(message)
    shown = unread if unread is not None else next(iter(open_ones), "")
    if not shown:
        return Judged(passed=True)
    line = escape_invisible(" ".join(shown.removeprefix(_UNDECIDED)[:_SHOWN].split()))
    others = f" (and {len(open_ones) - 1} more)" if unread is None and len(open_ones) > 1 else ""
    return Judged(passed=True, reason=f"verigate: no file changed in this turn, and no fact decides: {line}{others}")
