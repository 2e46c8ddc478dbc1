"""Find what an artifact says about passing: a decision that is the gate's alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from verigate.formats import pointer

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DECISIONS = frozenset({"verdict", "decision", "judgement", "judgment"})
"""Last words of keys that announce a decision wherever they stand."""
_ANSWERS = frozenset(
    {"pass", "passed", "passes", "passing", "fail", "failed", "fails", "failing", "approved", "rejected"}
)
_STATES = frozenset({"status", "state", "result", "outcome", "conclusion", "overall", "gate", "check", "grade"})
_SAID = re.compile(
    r"\W*((all|overall|has|have|is|not|did|tests?|checks?) )*((pass|fail)(ed|es|s|ing)?|approved|rejected)\W*",
    re.IGNORECASE,
)
_MAX_SAID = 40
"""A longer text is prose about something else."""


class FoundVerdict(Struct, frozen=True):
    """Where a value says whether something passes, and what it says."""

    place: str
    text: str


def find_verdict(value: Any) -> FoundVerdict | None:
    """Find the first place that says whether something passes: ``"verdict": "pass"``, ``"passed": true``.

    Counts (``"passed": 3``) are facts. So are the items of an array, which report what a tool said about each of them,
    such as ``{"tests": [{"name": "a", "status": "passed"}]}``, unless a key there is called a verdict.
    """
    if isinstance(value, str):
        return FoundVerdict("", repr(value.strip())) if _says_answer(value) else None
    return next(_search(value, "", inside_items=False), None)


def _search(value: Any, place: str, *, inside_items: bool) -> Iterator[FoundVerdict]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _search(item, f"{place}/{index}", inside_items=True)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            below = f"{place}/{pointer.escape(key)}"
            if _is_decision(key, member, inside_items=inside_items):
                yield FoundVerdict(below, repr(member))
            yield from _search(member, below, inside_items=inside_items)


def _is_decision(key: str, member: Any, *, inside_items: bool) -> bool:
    words = [word.lower() for word in _WORDS.findall(key)]
    last = words[-1] if words else ""
    said = isinstance(member, str) and _says_answer(member)
    if last in _DECISIONS:
        return said or isinstance(member, bool)
    if inside_items:
        return False
    if last in _ANSWERS:
        return said or isinstance(member, bool) or (isinstance(member, str) and member.lower() in {"yes", "no", "true"})
    return last in _STATES and said


def _says_answer(text: str) -> bool:
    return len(text) <= _MAX_SAID and _SAID.fullmatch(text) is not None
