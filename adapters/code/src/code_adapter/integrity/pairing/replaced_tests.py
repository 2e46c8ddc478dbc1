"""Find what takes the place of a test that is gone: new tests of its file or another, or one that makes its calls.

A test that was rewritten in its file is replaced by new ones that call the same and assert as often: half of its calls
are enough for one of its name, or that stands where it stood. Those of another file have to call all of it, and to ask
for each value that it asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion
from code_adapter.integrity.pairing.cases import Case
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.pairing.gone_members import MovedFields
    from code_adapter.integrity.pairing.paired_tests import Pair

_CALLS_KEPT = 0.5
"""Of what the test called, a test whose name says what it is about calls at least so much."""

_ROWS = 50
"""As many tests at most does a table of cases stand for whose rows aren't counted."""

_LITERAL = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?<![\w.])\d[\w.]*")
_MATCHER = re.compile(r"(?<=\.)([A-Za-z_]\w*)\(|^(?:[\w.]+\.)?(assert\w+!?)|\s(==|!=|<=|>=|<|>|is not|is|not in|in)\s")

_ROOTS = frozenset({"assert", "expect", "require"})


class Spare:
    """The assertions of new tests that replace nothing yet."""

    def __init__(self, added: Iterable[Case], pairs: Iterable[Pair], removed: Iterable[Case]) -> None:
        self._added = tuple(added)
        kept = tuple(pairs)
        self._place = find_places([pair.before for pair in kept], removed)
        self._place |= find_places([pair.after for pair in kept], self._added)
        self._left = {id(case): _count(case) * _count_rows(case) for case in self._added}

    def use_row(self, new: Case, case: Case) -> None:
        """Use up as many assertions of ``new`` as ``case`` makes: a row of its table stands for it."""
        if id(new) in self._left:
            self._left[id(new)] -= max(len(case.assertions.real), 1)

    def find_rewritten(self, case: Case) -> Case | None:
        """Find the first of the new tests that replace a test that is gone, and use up as many assertions."""
        return self._find(case, self._list_same_file(case)) or self._find(case, self._list_elsewhere(case))

    def find_moved(self, case: Case, fields: MovedFields) -> tuple[str, Case] | None:
        """Find the new test of the new class that a field went to, and use up as many assertions; the field as well."""
        for new in self._added:
            named = (
                fields.find_class(case.words, new.words) if language_of(new.path) == language_of(case.path) else None
            )
            if named is not None and self._find(case, [new]) is not None:
                return named[0], new
        return None

    def _list_same_file(self, case: Case) -> list[Case]:
        alike = [new for new in self._added if new.path == case.path and self._is_alike(case, new)]
        called = frozenset[str]().union(*(new.calls for new in alike))
        known = any(_shares_name(case, new) or self._place[id(new)] == self._place[id(case)] for new in alike)
        shared = len(case.calls & called) / len(case.calls) if case.calls else 0.0
        return alike if shared >= (_CALLS_KEPT if known else 1.0) else []

    def _list_elsewhere(self, case: Case) -> list[Case]:
        """List the tests of other files that make each call of the test, and among them each of its claims."""
        language, asked = language_of(case.path), _read_asked(case.assertions.real)
        return [
            new
            for new in self._added
            if new.path != case.path
            and language_of(new.path) == language
            and asked
            and case.calls <= new.calls
            and self._is_alike(case, new)
            and asked <= _read_asked(new.assertions.real)
        ][:1]

    def _is_alike(self, case: Case, new: Case) -> bool:
        return bool(new.calls & case.calls) and self._left[id(new)] > 0

    def _find(self, case: Case, alike: list[Case]) -> Case | None:
        wanted = max(len(case.assertions.real), 1)
        if not alike or sum(self._left[id(new)] for new in alike) < wanted:
            return None
        for new in alike:
            used = min(wanted, self._left[id(new)])
            self._left[id(new)] -= used
            wanted -= used
        return alike[0]


def find_places(kept: Sequence[Case], others: Iterable[Case]) -> dict[int, tuple[str, int]]:
    """Find where tests of one version stand: id of the object -> path, and the position in ``kept`` of the one above.

    Above the first of a file nothing is kept: -1.
    """
    position = {id(case): number for number, case in enumerate(kept)}
    found: dict[int, tuple[str, int]] = {}
    above = ("", -1)
    for case in sorted((*kept, *others), key=lambda case: (case.path, case.line)):
        if case.path != above[0]:
            above = (case.path, -1)
        if id(case) in position:
            above = (case.path, position[id(case)])
        else:
            found[id(case)] = above
    return found


def find_repeating(case: Case, kept: Iterable[Pair]) -> Case | None:
    """Find a test that was there and is word for word the same, or begins with all that one did which asserts nothing.

    A test without assertions fails if one of its calls does, and then the other one fails.
    """
    pairs = tuple(kept)
    twin = find_twin(case, pairs)
    if twin is not None:
        return twin
    steps, made = case.steps, case.assertions
    if not steps or "" in steps or made.real or made.delegated or made.swallowed:
        return None
    tests = (pair.after for pair in pairs if pair.after.path == case.path)
    return next((new for new in tests if new.steps[: len(steps)] == steps), None)


def find_twin(case: Case, pairs: Iterable[Pair]) -> Case | None:
    """Find the test of the same suite, or of one in it, that says what the test said, and said so before."""
    suite, said = _name_suite(case), _strip_name(case)
    for pair in pairs:
        inside = f"{_name_suite(pair.after)} > ".startswith(f"{suite} > ") if suite else True
        if pair.after.path == case.path and inside and said == _strip_name(pair.before) == _strip_name(pair.after):
            return pair.after
    return None


def _name_suite(case: Case) -> str:
    return case.id.removesuffix(case.name).rstrip(" >.")


def _strip_name(case: Case) -> tuple[str, ...]:
    """The text of a test without its name, in words."""
    return tuple(case.source.replace(case.name, "", 1).split())


def _count_rows(case: Case) -> int:
    if case.table.rows:
        return case.table.largest
    return _ROWS if case.multi else 1


def read_matchers(assertions: Iterable[Assertion]) -> frozenset[str]:
    """Read the matchers of assertions: ``toBe``, ``assertEquals``, ``==``."""
    return frozenset(
        word
        for assertion in assertions
        for found in _MATCHER.findall(_LITERAL.sub("", assertion.text))
        for word in found
        if word and word not in _ROOTS
    )


def _count(case: Case) -> int:
    return len(case.assertions.real) + len(case.assertions.delegated)


def _read_asked(assertions: Iterable[Assertion]) -> frozenset[str]:
    """The values and the matchers of assertions."""
    return frozenset(
        word
        for assertion in assertions
        for found in (_LITERAL.findall(assertion.text), _MATCHER.findall(_LITERAL.sub("", assertion.text)))
        for item in found
        for word in ((item,) if isinstance(item, str) else item)
        if word
    )


def _shares_name(old: Case, new: Case) -> bool:
    """Whether all words of one of the names are in the other one: test_session, test_session_accessed."""
    one, other = (frozenset(re.findall(r"[a-z]+|[A-Z][a-z]*|\d+", case.name)) for case in (old, new))
    return one <= other or other <= one
