"""Find the named unit around a finding: the test or function that it is about, in base and in the subject.

A finding about no line of a syntax tree is about its line, or about the whole file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import Forms, IntegrityFinding
from code_adapter.integrity.languages import find_language
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages.tree import end_line_of, line_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side


_MOST_READ = 1 << 19
"""Bytes of a file whose functions are read: no person writes a larger one, and a line of a bundle says enough."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A test, function or class; ``turn`` counts those of the same name in a file, from 0."""

    name: str
    turn: int
    first: int
    last: int
    is_test: bool


class UnitReader:
    """The named units of the change's files; each file is read once."""

    def __init__(self, changes: ChangeSet) -> None:
        self._changes = changes
        self._sides: dict[str, tuple[Side | None, Side | None]] = {}
        for file in changes.files:
            if file.before is not None:
                self._sides.setdefault(file.before.path, (file.before, None))
            if file.after is not None:
                self._sides[file.after.path] = (file.before, file.after)
        self._units: dict[int, tuple[_Unit, ...]] = {}

    def place(self, finding: IntegrityFinding) -> tuple[IntegrityFinding, Forms]:
        """Return the finding with the test that it is about, and its forms. A test that no side has is dropped."""
        if finding.forms is not None:
            return finding, finding.forms
        before, after = self._sides.get(finding.path, (None, None))
        here, there = (after, before) if after is not None else (before, after)
        unit = self._around(here, finding.line) if here is not None and finding.line is not None else None
        if finding.test is not None:
            named = [unit for side in (here, there) for unit in self._of(side) if unit.is_test]
            unit = next(
                (test for test in named if test.name == finding.test), _find_titled(named, finding.test) or unit
            )
        if unit is not None:
            forms = Forms(self._cut(before, unit), self._cut(after, unit))
            return replace(finding, test=unit.name if unit.is_test else None), forms
        if finding.line is None or here is None or here.content is None:
            return replace(finding, test=None), self._whole(before, after)
        return replace(finding, test=None), _lines(before, after, here, finding.line)

    def _cut(self, side: Side | None, wanted: _Unit) -> str | None:
        """The text of the unit in one side."""
        key = wanted.name, wanted.turn, wanted.is_test
        unit = next((unit for unit in self._of(side) if (unit.name, unit.turn, unit.is_test) == key), None)
        return "\n".join(text(side).split("\n")[unit.first - 1 : unit.last]) if unit is not None else None

    def _around(self, side: Side, line: int) -> _Unit | None:
        around = [unit for unit in self._of(side) if unit.first <= line <= unit.last]
        return min(around, key=lambda unit: (not unit.is_test, unit.last - unit.first), default=None)

    def _of(self, side: Side | None) -> tuple[_Unit, ...]:
        if side is None:
            return ()
        if id(side) not in self._units:
            self._units[id(side)] = tuple(self._list(side))
        return self._units[id(side)]

    def _list(self, side: Side) -> Iterator[_Unit]:
        """Tests first: what stands in one is about the test."""
        language = find_language(side.path)
        if self._changes.tree(side) is None or language is None:
            return
        turns: dict[tuple[str, bool], int] = {}
        found = [
            (test.qualified, min(line_of(node) for node in (*test.leading, test.node)), end_line_of(test.node), True)
            for test in self._changes.tests(side, language.find_tests)
        ]
        content = side.content or b""
        symbols = extract(content, side.path).symbols if len(content) <= _MOST_READ else ()
        found += [(s.qualified, s.line, s.end_line, False) for s in symbols if s.route is None]
        for name, first, last, is_test in found:
            turn = turns[name, is_test] = turns.get((name, is_test), -1) + 1
            yield _Unit(name, turn, first, last, is_test)

    def _whole(self, before: Side | None, after: Side | None) -> Forms:
        return Forms(self._file(before, self._changes.base), self._file(after, ":0"))

    def _file(self, side: Side | None, tree: str) -> str | None:
        """A file's text; for what can't be read, its object id."""
        if side is None:
            return None
        return text(side) if side.content is not None else self._changes.object_id(tree, side.path)


def _find_titled(tests: Iterable[_Unit], title: str) -> _Unit | None:
    """Find the only test with this title, which is written without the suites around it."""
    found = {test.name: test for test in tests if test.name.rpartition(" > ")[2] == title}
    return next(iter(found.values())) if len(found) == 1 else None


def _lines(before: Side | None, after: Side | None, here: Side, line: int) -> Forms:
    """The line as often as it is there: a second one like it is another form."""
    lines = text(here).split("\n")
    wanted = lines[line - 1].strip() if line <= len(lines) else ""

    def of(side: Side | None) -> str | None:
        return (
            "\n".join(found for found in (each.strip() for each in text(side).split("\n")) if found == wanted) or None
        )

    return Forms(of(before), of(after))
