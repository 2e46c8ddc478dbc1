"""The names of tests, as runners and texts write them."""

from __future__ import annotations

import re

from verigate.domain.weakening import Weakening

_SEPARATORS = re.compile(r"::| > |[.#/]")
_PARAMETERS = re.compile(r"\[.*\]$", re.DOTALL)


def split_name(test: str) -> tuple[str, ...]:
    """Split a test's name at what separates file, class and function, without the parameters of a case."""
    return tuple(_SEPARATORS.split(_PARAMETERS.sub("", test)))


def name_test(weakening: Weakening) -> tuple[str, str]:
    """Name the test of a weakening by its path, and as one title of suites and test."""
    return weakening.path, " ".join(split_name(weakening.test or ""))
