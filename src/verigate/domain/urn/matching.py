"""Match URNs against a pattern, and compute their specificity."""

from __future__ import annotations

from verigate.domain.urn.form import ABSENT, covers
from verigate.domain.urn.tagged import TaggedUrn


def matches(pattern: TaggedUrn, instance: TaggedUrn) -> bool:
    """Whether ``pattern`` matches ``instance``. Keys that only the instance has don't matter."""
    if pattern.prefix != instance.prefix:
        return False
    return all(covers(form, instance.form(key) or ABSENT) for key, form in pattern.tags)


def compute_specificity(urn: TaggedUrn) -> int:
    """Add up the keys: ``?x`` 0, ``x?=v`` 1, ``x`` 2, ``x!=v`` 3, ``x=v`` 4, ``!x`` 5."""
    return sum(form.kind.value for _, form in urn.tags)
