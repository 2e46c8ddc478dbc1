"""Check what the messages of commits say, where there is no task: each by the facts of its own diff."""

from __future__ import annotations

from collections.abc import Iterable

from verigate.domain.facts import Facts
from verigate.domain.ledger import LedgerEntry, LedgerStatement, Standing
from verigate.domain.verdict import Check, CheckOutcome

CHECK_ID = "gate.messages"
_EXPECTED = "no commit says what it doesn't do"
_MOST_SHOWN = 5


def check_messages(facts: Facts) -> Iterable[Check]:
    """Check the messages together. It is reported, and decides where the profile requires statements.

    What no fact decides holds nothing back: most of what commits say is about behaviour.
    """
    if not facts.messages:
        return
    decides = facts.profile.rules.get("statements") == "require"
    counts = {standing.value: 0 for standing in Standing}
    for entry in facts.messages:
        for each in entry.statements:
            counts[each.standing.value] += 1
    refuted = [(entry, each) for entry in facts.messages for each in entry.statements if _is_refuted(each)]
    if refuted:
        shown = "; ".join(_describe(entry, each) for entry, each in refuted[:_MOST_SHOWN])
        more = f"; and {len(refuted) - _MOST_SHOWN} more" if len(refuted) > _MOST_SHOWN else ""
        yield Check(
            CHECK_ID,
            CheckOutcome.REFUTED,
            _EXPECTED,
            counts,
            "CLAIM_REFUTED",
            f"{shown}{more}; reword it, or add `Corrects: COMMIT what is so` to a later message",
            holds_back=decides,
        )
    elif counts[Standing.HOLDS]:
        yield Check(CHECK_ID, CheckOutcome.HOLDS, _EXPECTED, counts, message="")
    else:
        yield Check(CHECK_ID, CheckOutcome.NOT_APPLICABLE, _EXPECTED, counts, message="no fact of a diff decides them")


def _is_refuted(each: LedgerStatement) -> bool:
    return each.standing is Standing.REFUTED


def _describe(entry: LedgerEntry, each: LedgerStatement) -> str:
    return f"{entry.name}: {each.message}"
