"""Group checks for readers: by domain, problems first."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from verigate.domain.standard_artifacts import DOMAINS
from verigate.domain.verdict import Check, CheckOutcome

CAPABILITIES = "capability"
UNITS = "unit"

_URGENCY = {
    CheckOutcome.ERROR: 0,
    CheckOutcome.REFUTED: 1,
    CheckOutcome.UNKNOWN: 2,
    CheckOutcome.HOLDS: 3,
    CheckOutcome.NOT_APPLICABLE: 4,
}


class Group(Struct, frozen=True):
    """Checks with the same ``name``, the part of their ids before the first ``.`` or ``:``."""

    name: str
    checks: tuple[Check, ...]

    @property
    def problems(self) -> tuple[Check, ...]:
        """The checks that are in error, refuted or unknown, in this order."""
        return tuple(check for check in self.checks if is_problem(check))


def is_problem(check: Check) -> bool:
    """Whether this check is refuted, unknown or in error."""
    return check.outcome in {CheckOutcome.REFUTED, CheckOutcome.UNKNOWN, CheckOutcome.ERROR}


def group_name(check_id: str) -> str:
    """The group of a check id: ``code`` for ``code.tests_pass``, ``unit`` for ``unit:func:add``."""
    return check_id.split(":", 1)[0].split(".", 1)[0]


def short_name(check_id: str) -> str:
    """The check id without its group."""
    return check_id[len(group_name(check_id)) + 1 :] or check_id


def group_checks(checks: Iterable[Check]) -> tuple[Group, ...]:
    """Group checks in a fixed order: capabilities, built-in domains, others by name, units last."""
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(group_name(check.id), []).append(check)
    order = {name: number for number, name in enumerate((CAPABILITIES, *DOMAINS))}
    names = sorted(found, key=lambda name: (name == UNITS, order.get(name, len(order)), name))
    return tuple(
        Group(name, tuple(sorted(found[name], key=lambda check: (_URGENCY[check.outcome], not check.holds_back))))
        for name in names
    )
