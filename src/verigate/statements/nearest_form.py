"""Suggest a form that is read for a sentence that isn't: the one of a fixed table with whose words it shares most."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import Stemmer
from msgspec import Struct

from verigate.statements.markup import strip_quotations

_LONGEST = 300
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_ONLY = "only just merely purely nothing solely"
_NONE = "no not none never without nothing neither"
_ADD = "add added new introduce implement create write wrote"


class _Form(Struct, frozen=True):
    """A sentence that is read, the unit that says the same, and groups of words of which each must occur."""

    sentence: str
    unit: str
    groups: tuple[str, ...]


_FORMS = (
    _Form("`test_x` is the regression test.", "fix:TEST", ("regression", "test")),
    _Form("Changed the expected values of `test_x`.", "", ("expect expected expectation", "test")),
    _Form("Made `test_x` stricter.", "", ("strict stricter tighter tighten harden", "test")),
    _Form("Parametrised the tests.", "", ("parametrise parametrize parameterise parameterize", "test")),
    _Form("No tests were weakened.", "", (_NONE, "weak weaken loosen relax loosened weaker", "test assertion check")),
    _Form("Only tests were changed.", "", (_ONLY, "test", "change touch edit modify update")),
    _Form("Only comments were changed.", "", (_ONLY, "comment docstring")),
    _Form("This is a docs-only change.", "", (_ONLY, "docs doc documentation readme changelog guide")),
    _Form("No production code was changed.", "", (_NONE, "code production source", "change touch edit modify update")),
    _Form("No behaviour change.", "", ("behaviour behavior", f"{_NONE} same identical unchanged preserve keep")),
    _Form("Fixed a typo in README.md.", "file:PATH", ("typo misspelling spelling",)),
    _Form("Fixed a bug in `f()`.", "fix:TEST", ("fix correct repair resolve", "bug defect crash regression")),
    _Form("Renamed `a` to `b`.", "func:NAME", ("rename",)),
    _Form("Moved `a` to `b.py`.", "func:NAME", ("move relocate", "function class method file module helper")),
    _Form("Refactored `f()`.", "func:NAME", ("refactor restructure simplify",)),
    _Form("Added tests for `f()`.", "", ("test", f"{_ADD} cover")),
    _Form("Added the function `f()`.", "func:NAME", (_ADD, "function method class helper")),
    _Form("Added `a.py`.", "file:PATH", (_ADD, "file module")),
    _Form("Bumped `pytest` from 8 to 8.2.", "", ("bump upgrade downgrade raise", "dependency version package from")),
)
"""Forms in the order in which they are preferred where as many groups fit."""


def suggest_form(text: str) -> str:
    """Return "write: '…'" with the nearest form and its unit, empty if no form has its words in ``text``."""
    if len(text) > _LONGEST:
        return ""
    words = _stem(strip_quotations(text))
    fitting = [form for form, groups in _list_stemmed() if all(not group.isdisjoint(words) for group in groups)]
    if not fitting:
        return ""
    nearest = max(fitting, key=lambda form: len(form.groups))
    return f"write: '{nearest.sentence}'" + (f", or the unit {nearest.unit}" if nearest.unit else "")


@cache
def _load_stemmer() -> Any:
    return Stemmer.Stemmer("english")


@cache
def _list_stemmed() -> tuple[tuple[_Form, tuple[frozenset[str], ...]], ...]:
    return tuple((form, tuple(map(_stem, form.groups))) for form in _FORMS)


def _stem(text: str) -> frozenset[str]:
    return frozenset(map(_load_stemmer().stemWord, (word.lower() for word in _WORD.findall(text))))
