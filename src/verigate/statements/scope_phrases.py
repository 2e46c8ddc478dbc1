"""Phrases about how far a change goes: of one kind alone, of none of a kind, in one place alone, and nothing else.

They are matched as a whole, so that a word more leaves them unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from verigate.domain.statement_reading import Relation, StatedFact

_ARTIFACT = "changes.json"
_KINDS = {
    "docs": r"(?:the )?(?:docs?|documentation)(?: files?)?",
    "tests": r"(?:the )?(?:tests?|test files?|test code)",
    "ci": r"(?:the )?(?:ci|ci (?:config(?:uration)?|workflows?|files?)|workflows?(?: files?)?)",
    "dependencies": r"(?:the )?(?:dependenc(?:y|ies)|dependency versions?|lock ?files?)",
    "comments": r"(?:the )?(?:code )?(?:comments?(?:,? (?:and|or) docstrings?)?|docstrings?,? (?:and|or) comments?)",
}
_CODE = (
    r"(?:(?:production|source|application|product|runtime|library|existing|actual|the) )*(?:code|source files?|sources)"
)
_DEPENDENCIES = r"(?:dependenc(?:y|ies)|dependency versions?)"
_CHANGED = (
    r"(?:chang(?:ed?|es)|modif(?:y|ied|ications)|touch(?:ed)?|updat(?:ed?|es)|edit(?:ed|s)?|alter(?:ed)?|affected)"
)
_WAS = r"(?:(?:is|are|was|were|has been|have been|had to be|got) )?"
_I = r"(?:(?:i|we)(?:'ve| have)? )?"
_DID_NOT = r"(?:(?:i|we) )?(?:did not|didn't|have not|haven't|has not|hasn't)"
_ANY = r"(?: any of the| any| the)?"
_WAS_NOT = r"(?:(?:is|are|was|were) not|(?:isn't|aren't|wasn't|weren't)|(?:has|have)(?: not|n't) been)"
_CHANGE = r"(?:this|the) (?:change|commit|pr|pull request|patch|diff)(?: is|'s)?"
_THIS_IS = rf"(?:(?:{_CHANGE}|this is|it is|it's) )?"
_DEED = "(?:change|commit|pr|update)"
_IN = r"(?:only in|all in|confined to|limited to|restricted to|scoped to|contained in|in)"
_PATH = r"`?(?P<path>\.?[\w.@-]+(?:/[\w.@-]+)*/?)`?"

Facts = Callable[[re.Match[str]], Iterator[StatedFact]]


def _state(what: str, value: str) -> Facts:
    def list_facts(_: re.Match[str]) -> Iterator[StatedFact]:
        yield StatedFact(_ARTIFACT, what, Relation.EQ, value)

    return list_facts


def _state_place(m: re.Match[str]) -> Iterator[StatedFact]:
    yield StatedFact(_ARTIFACT, f"within:{m['path']}", Relation.EQ, "all")


def _list_phrases() -> Iterator[tuple[str, Facts]]:
    for kind, words in _KINDS.items():
        yield rf"{_I}(?:only|just) {words} {_WAS}{_CHANGED}", _state("only", kind)
        yield rf"{_I}(?:only|just) {_CHANGED} {words}", _state("only", kind)
        yield rf"{_THIS_IS}(?:an? )?{words}[- ]only(?: {_DEED})?s?", _state("only", kind)
        yield rf"{_CHANGE} (?:only )?(?:affects|touches|changes|modifies|updates) {words} only", _state("only", kind)
        yield rf"{_CHANGE} only (?:affects|touches|changes|modifies|updates) {words}", _state("only", kind)
        yield rf"{_THIS_IS}(?:an? )?{words} {_DEED} only", _state("only", kind)
        yield rf"{_THIS_IS}(?:just |only |purely )?an? (?:pure(?:ly)? ){words} {_DEED}", _state("only", kind)
        yield rf"{_THIS_IS}(?:just|only|purely) an? {words} {_DEED}", _state("only", kind)
        yield (
            rf"(?:nothing|no (?:files?|code|lines?)) (?:but|except|other than|besides) {words} {_WAS}{_CHANGED}",
            (_state("only", kind)),
        )
        yield rf"{_I}{_CHANGED} nothing (?:but|except|other than|besides) {words}", _state("only", kind)
    for kind, words in (("code", _CODE), ("tests", r"(?:existing )?(?:tests?|test files?)"), ("docs", _KINDS["docs"])):
        what = _state(f"untouched:{kind}", "unchanged")
        yield rf"no {words} {_WAS}{_CHANGED}", what
        yield rf"no changes (?:to|in) (?:any )?{words}(?: {_WAS}(?:made|needed|required))?", what
        yield rf"no {words} changes(?: {_WAS}(?:made|needed|required))?", what
        yield rf"{_DID_NOT} (?:change|modify|touch|edit|alter){_ANY} {words}", what
        yield rf"{_DID_NOT} (?:changed|modified|touched|edited|altered){_ANY} {words}", what
        yield rf"(?:the )?{words} {_WAS_NOT} {_CHANGED}", what
        yield rf"(?:the )?{words} (?:is|are|was|were|remains?|stays?|stayed) (?:untouched|unchanged|unmodified)", what
    added = _state("untouched:dependencies", "unadded")
    yield rf"no (?:new )?dependenc(?:y|ies) {_WAS}(?:added|introduced|needed|required)", added
    yield r"no (?:new|additional|extra)(?: external)? dependenc(?:y|ies)", added
    yield rf"{_DID_NOT} add(?: any)?(?: new)? dependenc(?:y|ies)", added
    yield rf"(?:(?:{_CHANGE}|this is|it is|it's) )?(?:just |only )?(?:a )?pure rename", _state("only", "rename")
    yield rf"{_CHANGE} (?:is )?(?:just|only|purely) a rename", _state("only", "rename")
    rest = _state("rest", "unchanged")
    yield rf"nothing else {_WAS}{_CHANGED}", rest
    yield rf"no (?:other|further|additional) (?:files?|changes|code|modifications) {_WAS}(?:{_CHANGED}|made)", rest
    yield r"no (?:other|further|additional) (?:changes|files)", rest
    yield rf"{_DID_NOT} (?:touch|change|modify|edit|alter) (?:anything else|any other files?)", rest
    yield rf"{_DID_NOT} (?:touched|changed|modified|edited|altered) (?:anything else|any other files?)", rest
    pins = _state("rest:dependencies", "unchanged")
    yield rf"no (?:other|further|additional) {_DEPENDENCIES} {_WAS}(?:{_CHANGED}|bumped|upgraded|added|removed)", pins
    yield rf"{_DID_NOT} (?:touch|change|bump|upgrade)(?:ed|d|ped)? (?:any )?other {_DEPENDENCIES}", pins
    yield rf"(?:all|the) (?:changes|edits|modifications) (?:are|were|stay|is) {_IN} {_PATH}", _state_place
    yield rf"{_CHANGE} {_IN} {_PATH}", _state_place
    yield rf"(?:changes|edits|modifications) (?:are |were )?{_IN} {_PATH}", _state_place
    yield rf"no (?:changes|edits|files)(?: {_WAS}{_CHANGED}| {_WAS}made)? outside(?: of)? {_PATH}", _state_place
    yield rf"nothing {_WAS}{_CHANGED} outside(?: of)? {_PATH}", _state_place
    yield rf"{_I}only {_CHANGED} files (?:in|under|below) {_PATH}", _state_place


@cache
def _compile_phrases() -> tuple[tuple[re.Pattern[str], Facts], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), made) for pattern, made in _list_phrases())


_SPEAKS = re.compile(
    r"\b(?:only|just|pure|purely|no|nothing|not|\w+n't|confined|limited|restricted|scoped|changes|contained|unchanged|"
    r"untouched|unmodified)\b",
    re.IGNORECASE,
)
_LONGEST = 160


def read_scope(text: str) -> tuple[StatedFact, ...]:
    """Return the facts of a sentence that says how far a change goes; () for any other."""
    plain = text.strip().rstrip(".!").strip()
    if len(plain) > _LONGEST or _SPEAKS.search(plain) is None:
        return ()
    for pattern, made in _compile_phrases():
        if (found := pattern.fullmatch(plain)) is not None:
            return tuple(made(found))
    return ()
