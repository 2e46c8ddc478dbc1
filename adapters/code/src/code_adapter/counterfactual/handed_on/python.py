"""Hand on names from a Python module: when one is asked for that the module doesn't have (PEP 562)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from code_adapter.counterfactual.handed_on.code import Code
    from code_adapter.counterfactual.handed_on.moves import Handed

_HOOK = """

def __getattr__(name, _places={places!r}):
    import importlib

    if name not in _places:
        raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
    level, module = _places[name]
    full = "." * level + module if __package__ else module
    return getattr(importlib.import_module(full, __package__), name)
"""


def hand_on(code: Code, _other: Code, place: str, origins: Mapping[str, Iterable[Handed]]) -> None:
    """Let the module at ``place`` give the names that the modules of ``origins`` define in this version."""
    source = code.read(place)
    if (source is None and not code.can_add(place)) or b"__getattr__" in (source or b""):
        return
    places: dict[str, tuple[int, str]] = {}
    for origin, handed in origins.items():
        level, module = _find_relative(place, origin)
        places |= {each.symbol.name: (level, module) for each in handed}
    code.append(place, _HOOK.format(places=dict(sorted(places.items()))))


def _find_relative(place: str, origin: str) -> tuple[int, str]:
    """Return the dots of a relative import, and what follows them."""
    steps = posixpath.relpath(posixpath.splitext(origin)[0], posixpath.dirname(place) or ".").split("/")
    up = steps.count("..")
    names = [step for step in steps[up:] if step != "__init__"]
    return up + 1, ".".join(names)
