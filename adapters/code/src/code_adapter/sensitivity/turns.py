"""The order in which mutants are tried, by what the ones before showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.sensitivity.mutants import Mutant
from code_adapter.sensitivity.powers import LEAST

_Function = tuple[str, str | None]
"""A path, and the name of a function there; None outside of all."""


class Turns:
    """Mutants that are left to try, the best first.

    While a test noticed fewer than LEAST, those come first that it may notice: of functions that weren't tried yet, or
    in which it noticed another one. What forms of tests ask for comes ``first`` in any case.
    """

    def __init__(
        self,
        mutants: Iterable[Mutant],
        find_function: Callable[[Mutant], _Function],
        tests: Collection[TestName],
        first: Iterable[Mutant] = (),
    ) -> None:
        self._first = list(first)
        self._left = list(mutants)
        self._find_function = find_function
        self._missing = Counter(dict.fromkeys(tests, LEAST))
        self._noticing: dict[_Function, set[TestName]] = {}

    @property
    def left(self) -> list[Mutant]:
        """Those that weren't tried, in the order in which they are if nothing is noticed."""
        return [*self._first, *self._left]

    def __iter__(self) -> Iterator[Mutant]:
        """Take one after the other."""
        while self._first:
            yield self._first.pop(0)
        while self._left:
            yield self._left.pop(next((index for index, each in enumerate(self._left) if self._may_tell(each)), 0))

    def note(self, mutant: Mutant, noticing: Iterable[TestName]) -> None:
        """Note the tests that noticed a mutant."""
        tests = set(noticing)
        self._noticing.setdefault(self._find_function(mutant), set()).update(tests)
        for test in tests & self._missing.keys():
            self._missing[test] -= 1

    def _may_tell(self, mutant: Mutant) -> bool:
        noticing = self._noticing.get(self._find_function(mutant))
        return noticing is None or any(self._missing[test] > 0 for test in noticing)
