"""Phrases that say of which kind a change is, and of no other: spelling, layout, texts, tests, CI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.commits import vocabulary as words
from verigate.statements.commits.descriptions import read_about
from verigate.statements.commits.objects import is_one_word, list_names
from verigate.statements.commits.phrase import CHANGES, Facts, Phrase
from verigate.statements.commits.vocabulary import any_of, some_of


def only(what: str) -> StatedFact:
    """State that the change is of one kind."""
    return StatedFact(CHANGES, "only", Relation.EQ, what)


def _only(what: str) -> Facts:
    def list_facts(m: re.Match[str]) -> Iterator[StatedFact]:
        yield only(what)
        for name in list_names(m.groupdict().get("where") or ""):
            if is_one_word(name):
                yield StatedFact(CHANGES, f"name:{name}", Relation.EQ, "near")

    return list_facts


def _expect_about(m: re.Match[str]) -> Iterator[StatedFact]:
    """Only texts, which have these words. Code may be about texts too ("fix union comments"): that refutes nothing."""
    about = read_about(m["about"])
    if about:
        yield only("texts")
        yield from about


_AROUND = some_of(words.AROUND)
_FIX = any_of("fix fixes fixed correct corrected fixup fixing")
_EDIT = any_of(
    "update updates updated edit modify refresh change tweak improve improves polish extend clean_up adjust simplify"
)
"""Whoever fixes tests or CI may change anything so that they pass."""

_FEW = some_of(words.FEW)
_WHERE = rf"(?: {any_of('in of on at to for within')} (?P<where>.{{1,60}}))?"

_ABOUT = r"[\w'`./-]{1,40}(?: [\w'`./-]{1,40}){0,4}"

KINDS: Sequence[Phrase] = (
    (rf"(?:{_FIX} )?{_FEW}{words.TYPOS}(?: and {words.TYPOS})?{_WHERE}", _only("spelling")),
    (
        (
            rf"{words.LAYOUT}|{any_of('format reformat run apply autoformat auto-format')} "
            rf"{some_of('all the code codebase files sources with using by via and')}{words.FORMATTER}"
        ),
        _only("layout"),
    ),
    (
        rf"{words.CHANGE} {_AROUND}{words.TEXTS}|{words.TEXTS}|{words.TEXTS} (?:updates?|fix(?:es)?|changes|tweaks?)",
        _only("docs"),
    ),
    (
        rf"(?:{words.CHANGE}|{words.ADD}|more) {_AROUND}(?P<about>{_ABOUT}) {some_of('in in_the for')}{words.TEXTS}",
        _expect_about,
    ),
    (rf"(?:{words.ADD}|{words.CHANGE}|more) {_AROUND}{words.TEXTS} about (?P<about>{_ABOUT})", _expect_about),
    (rf"{_EDIT} {_AROUND}{words.TESTS}|(?:more )?{words.TESTS}", _only("tests")),
    (
        rf"{_EDIT} {_AROUND}{words.PIPELINES}|{words.PIPELINES}",
        _only("ci"),
    ),
)

OF_TYPE = {"docs": "docs", "test": "tests", "ci": "ci", "deps": "dependencies", "style": "layout", "examples": "docs"}
"""Types of a conventional commit that say of which kind a change is."""
