"""The six forms that a key of a tagged URN can have, and when one form covers another.

Source: the facts on tagged URNs of the third source document. Each form stands for the states of a key that it
allows: absent, present with one value, present with any other. One form covers another if it allows all that it does.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct


class FormKind(IntEnum):
    """The six forms; the number is the specificity."""

    FREE = 0
    """``?x``: no constraint."""
    ABSENT_OR_NOT = 1
    """``x?=v``, also written ``?x=v``."""
    PRESENT = 2
    """``x``, also written ``x=*``."""
    PRESENT_AND_NOT = 3
    """``x!=v``, also written ``!x=v``."""
    EXACT = 4
    """``x=v``."""
    ABSENT = 5
    """``!x``."""


class Form(Struct, frozen=True):
    """One form. ``value`` is "" where the form names none."""

    kind: FormKind
    value: str = ""


FREE = Form(FormKind.FREE)
ABSENT = Form(FormKind.ABSENT)


_MAY_BE_ABSENT = frozenset({FormKind.FREE, FormKind.ABSENT_OR_NOT, FormKind.ABSENT})
_ANY_VALUE = frozenset({FormKind.FREE, FormKind.PRESENT})
_OTHER_VALUES = frozenset({FormKind.ABSENT_OR_NOT, FormKind.PRESENT_AND_NOT})


def covers(pattern: Form, instance: Form) -> bool:
    """Whether every state that ``instance`` allows is one that ``pattern`` allows.

    For an instance that says what is (``x=v``, or nothing about x, which is ``ABSENT``) this is the table of the facts.
    """
    if instance.kind in _MAY_BE_ABSENT and pattern.kind not in _MAY_BE_ABSENT:
        return False
    if instance.kind is FormKind.ABSENT or pattern.kind in _ANY_VALUE:
        return True
    same = pattern.value == instance.value
    if instance.kind is FormKind.EXACT:
        return same if pattern.kind is FormKind.EXACT else pattern.kind in _OTHER_VALUES and not same
    return pattern.kind in _OTHER_VALUES and instance.kind in _OTHER_VALUES and same
