"""Judge the message of a turn in which no file changed: it may still claim work, or results.

What earlier turns of the session did counts, so that a summary of it holds. Only what facts contradict keeps the agent
at work; an answer to a question claims nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from verigate.integrations.agents.judged import Judged
from verigate.integrations.agents.statements import find_claimed_work, states_facts

_STATEMENT = "unit:statement:"
_SHOWN = 200


def judge_idle(
    message: str, verify: Callable[[], Judged], *, is_empty: bool, elsewhere: tuple[str, ...]
) -> Judged | None:
    """Return what contradicts ``message``; None where nothing does.

    ``verify`` verifies the session's work so far with the message as its claim; ``is_empty`` is whether there is any;
    ``elsewhere`` names branches and stashes that the turn left work on.
    """
    work = find_claimed_work(message) if is_empty else None
    if work is not None:
        where = f"; what is on {', '.join(elsewhere)} isn't in the working tree, and not verified" if elsewhere else ""
        why = f"no file has changed since the session began, and the message says: {work[:_SHOWN]}{where}"
        problem = {"check": "claim.work", "code": "MISSING_UNIT", "message": why}
        return Judged(False, f"verigate: FAIL: {why}\nIf nothing was to be changed, say so.", (problem,))
    if not states_facts(message):
        return None
    judged = verify()
    refuted = [item for item in judged.refuted if item["check"].startswith(_STATEMENT)]
    if judged.passed or not any(item["code"] == "CLAIM_REFUTED" for item in refuted):
        return None
    return judged
