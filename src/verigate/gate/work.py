"""Whether there is work at all for a task about code that claims some: what the commitment asks for has changed."""

from __future__ import annotations

from collections.abc import Iterable

from verigate.domain.facts import Facts
from verigate.domain.scope_paths import named_by
from verigate.domain.standard_artifacts import COMPARES
from verigate.domain.task import UNKNOWN_TASK_TYPE
from verigate.domain.verdict import Check, CheckOutcome

_ID = "claim.work"
_EXPECTED = "what the task is about has changed"
_SHOWN = 5


def check_work(facts: Facts) -> Iterable[Check]:
    """Check that something changed, and each file that the commitment names, for a task of code with a claim.

    Tasks about what is there already, such as links or a service, need no change; a plain folder has no base.
    """
    if facts.task.implicit or facts.task.claim is None or not _is_about_code(facts) or facts.subject.base is None:
        return
    changes = facts.subject.changes
    if not changes:
        message = f"a task of type {facts.task.type} claims work, and nothing has changed since its base"
        yield Check(_ID, CheckOutcome.REFUTED, _EXPECTED, 0, "MISSING_UNIT", message)
        return
    files = facts.task.commitment.scope.files
    missing = [name for name in files if not any(map(named_by((name,), None), (each.path for each in changes)))]
    if missing:
        message = f"committed to, and as in the base: {', '.join(missing[:_SHOWN])}"
        yield Check(_ID, CheckOutcome.REFUTED, _EXPECTED, len(changes), "MISSING_UNIT", message)
    else:
        yield Check(_ID, CheckOutcome.HOLDS, _EXPECTED, len(changes))


def _is_about_code(facts: Facts) -> bool:
    """Whether the type's plan compares code, and does nothing else: a suite that is to be run needs no change."""
    order = facts.plan.entry.order
    named = facts.task.type != UNKNOWN_TASK_TYPE
    return named and COMPARES in order and all(name.startswith("code:") for name in order)
