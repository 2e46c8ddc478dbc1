"""Say which submodules a change moves: what their new commits hold is another repository's, and wasn't looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.verdict import Verdict

_SHOWN = 20
_SHORT = 12


def summarise_submodules(verdict: Verdict) -> tuple[str, ...]:
    """Return a sentence for each submodule whose commit differs. The verdict may be one that was edited."""
    moves = verdict.subject.get("submodules")
    listed = [item for item in moves if isinstance(item, Mapping)] if isinstance(moves, list) else []
    more = (f"{len(listed) - _SHOWN} more submodules moved",) if len(listed) > _SHOWN else ()
    return (*map(_describe, listed[:_SHOWN]), *more)


def _describe(move: Mapping[str, Any]) -> str:
    path, before, after = move.get("path"), move.get("base"), move.get("subject")
    if not after:
        return f"submodule {path} is gone, it was at {str(before)[:_SHORT]}"
    came = f"moved from {str(before)[:_SHORT]}" if before else "is new, and stands at"
    end = f"to {str(after)[:_SHORT]}" if before else str(after)[:_SHORT]
    return f"submodule {path} {came} {end}: what that commit holds was not verified here"
