"""What changed in the configuration of a hook runner, and the values that both comparisons read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

Table = Mapping[str, Any]

_GATE = re.compile(r"\bgate['\"]?\s+(?:git-hook|verify)\b|\bverigate\b|\bgate-(?:verify|trailer)\b")


MAX_HOOKS = 1000
"""Most hooks of a configuration that is compared."""


class UnknownSettingsError(ValueError):
    """A configuration isn't one that its runner is known to read."""


class HookChange(Struct, frozen=True):
    """One change. ``judges``: whoever reviews the judges decides; otherwise it is a weakening.

    ``base`` and ``head`` are the texts of what changed, None where it isn't there. ``gone`` is the id of a hook that is
    gone. ``repinned``: the same hooks come from another commit, of which nobody here knows whether it is later.
    """

    judges: bool
    what: str
    base: str | None = None
    head: str | None = None
    gone: str | None = None
    repinned: bool = False


def refuse(what: str) -> HookChange:
    """Make a change that is for whoever reviews the judges."""
    return HookChange(judges=True, what=what)


def weaken(what: str, base: object, head: object, *, gone: str | None = None) -> HookChange:
    """Make a weakening of ``base`` to ``head``; None for what isn't there."""
    return HookChange(judges=False, what=what, base=_render(base), head=_render(head), gone=gone)


def repin(what: str, base: object, head: object) -> HookChange:
    """Make a weakening: a repository of hooks is pinned to another commit."""
    return HookChange(judges=False, what=what, base=_render(base), head=_render(head), repinned=True)


def calls_gate(value: object) -> bool:
    """Whether a hook, or anything else of a document, calls the gate."""
    return _GATE.search(_render(value) or "") is not None


def _render(value: object) -> str | None:
    return None if value is None else json.dumps(value, sort_keys=True, default=str)
