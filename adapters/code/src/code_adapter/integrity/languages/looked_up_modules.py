"""Modules that are looked up by their name, whose parts are then nobody's by the name that they were imported under."""

from __future__ import annotations

import re
from collections.abc import Iterator

LOOKED_UP = (
    r"(?<![\w.])(?:(?:sys\.)?modules(?:\[[^\]\n]*\]|\.get\([^()\n]*\))|"
    r"(?:importlib\.)?import_module\([^()\n]*\)|__import__\([^()\n]*\))"
)
"""A module by its name."""

_NAMES_MODULE = re.compile(rf"(?<![\w.])(\w+)\s*:?=\s*{LOOKED_UP}")
_IMPORTS_RUNNER = re.compile(
    r"^[ \t]*(?:import[ \t]+_?pytest[\w.]*[ \t]+as[ \t]+(\w+)|from[ \t]+_pytest[\w.]*[ \t]+import[ \t]+\(?([\w, \t]+))",
    re.MULTILINE,
)


def find_under_other_names(source: str) -> Iterator[re.Match[str]]:
    """Find assignments to parts of pytest, and of modules that were looked up, by the names that they were given."""
    names: set[str] = set(_NAMES_MODULE.findall(source))
    for alias, several in _IMPORTS_RUNNER.findall(source):
        names |= {alias} if alias else {item.split()[-1] for item in several.split(",") if item.strip()}
    if names:
        known = "|".join(sorted(names))
        yield from re.finditer(rf"(?<![\w.])(?:{known})(?:\.\w+)+\s*=[^=]|(?<![\w.])setattr\(\s*(?:{known})\b", source)
