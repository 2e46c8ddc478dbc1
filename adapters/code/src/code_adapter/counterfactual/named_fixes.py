"""The tests that a commitment or a claim names for a fix: which they are, and what has to run for them.

Names are written by who is judged. They choose among the tests that are there, and go into no command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from code_adapter.counterfactual.cell_runs import CellRunner, TestName
from code_adapter.counterfactual.comparison import Compared
from code_adapter.counterfactual.selection import Selection
from code_adapter.counterfactual.sides import Sides
from code_adapter.integrity.languages import LANGUAGES
from verigate.sdk import path_text
from verigate.sdk.asked_fixes import AskedFixes
from verigate.sdk.languages import language_of
from verigate.sdk.test_ids import NamedTest, find_named, split_test_id

_TEST_WORD = re.compile(r"[Tt]est\w*")
_NOT_WRITTEN = "no test of this name is written in the test tree"
_NOT_RUN = "no run reports a test of this name"


@dataclass(frozen=True)
class NamedFixes:
    """``chosen`` are the tests to run by path, None for all of a file; ``places`` the tests that each name fits."""

    asked: AskedFixes
    chosen: Mapping[str, frozenset[str] | None]
    places: Mapping[str, Sequence[TestName]]
    absent: frozenset[str]
    """Names that no test of the test tree can have."""

    def choose(self, runner: CellRunner, sides: Sides) -> list[str]:
        """Choose the files with named tests that ``runner`` may run."""
        return [
            path for path in sorted(self.chosen) if path in set(runner.choose(sorted(self.chosen), sorted(sides.mixed)))
        ]

    def add_to(
        self, chosen: Mapping[str, Selection], changed: Iterable[str], named: Iterable[str]
    ) -> dict[str, Selection]:
        """Add the named tests to what is chosen of the files. A changed file without a choice runs as a whole."""
        found = dict(chosen)
        whole = set(changed) - set(chosen)
        for path in named:
            names = self.chosen[path]
            if path in whole or names is None:
                found.pop(path, None)
            else:
                before = chosen.get(path, Selection(frozenset(), frozenset()))
                found[path] = Selection(before.base | names, before.head | names)
        return found

    def is_named(self, item: Compared) -> bool:
        """Whether a name fits this test."""
        return any(_find([place], name) for place in _list_places(item) for name in self.asked.names)

    def is_asked(self, item: Compared) -> bool:
        """Whether it matters that this test proves a fix."""
        return self.asked.some or self.is_named(item)

    def describe(self, compared: Sequence[Compared]) -> Iterator[dict[str, Any]]:
        """Describe for the artifact how many of the compared tests each name fits."""
        for name in self.asked.names:
            found = len({item.name for item in compared if any(_find([place], name) for place in _list_places(item))})
            why = "" if found or name in self.absent else _NOT_RUN if self.places[name] else _NOT_WRITTEN
            yield {"test": path_text(name), "found": found, "why": why}


def find_named_fixes(asked: AskedFixes, sides: Sides) -> NamedFixes:
    """Find the named tests in the test trees of base and subject."""
    if not asked.names:
        return NamedFixes(asked, {}, {}, frozenset())
    sources = [path for path in sorted({*sides.test_tree, *sides.mixed}) if language_of(path) in LANGUAGES]
    written: dict[str, list[TestName]] = {path: [] for path in sources}
    for path in sources:
        for forms in (sides.head_forms, sides.base_forms):
            written[path] += [test for test in forms.list_tests(path) if test not in written[path]]
    places: dict[str, Sequence[TestName]] = {}
    chosen: dict[str, frozenset[str] | None] = {}
    absent = set()
    for name in asked.names:
        wanted = split_test_id(name)
        places[name] = _find([test for path in sources for test in written[path]], name)
        for test in places[name]:
            names = chosen.get(test.path, frozenset())
            chosen[test.path] = None if names is None else names | {test.name}
        if not places[name]:
            # It may be inherited or made by a loop: then only a run knows its name.
            chosen |= dict.fromkeys(_list_files(wanted, sources))
            if _is_absent(wanted, sources, sides):
                absent.add(name)
    return NamedFixes(asked, chosen, places, frozenset(absent))


def _find(tests: Iterable[TestName], name: str) -> list[TestName]:
    return [TestName(*found) for found in find_named(split_test_id(name), tests)]


def _list_places(item: Compared) -> list[TestName]:
    return [name for name in (item.head, item.base) if name is not None]


def _list_files(wanted: NamedTest, sources: Sequence[str]) -> list[str]:
    return [path for path in sources if wanted.path and (path == wanted.path or path.endswith(f"/{wanted.path}"))]


def _is_absent(wanted: NamedTest, sources: Sequence[str], sides: Sides) -> bool:
    """Whether no text of the test tree has the name's last word, and the code has no tests in it."""
    if not wanted.words or not _TEST_WORD.fullmatch(wanted.words[-1]):
        return False
    if any(path.endswith(".rs") for path in sides.head.files):
        return False
    word = re.compile(rf"\b{re.escape(wanted.words[-1])}\b")
    texts = (forms.read(path) for path in sources for forms in (sides.head_forms, sides.base_forms))
    return not any(word.search(text) for text in texts)
