"""The forms of tests in a language that nothing here reads: the lines from a test's name to the next one's.

Only names that a runner reports count. Nothing is known about the language, so that every line after the first name
belongs to a test, and what stands before it to all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

_TOKEN = re.compile(r"\"((?:[^\"\\\n]|\\.){1,400})\"|'((?:[^'\\\n]|\\.){1,400})'|`([^`\n]{1,400})`")
_WORD = re.compile(r"\w{2,200}")
_SEPARATOR = re.compile(r"::| > |[.#/:(\[]|(?<![^\n])test ")
"""What joins suites and tests; a space doesn't, but after the word that ExUnit begins each name with."""

_MOST_PARTS = 40


@dataclass(frozen=True)
class Block:
    """The lines of a test, without its name, and what stands before the first test of the file."""

    text: str
    unnamed: str
    around: str


@dataclass(frozen=True)
class NamedText:
    """A text, and where in it the names of tests can stand: quoted, or as a word."""

    text: str
    _lines: dict[str, int | None] = field(default_factory=dict, repr=False)

    @cached_property
    def tokens(self) -> Mapping[str, int]:
        """Map what is quoted, and each word, to the first line that has it, from 0. What is quoted counts first."""
        found: dict[str, int] = {}
        for pattern in (_TOKEN, _WORD):
            for number, line in enumerate(self.text.split("\n")):
                for each in pattern.finditer(line):
                    found.setdefault(next(filter(None, each.groups()), each[0]), number)
        return found

    def find_written(self, reported: str) -> str | None:
        """Find the part of a reported name that the text has, the longest one that ends it; None without one."""
        return next((part for part in list_endings(reported) if part in self.tokens), None)

    def split(self, reported: Iterable[str]) -> dict[str, Block]:
        """Split the text into the blocks of these tests; those that aren't written in it are left out."""
        written = {name: part for name in reported if (part := self.find_written(name)) is not None}
        starts = sorted({self.tokens[part] for part in written.values()})
        ends = dict(pairwise([*starts, None]))
        lines = self.text.split("\n")
        around = "\n".join(lines[: starts[0]]) if starts else ""
        found = {}
        for name, part in written.items():
            start = self.tokens[part]
            block = "\n".join(lines[start : ends[start]])
            found[name] = Block(block, block.replace(part, "", 1).strip(), around)
        return found


def list_endings(reported: str) -> Iterator[str]:
    """List a reported name, and what may be the test's own part of it, after suites and before a row."""
    yield reported
    for count, sign in enumerate(_SEPARATOR.finditer(reported)):
        if count == _MOST_PARTS:
            return
        if sign[0] in {"(", "["}:
            # ``Shop.Adds(1)`` and ``adds[0]``: what stands in brackets is a row.
            yield _SEPARATOR.split(reported[: sign.start()])[-1].strip()
        elif rest := reported[sign.end() :]:
            yield rest
