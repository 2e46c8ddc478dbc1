"""Whether a verdict lacks nothing but disclosures, which the message of the commit can still bring."""

from __future__ import annotations

from msgspec.structs import replace

from verigate.domain.evidence_weakenings import list_compared
from verigate.domain.facts import Facts
from verigate.domain.verdict import Status
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source
from verigate.gate.decision import decide_verdict

_REASON = "the message isn't written yet"


def passes_once_disclosed(facts: Facts) -> bool:
    """Whether the same facts pass if the message discloses every weakening that its hook can see.

    Tests that no longer run are seen where the suite runs alone.

    Decided by the gate itself: what a profile refuses, what tampers, and statements that rest on a weakened check
    are in the way of it as they would be with the message.
    """
    known = facts.disclosed or DisclosureFacts()
    lines = tuple(
        Disclosure(each.kind, each.target, each.id, _REASON, Source.COMMIT, "commit message")
        for each in dict.fromkeys(list_compared(facts.evidence))
    )
    disclosed = replace(known, disclosures=(*known.disclosures, *lines))
    return decide_verdict(replace(facts, disclosed=disclosed)).status is Status.PASS
