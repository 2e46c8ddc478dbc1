"""The tests that are written in what is checked out, found by the line or the name that a runner reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.integrity.languages import find_language
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse


@dataclass(frozen=True)
class WrittenTest:
    """A test: its short name, its whole name as ``Forms`` has it, and its first and last line, from 1."""

    name: str
    whole: str
    first: int
    last: int


@dataclass
class WrittenTests:
    """The tests of the files below ``root``. Files are read when they are first asked for."""

    root: Path
    _found: dict[str, tuple[WrittenTest, ...]] = field(default_factory=dict)

    def list_in(self, path: str) -> tuple[WrittenTest, ...]:
        """List the tests of a file; none of one that isn't there."""
        if path not in self._found:
            self._found[path] = tuple(self._read(path))
        return self._found[path]

    def find_at(self, path: str, line: int | None) -> TestName | None:
        """Find the test that stands at a line, the innermost one; None without one."""
        around = [each for each in self.list_in(path) if line is not None and each.first <= line <= each.last]
        return TestName(path, max(around, key=lambda each: each.first).whole) if around else None

    def find_called(self, path: str, name: str) -> TestName | None:
        """Find the test with this short name; None without one."""
        return next((TestName(path, each.whole) for each in self.list_in(path) if each.name == name), None)

    def find_lines(self, path: str, names: frozenset[str]) -> list[int]:
        """Return the lines at which these tests begin, by their whole names."""
        return [each.first for each in self.list_in(path) if each.whole in names]

    def _read(self, path: str) -> Iterator[WrittenTest]:
        language, place = find_language(path), self.root / path
        if language is None or place.is_symlink() or not place.is_file():
            return
        for found in language.find_tests(parse(place.read_bytes(), grammar_of(path) or "")):
            first, last = found.node.start_point[0] + 1, found.node.end_point[0] + 1
            yield WrittenTest(found.name, found.qualified.replace(" > ", " "), first, last)
