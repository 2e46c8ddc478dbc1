"""What a file pins: a dependency, a runtime that is supported, or the project's own version."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Role = Literal["dependency", "runtime", "own"]


@dataclass(frozen=True, slots=True)
class Pin:
    """``version`` is as it is written, with its operators; empty where none is.

    ``role`` says what ``name`` is: a dependency, a runtime such as ``python`` on which the project runs, or the project
    itself. ``remark`` is the version that a comment next to an exact pin names, which nothing proves.
    """

    ecosystem: str
    name: str
    version: str = ""
    role: Role = "dependency"
    remark: str = ""


Read = Callable[[str], Iterable[Pin]]
"""Read the pins of a file's text. Raises ValueError, KeyError, TypeError or AttributeError for another document."""

_OPERATORS = re.compile(r"^[\s^~=<>!v]+(?=\d)")


def strip_operators(version: str) -> str:
    """Return a version without its leading operators and ``v``: ``^9.0.2`` becomes ``9.0.2``."""
    return _OPERATORS.sub("", version.strip())
