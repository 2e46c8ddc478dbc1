"""The forms of a test: its source in base and in subject."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.text_blocks import NamedText
from code_adapter.integrity.languages import find_language
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse

_PLACEHOLDER = re.compile(r"%[sdifjoOpc#$%]|\$\{[^}]*\}|\$[\w.#]+")
"""What runners of JavaScript fill in titles of tables: https://jestjs.io/docs/api#testeachtablename-fn-timeout."""


class _Form(NamedTuple):
    source: str
    title: re.Pattern[str] | None
    unnamed: str | None = None
    around: str = ""
    """Of a learnt test the source without its name, and what stands before all tests of the file."""


class Forms:
    """The sources of one version's test files, by path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._forms: dict[str, dict[str, _Form]] = {}

    def read(self, path: str) -> str:
        """Return the text of a file; empty without one."""
        return self._files.get(path, b"").decode("utf-8", "replace")

    def learn(self, tests: Iterable[TestName]) -> None:
        """Take over the names of tests that a report has, for files in which nothing here finds tests."""
        names: dict[str, list[str]] = {}
        for test in tests:
            if test.path in self._files and find_language(test.path) is None:
                names.setdefault(test.path, []).append(test.name)
        for path, own in names.items():
            blocks = NamedText(self.read(path)).split(own)
            self._forms[path] = {
                name: _Form(block.text, None, block.unnamed, block.around) for name, block in blocks.items()
            }

    def find_unnamed(self, test: TestName) -> tuple[str, str] | None:
        """Return the source of a learnt test without its name, and what stands before all tests; else None."""
        found = self._find_in(test.path).get(test.name) if test.path in self._files else None
        return None if found is None or found.unnamed is None else (found.unnamed, found.around)

    def find(self, test: TestName) -> str | None:
        """Return the source of the test, or of its file if it isn't written there; None without a file."""
        if test.path not in self._files:
            return None
        found = self._find_in(test.path).get(test.name)
        return found.source if found is not None else self.read(test.path)

    def is_written(self, test: TestName) -> bool:
        """Whether the test itself stands in its file."""
        return test.path in self._files and test.name in self._find_in(test.path)

    def name(self, path: str, reported: str) -> str:
        """Return the name as it is written, of a test that a runner reports: with its placeholders, if it has any."""
        if path not in self._files:
            return reported
        forms = self._find_in(path)
        if reported in forms:
            return reported
        found = [name for name, form in forms.items() if form.title is not None and form.title.fullmatch(reported)]
        return max(found, key=len, default=reported)

    def list_tests(self, path: str) -> list[TestName]:
        """List the tests that are written in a file."""
        return [TestName(path, name) for name in (self._find_in(path) if path in self._files else ())]

    def _find_in(self, path: str) -> Mapping[str, _Form]:
        if path not in self._forms:
            self._forms[path] = dict(_read(self._files[path], path))
        return self._forms[path]


@dataclass(frozen=True)
class TestNames:
    """The names of tests as they are written in either version."""

    versions: tuple[Forms, ...]

    def find(self, path: str, reported: str) -> str:
        """Return the name as it is written, of a test that a runner reports."""
        names = (name for forms in self.versions if (name := forms.name(path, reported)) != reported)
        return next(names, reported)

    def find_titled(self, path: str, title: str) -> str | None:
        """Return the name of the test with this title, reported without those of the tests around it; None without one.

        The title itself stands for several.
        """
        name = self.find(path, title)
        written = {test.name for forms in self.versions for test in forms.list_tests(path)}
        inner = [each for each in sorted(written) if each.endswith(f" {title}")]
        if name in written or len(inner) > 1:
            return name
        return inner[0] if inner else None


def _read(source: bytes, path: str) -> Iterator[tuple[str, _Form]]:
    language = find_language(path)
    if language is None:
        return
    lines = source.decode("utf-8", "replace").split("\n")
    for found in language.find_tests(parse(source, grammar_of(path) or "")):
        first, last = found.node.start_point[0], found.node.end_point[0]
        if found.leading:
            first = min(first, *(node.start_point[0] for node in found.leading))
        name = found.qualified.replace(" > ", " ")
        yield name, _Form("\n".join(lines[first : last + 1]), _make_title(name))


def make_title_pattern(name: str) -> str:
    """Make a regular expression, for Python and JavaScript, that finds a title with what its placeholders stand for."""
    return ".*".join(re.sub(r"[^\w\s]", r"\\\g<0>", part) for part in _PLACEHOLDER.split(name))


def _make_title(name: str) -> re.Pattern[str] | None:
    return re.compile(make_title_pattern(name), re.DOTALL) if _PLACEHOLDER.search(name) else None
