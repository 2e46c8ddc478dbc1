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


def _find_direction(m: re.Match[str]) -> Iterator[StatedFact]:
    """State of what is added or removed in texts that its words came, or went."""
    for side, pattern in _DIRECTIONS.items():
        if m["about"] and pattern.match(m[0]) is not None:
            yield from read_about(m["about"], side)


_DIRECTIONS = {
    side: re.compile(rf"{verbs}\b", re.IGNORECASE) for side, verbs in (("added", words.ADD), ("removed", words.REMOVE))
}


def _about(what: str, kind: str) -> Facts:
    """Only files of a kind, which have these words. Code may be about them too ("fix union comments"): nothing refutes.

    ``what`` is the kind of the change, ``kind`` that of the words.
    """

    def list_facts(m: re.Match[str]) -> Iterator[StatedFact]:
        said = [m.groupdict().get(part) for part in ("about", "more")]
        about = read_about(" ".join(text for text in said if text), kind)
        if about:
            yield only(what)
            yield from about
            if kind != "tests":
                yield from _find_direction(m)
            for name in list_names(m.groupdict().get("file") or ""):
                yield StatedFact(CHANGES, f"name:{name}", Relation.EQ, "near")

    return list_facts


_expect_about = _about("texts", "docs")


_AROUND = some_of(words.AROUND)
_FIX = any_of("fix fixes fixed correct corrected fixup fixing")
_EDIT = any_of(
    "update updates updated edit modify refresh change tweak improve improves polish extend clean_up cleanup adjust "
    "simplify"
)
"""Whoever fixes tests or CI may change anything so that they pass."""

_FEW = some_of(words.FEW)
_WHERE = rf"(?: {any_of('in of on at to for within')} (?P<where>.{{1,60}}))?"

_ARTICLES = some_of("the some our a an new minor")
"""Words before what a line is about. "All" of it is more than its words show."""

_SOME_TESTS = some_of("a an some missing unit regression basic new additional the simple few")
_ABOUT = r"[\w'`./-]{1,40}(?: [\w'`./-]{1,40}){0,4}"

_TEXT_FILE = r"(?P<file>`?(?:[\w.-]+/)*[\w.-]+\.(?:md|mdx|rst|adoc|txt)`?)"
_IN_TEXTS = rf"(?:{words.TEXTS}|{_TEXT_FILE})"

KINDS: Sequence[Phrase] = (
    (
        rf"{_FIX} (?:a |the )?(?P<where>[\w`'./-]{{2,40}}) {any_of('typo typos misspelling spelling')}",
        _only("spelling"),
    ),
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
    (
        (
            rf"(?:{words.ADD}|{words.CHANGE}|{words.REMOVE}) {_ARTICLES}(?P<about>{_ABOUT}) "
            rf"(?:in|to|of|on|from) {_AROUND}"
            rf"(?:(?P<more>[\w`./()#:-]{{2,60}}) )?{_IN_TEXTS}"
        ),
        _expect_about,
    ),
    (
        rf"{words.CHANGE} {_ARTICLES}(?:(?P<about>{_ABOUT}) )?{words.TEXTS} (?:for|on|of|to) (?P<more>{_ABOUT})",
        _expect_about,
    ),
    (
        rf"{words.ANY_EDIT} {_ARTICLES}(?P<about>{_ABOUT}) (?:in|on|for|to|from) {_AROUND}{words.PIPELINES}",
        _about("pipelines", "ci"),
    ),
    (
        (
            rf"(?:(?:{words.ADD}|{_EDIT}|more) )?{_SOME_TESTS}{words.TESTS} "
            rf"{any_of('for of to_cover covering that')} (?P<about>{_ABOUT}(?: [\w'`./-]{{1,40}}){{0,3}})"
        ),
        _about("examined", "tests"),
    ),
    (rf"{_EDIT} {_AROUND}{words.TESTS}|(?:more )?{words.TESTS}", _only("tests")),
    (
        rf"{_EDIT} {_AROUND}{words.PIPELINES}|{words.PIPELINES}",
        _only("ci"),
    ),
)

OF_TYPE = {"docs": "docs", "test": "tests", "ci": "ci", "deps": "upgrade", "style": "layout", "examples": "docs"}
"""Types of a conventional commit that say of which kind a change is."""
