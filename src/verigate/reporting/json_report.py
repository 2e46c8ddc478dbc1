"""A verdict as its own JSON document (``verigate:verdict.v1``)."""

from __future__ import annotations

import json

from verigate.domain.verdict import Verdict


def render(verdict: Verdict) -> str:
    """The verdict document, indented, keys sorted, ending in a newline.

    Pure ASCII: whatever was in a name or a message stays exactly readable by machines and can't act on a terminal.
    Raises ValueError for a value that JSON doesn't have (NaN, infinity).
    """
    return json.dumps(verdict.document(), indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n"
