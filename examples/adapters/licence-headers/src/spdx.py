# SPDX-License-Identifier: Apache-2.0
"""Licences as source files name them: https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_TAG = re.compile(r"SPDX-License-Identifier:\s*([A-Za-z0-9.+()\- ]+)")
_WORD = re.compile(r"[A-Za-z0-9.+-]+")


def licence_in(lines: Iterable[str]) -> str | None:
    """The first SPDX expression in ``lines``, with single blanks; None where there is none."""
    for line in lines:
        if found := _TAG.search(line):
            # What closes a comment is no part of it.
            expression = " ".join(found[1].split()).removesuffix(" --").removesuffix("--").strip()
            if expression:
                return expression
    return None


def refused_part(expression: str, accepted: Collection[str]) -> str | None:
    """An identifier of ``expression`` that isn't accepted, None if it can be used.

    Of ``A OR B`` one is enough, of ``A AND B`` both are needed; an exception (WITH) changes nothing.
    """
    choices = re.split(r"\bOR\b", expression) if "(" not in expression else [expression]
    refusals = [_refused(choice, accepted) for choice in choices]
    return None if None in refusals else refusals[0]


def _refused(choice: str, accepted: Collection[str]) -> str | None:
    words = _WORD.findall(re.sub(r"\bWITH\s+\S+", "", choice))
    return next((word for word in words if word not in {"AND", "OR"} and word not in accepted), None)
