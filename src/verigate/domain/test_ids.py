"""Names of tests as people and runners write them: ``tests/test_a.py::TestA::test_b[1]``, ``suite > title``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

_SEPARATORS = re.compile(r"::| > |[.#/]|\s+")
_PARAMETERS = re.compile(r"\[.*\]$", re.DOTALL)


class NamedTest(Struct, frozen=True):
    """A test as somebody names it: the path of its file, "" for any, and the words of its name without parameters."""

    path: str
    words: tuple[str, ...]


def split_test_id(text: str) -> NamedTest:
    """Split ``path::name`` at the first ``::``, if what is before it can be a path; else all of it is the name."""
    before, separator, name = text.strip().partition("::")
    path = before.strip()
    if not separator or not ("/" in path or "." in path):
        return NamedTest("", split_name(text))
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return NamedTest(path, split_name(name))


def split_name(name: str) -> tuple[str, ...]:
    """Split a test's name at what separates file, class, suite and function, without the parameters of a case."""
    return tuple(word for word in _SEPARATORS.split(_PARAMETERS.sub("", name.strip()).removesuffix("()")) if word)


def is_named(test: NamedTest, path: str, name: str, *, whole: bool) -> bool:
    """Whether ``test`` names the test ``name`` in ``path``: by its ``whole`` name, or else by the end of it."""
    if test.path and path != test.path and not path.endswith(f"/{test.path}"):
        return False
    own = split_name(name)
    return bool(test.words) and (own == test.words if whole else own[-len(test.words) :] == test.words)


def find_named(test: NamedTest, tests: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Find the (path, name) that ``test`` names: those with this whole name, or else those whose name ends with it."""
    known = list(tests)
    for whole in (True, False):
        if found := [each for each in known if is_named(test, *each, whole=whole)]:
            exact = [each for each in found if each[0] == test.path]
            return exact or found
    return []
