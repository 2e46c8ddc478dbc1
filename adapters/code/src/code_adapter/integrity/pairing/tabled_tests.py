"""Find the tests of base that a row of a table stands for in the subject; a row stands for one of them.

A row has each value that the assertions of a test compare with, and most of its other literals; those that all rows
share stand in the test that they feed. The table asks by each matcher that the test asked by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.pairing.paired_tests import ALIKE_HERE, COMMON
from code_adapter.integrity.pairing.replaced_tests import read_matchers
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.pairing.case_tables import Row
    from code_adapter.integrity.pairing.cases import Case
    from code_adapter.integrity.pairing.paired_tests import Pair, PairedTests

_LITERAL = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|(?<![\w.])(\d[\w.]*)")
_GO_MESSAGE = re.compile(r"\s*\w+\.(?:Errorf?|Fatalf?)\(\s*(?P<text>\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`)")
_GO_COMPARED = re.compile(r"[!=]=\s*(\"(?:[^\"\\\n]|\\.)*\"|-?\d[\w.]*)\s*(?:\{|&&|\|\|)")
_KEPT = 0.7
"""Of the literals of a test so many stand in its row: what it says besides may go."""

_MOST_TRIED = 200_000


class TabledTests:
    """The rows that the tables of the subject have and those of base hadn't, of which each stands for one test."""

    def __init__(self, added: Iterable[Case], pairs: Iterable[Pair]) -> None:
        known = ((case, Counter[frozenset[str]]()) for case in added)
        paired = ((pair.after, Counter(pair.before.table.rows)) for pair in pairs)
        self._left = {
            id(case): (case, Counter(case.table.rows) - had) for case, had in (*known, *paired) if case.table.rows
        }
        self._tried = 0

    def take(self, case: Case, only: Case | None = None) -> Case | None:
        """Find the test whose table has a row for ``case``, ``only`` that one if it is given, and use up the row."""
        literals = case.table.fixed - _read_messages(case)
        if not literals:
            return None
        for multi, left in self._left.values():
            if (only is not None and multi is not only) or not _is_alike(case, multi):
                continue
            rows = list(self._find_rows(case, multi, left, literals))
            if rows:
                left.subtract(rows)
                return multi
        return None

    def _find_rows(self, case: Case, multi: Case, left: Counter[Row], literals: Row) -> Iterator[Row]:
        """Find a row for the whole test, else one for each of its assertions; nothing where one is missing."""
        asked = [_read_asked(case, each.text) for each in case.assertions.real]
        whole = frozenset[str]().union(*asked)
        found = self._find_row(whole, multi, left, literals)
        if found is not None:
            yield found
        elif len(asked) > 1:
            unused = Counter(left)
            rows = []
            for values in asked:
                if (row := self._find_row(values, multi, unused, values)) is None:
                    return
                unused[row] -= 1
                rows.append(row)
            yield from rows

    def _find_row(self, asked: Row, multi: Case, left: Counter[Row], literals: Row) -> Row | None:
        """Find the smallest unused row that has all that is ``asked``, and most of the ``literals``."""
        fixed, best = multi.table.fixed, None
        for row, count in left.items():
            self._tried += 1
            if count <= 0 or self._tried > _MOST_TRIED:
                continue
            there = row | fixed
            fits = asked <= there and len(literals & there) >= _KEPT * len(literals) and (row & literals or not row)
            if fits and (best is None or len(row) < len(best)):
                best = row
        return best


def find_tabled(tests: PairedTests) -> frozenset[tuple[str, str]]:
    """Find the tests (path, name) of which a row stands for each form that base has, and that base had no row for."""
    rows = TabledTests((), tests.pairs)
    fits: dict[tuple[str, str], bool] = {}
    for pair in tests.pairs:
        key = (pair.after.path, pair.after.name)
        own = not pair.before.table.rows and bool(pair.after.table.rows)
        fits[key] = fits.get(key, True) and own and rows.take(pair.before, pair.after) is not None
    return frozenset(key for key, fit in fits.items() if fit)


def _is_alike(case: Case, multi: Case) -> bool:
    """Whether a test of a table is of the same language, calls the same and asks by the same matchers."""
    if language_of(case.path) != language_of(multi.path):
        return False
    names = {word for word in case.words - COMMON if word[0] not in "\"'0123456789"}
    shared = len(names & multi.words) / len(names) if names else 1.0
    called = len(case.calls & multi.calls) >= ALIKE_HERE * len(case.calls)
    return (
        called and shared >= ALIKE_HERE and read_matchers(case.assertions.real) <= read_matchers(multi.assertions.real)
    )


def _read_asked(case: Case, text: str) -> Row:
    """Read the values that an assertion compares with; in Go they stand in the condition before it."""
    if language_of(case.path) != "go":
        return frozenset(_read_literals(text))
    said = _GO_MESSAGE.match(text)
    compared = " ".join(_GO_COMPARED.findall(case.source)) if len(case.assertions.real) == 1 else ""
    return frozenset(_read_literals(f"{text[said.end() :] if said is not None else text} {compared}"))


def _read_messages(case: Case) -> Row:
    """Read what a failure of a test in Go prints: it may have other words in the table."""
    if language_of(case.path) != "go":
        return frozenset()
    found = (_GO_MESSAGE.match(each.text) for each in case.assertions.real)
    return frozenset(said["text"][1:-1] for said in found if said is not None)


def _read_literals(text: str) -> Iterator[str]:
    for double, single, number in _LITERAL.findall(text):
        yield number.replace("_", "").lower() if number else double or single
