"""Explain the class of a test in counterfactual.json: what the runs of its two forms say."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from verigate.reporting.layout import MIN_WIDTH, wrap
from verigate.reporting.palette import Palette

CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "flaky": "It passes in one run and fails in another one of the same code.",
        "broken": "It fails on the code of the change.",
        "broken_before": "It is unchanged and fails, and failed on the code before the change as well.",
        "not_run": "It ran neither before the change nor after it.",
        "proven": "It passes now, and fails on the code before the change.",
        "added": "It is new, and can't be imported or compiled with the code before the change.",
        "unproven": "It is new, and passes on the code before the change as well.",
        "lost": "It ran before the change, and doesn't run any more.",
        "not_comparable": "One of its forms can't be imported, compiled or set up with the code of the other "
        "version, so that runs say nothing of what it still checks.",
        "kept": "As it was before the change, it passes on the new code too.",
        "blinded": "The code is fixed, but the edited test would have passed on the broken code as well.",
        "fixed": "It failed before the change, and passes now as it was.",
        "greened": "It failed before the change, still fails as it was, and was edited until it passed.",
        "loosened": "As it was before the change it fails on the new code; as it is now it passes on both.",
        "followed": "As it was before the change it fails on the new code, and as it is now on the old one: what it "
        "expects changed together with the code.",
    }
)
"""The classes of ``code:counterfactual``, in the order of docs/counterfactual.md."""

CELLS = (
    "The test is run in four ways, BB, HB, BH and HH: the first letter is the code, the second is the form of the"
    " test, B before the change and H after it. So HB is the old test on the new code. Each way has one letter "
    "for each run: P passed, F failed, X can't be imported or compiled, N isn't there or is skipped."
)


def describe_class(name: str) -> dict[str, Any]:
    """Return what a class means, as JSON. Raises KeyError for one that there isn't."""
    return {"schema": "verigate:test-class.v1", "class": name, "meaning": CLASSES[name], "cells": CELLS}


def render_class(name: str, *, colour: bool = False, width: int = 100) -> str:
    """Render what a class means as text. Raises KeyError for one that there isn't."""
    palette, width = Palette(colour), max(width, MIN_WIDTH)
    lines = [f"{palette.paint(name, 'bold')}  class of a test in counterfactual.json"]
    for text in (CLASSES[name], CELLS):
        lines += wrap(text, width, indent="  ", first="  ")
    return "\n".join(lines) + "\n"
