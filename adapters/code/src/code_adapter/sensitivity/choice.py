"""Choose mutants: those first that say most about what a change takes away from its tests."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from code_adapter.counterfactual.mixed_sources import is_in_test_part, may_hold_tests
from code_adapter.sensitivity.asked_mutants import AskedMutants
from code_adapter.sensitivity.mutants import Mutant, Operator, is_valid, list_mutants
from code_adapter.sensitivity.shared_code import SharedFile
from code_adapter.syntax.symbols import extract

_Unit = tuple[int, int, str]
"""First and last line of a function, and its name."""

_SHARES = (3, 2, 1)
"""How many mutants of a function come in one round, by rank: removed lines of tests name it, tests do, or nothing."""

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Words:
    """What tests name: all of it, and what stands in lines that the subject's form of a test lacks."""

    all: frozenset[str]
    removed: frozenset[str]


def read_words(forms: Iterable[tuple[str, str]]) -> Words:
    """Read the forms of tests in base and subject, "" for a test that is gone."""
    every: set[str] = set()
    removed: set[str] = set()
    for before, after in forms:
        kept = {line.strip() for line in after.split("\n")}
        every.update(_WORD.findall(before))
        removed.update(word for line in before.split("\n") if line.strip() not in kept for word in _WORD.findall(line))
    return Words(frozenset(every), frozenset(removed))


@dataclass(frozen=True)
class Choice:
    """What to choose from. ``executed`` has the lines of base by path that the tests run; None if nobody knows.

    ``seed`` is a digest of the change: who writes it can't choose the mutants.
    """

    files: Mapping[str, SharedFile]
    executed: Mapping[str, frozenset[int]] | None
    words: Words
    seed: str
    asked: AskedMutants = field(default_factory=AskedMutants)
    units: dict[str, list[_Unit]] = field(default_factory=dict)
    """The functions of the files that were looked at."""

    def list_mutants(self) -> Iterator[Mutant]:
        """List mutants of base, the best first: of functions that removed lines of tests name, then that tests name.

        They come in rounds, of which each function has its share: what a test no longer reaches may be any of them. Of
        each line of a function one comes before the second of any.
        """
        turns: Counter[tuple[str, int]] = Counter()
        functions: dict[tuple[str, str | None], list[tuple[int, str, Mutant]]] = {}
        for mutant in sorted(self._all, key=self._digest):
            place = (mutant.path, mutant.line)
            functions.setdefault(self.find_function(mutant), []).append((turns[place], self._digest(mutant), mutant))
            turns[place] += 1
        ordered = []
        for (_, name), found in functions.items():
            rank = self._rank(name)
            ordered += [
                (number // _SHARES[rank], rank, digest, mutant)
                for number, (_, digest, mutant) in enumerate(sorted(found))
            ]
        for *_, mutant in sorted(ordered):
            source = self.files[mutant.path].base
            if is_of_code(mutant, source) and is_valid(mutant, source):
                yield mutant

    def list_asked(self) -> list[Mutant]:
        """List the mutants of base that the forms of tests ask for, of what removed lines of tests name first.

        Of each function one that doesn't raise comes first, and one of each kind before the second of any.
        """
        turns: Counter[object] = Counter()
        ordered = []
        for path, file in self.files.items():
            for mutant in self.asked.list_of(path, file.base, self._choose_lines(file)):
                rank = self._rank(self._name_unit(path, mutant.line))
                place = (path, mutant.start)
                ordered.append((rank, mutant.operator is Operator.NEAR, turns[place], self._digest(mutant), mutant))
                turns[place] += 1
        chosen = (mutant for *_, mutant in sorted(ordered))
        usable = (
            mutant
            for mutant in chosen
            if is_of_code(mutant, source := self.files[mutant.path].base)
            and is_valid(mutant, source)
            and self.files[mutant.path].move(mutant)
        )
        return list(islice(usable, self.asked.most))

    @cached_property
    def _all(self) -> list[Mutant]:
        found: list[Mutant] = []
        for path, file in self.files.items():
            lines = self._choose_lines(file)
            if lines:
                found += list_mutants(path, file.base, lines)
        return found

    def _choose_lines(self, file: SharedFile) -> Collection[int]:
        if self.executed is not None:
            return self.executed.get(file.path, frozenset()) & file.lines.keys()
        return {line for line in file.lines if self._name_unit(file.path, line) in self.words.all}

    def _rank(self, unit: str | None) -> int:
        return 0 if unit in self.words.removed else 1 if unit in self.words.all else 2

    def find_function(self, mutant: Mutant) -> tuple[str, str | None]:
        """Find the path and name of the function that a mutant is in; None outside of all."""
        return mutant.path, self._name_unit(mutant.path, mutant.line)

    def _name_unit(self, path: str, line: int) -> str | None:
        """Name the innermost function around a line."""
        if path not in self.units:
            self.units[path] = _list_units(self.files[path])
        around = [(first, name) for first, last, name in self.units[path] if first <= line <= last]
        return max(around)[1] if around else None

    def _digest(self, mutant: Mutant) -> str:
        parts = (self.seed, mutant.path, str(mutant.start), str(mutant.end), mutant.text.decode("utf-8", "replace"))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def is_of_code(mutant: Mutant, source: bytes) -> bool:
    """Whether it isn't in a part of the file that holds tests."""
    return not may_hold_tests(mutant.path) or not is_in_test_part(mutant.path, source, mutant.start, mutant.end)


def _list_units(file: SharedFile) -> list[_Unit]:
    return [(each.line, each.end_line, each.name) for each in extract(file.base, file.path).symbols]
