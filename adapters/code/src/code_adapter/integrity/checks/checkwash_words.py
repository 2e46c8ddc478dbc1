"""Put checkwash's measures of an assertion into words: ``EXACT_VALUE(90) -> TRUTHY(20)`` says nothing to its reader.

Source: SPEC.md of checkwash, section 3, the lattice of strengths.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_CHECKED: Mapping[str, str] = {
    "EXACT_STRUCT": "an exact structure",
    "EXACT_VALUE": "an exact value",
    "APPROX": "an approximate value",
    "PATTERN": "a pattern",
    "TYPE_SHAPE": "a type or a shape",
    "BOUND": "a bound",
    "NON_NULL": "that there is a value",
    "TRUTHY": "that a value counts as true",
    "TAUTOLOGY": "what always holds",
    "REMOVED": "nothing",
}
"""What an assertion of each strength checks."""

_UNSURE = (
    "checkwash cannot verify the replacement is equivalent",
    "the original assertion is gone and the strength lattice cannot see it",
)
_DROP = re.compile(
    r"(?P<lead>: assertion strength|; strength) (?P<old>[A-Z_]+)\(\d+\) -> (?P<new>[A-Z_]+)\(\d+\)(?=\Z)"
)


def describe_strengths(message: str) -> str:
    """Describe the strengths that end a message of checkwash; one that names others stays as it is."""
    for words in _UNSURE:
        message = message.replace(words, "nothing shows that the new one checks as much")
    return _DROP.sub(_describe, message)


def _describe(drop: re.Match[str]) -> str:
    old, new = _CHECKED.get(drop["old"]), _CHECKED.get(drop["new"])
    if old is None or new is None:
        return drop[0]
    lead = ": the assertion" if drop["lead"].startswith(":") else "; it"
    return f"{lead} checked {old}, and now checks only {new}"
