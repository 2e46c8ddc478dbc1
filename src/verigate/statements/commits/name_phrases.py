"""Phrases about names and files that are added, removed, renamed, moved, replaced, documented or tested."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.commits import vocabulary as words
from verigate.statements.commits.objects import NAME, NAMES, is_one_word, list_names
from verigate.statements.commits.phrase import CHANGES, Facts, Phrase, clean
from verigate.statements.commits.vocabulary import any_of, some_of

_NOUN = some_of(words.NOUNS)
_NOUNS = f"(?: {any_of(words.NOUNS)})*"
_OLD, _NEW = (f"{_NOUN}(?P<{side}>{NAME}){_NOUNS}" for side in ("old", "new"))
_FOLDER = r"(?<![\w`/])(?:[\w.-]+/)+(?![\w`*-])"
"""A folder, by the slash at its end."""

_TARGET = f"(?:{_FOLDER}|{NAME})"
_RENAMED = rf"{_NOUN}{NAME}{_NOUNS} (?:to|->|as|=>|into) {_NOUN}{NAME}{_NOUNS}"
_FROM = rf"(?: (?:from|out of) {_NOUN}{NAME}{_NOUNS})?"
_MOVED = rf"{_NOUN}{NAME}{_NOUNS}{_FROM} (?:to|into|under|in) {_NOUN}{_TARGET}{_NOUNS}{_FROM}"
_PAIR = (
    rf"{_OLD}(?P<before>{_FROM}) (?:to|->|as|=>|into|under|in) "
    rf"{_NOUN}(?P<new>{_TARGET}){_NOUNS}(?P<after>{_FROM})"
)
_WITH_TESTS = (
    r"(?P<tests>,? (?:and|together with|along with|as well as)(?: (?:updated|adapted|changed))? (?:its|their|the)"
    r" tests?(?: accordingly)?| in (?:the )?code and (?:(?:in )?(?:its|their|the) )?tests?)?"
)
_EVERYWHERE = (
    r"(?P<everywhere> everywhere(?: in the code(?:base)?)?| throughout(?: the (?:code|codebase|project|repository))?)?"
    r"(?P<gone>(?:[;,] (?:and )?| and )no (?:code|file|line) (?:uses|has|names|mentions|contains|refers to|calls) "
    r"the old names?(?: any ?more| any longer)?)?"
)
_TEXT = r"(?:README(?:\.md)?|docs|documentation)"
_PLACES = (
    rf"(?:the |its |their )?(?:tests?|{_TEXT})(?:(?:, and |, | and )(?:the |its |their )?(?:tests?|{_TEXT})){{0,3}}"
)
_INCLUDED = rf"(?P<included>,? (?:\(?including {_PLACES}\)?|\(?{_PLACES} included\)?))?"
_EACH = f"(?P<lead>{_NOUN})(?P<names>{NAMES})(?P<tail>{_NOUNS})"
FILE = r"`?(?:[\w.-]+/)*[\w-]*\.?[\w-]+\.[A-Za-z]\w{0,9}`?|" + any_of(
    "README CHANGELOG CHANGES AUTHORS CONTRIBUTING SECURITY LICENSE Makefile Dockerfile CODEOWNERS"
)


def _list_pairs(pair: str) -> str:
    return f"(?P<pairs>{pair}(?:(?:, and |, | and ){pair})*)"


def _names(value: str) -> Facts:
    def list_facts(m: re.Match[str]) -> Iterator[StatedFact]:
        inside = list_names(m.groupdict().get("place") or "")
        names, more = list_names(m["names"]), list_names(m.groupdict().get("more") or "")
        if all(map(is_one_word, (*names, *more, *inside))):
            what = _read_addition(m, f"{m['lead']} {m['tail']}") if value == "added" else value
            for name in (*names, *more):
                place = f" {inside[0]}" if inside else ""
                yield StatedFact(CHANGES, f"name:{name}", Relation.EQ, f"{value if name in more else what}{place}")

    return list_facts


def _expect_extracted(m: re.Match[str]) -> Iterator[StatedFact]:
    """New definitions, which what they came from names more often than before."""
    names, places = list_names(m["names"]), list_names(m["place"] or "")
    if len(places) < 2 and all(map(is_one_word, (*names, *places))):
        for name in names:
            yield StatedFact(CHANGES, f"name:{name}", Relation.EQ, "defined")
            yield from (StatedFact(CHANGES, f"name:{name}", Relation.EQ, f"more {place}") for place in places)


def _read_addition(m: re.Match[str], around: str) -> str:
    """Read whether a name is said to be defined, or implemented, by the verb and the nouns around it, or just added."""
    nouns = set(around.lower().split())
    if nouns & words.DEFINING and nouns <= words.DEFINING | words.QUALIFYING:
        return "defined"
    implements = m[0].lower().startswith("implement") and not nouns & words.OF_NO_DEFINITION
    return "implemented" if implements else "added"


def _list_targets(text: str) -> list[str]:
    """List the names in a text, or the folder that it is, with the slash at its end."""
    return [text] if re.fullmatch(_FOLDER, text) is not None else list_names(text)


def _pairs(what: str) -> Facts:
    """Each name of a list that becomes another one, or stands elsewhere.

    Its tests may be said to follow, and no code to have the old name any more.
    """

    def list_facts(m: re.Match[str]) -> Iterator[StatedFact]:
        found = [
            (list_names(pair["old"]), _list_targets(pair["new"]), list_names(pair["before"] + pair["after"]))
            for pair in re.finditer(_PAIR, m["pairs"], re.IGNORECASE)
        ]
        if any(len(old) != 1 or len(new) != 1 or len(origins) > 1 for old, new, origins in found):
            return
        if not all(is_one_word(name) for pair in found for side in pair for name in side):
            return
        for (old,), (new,), origins in found:
            origin = f" from {origins[0]}" if origins else ""
            yield StatedFact(CHANGES, f"{what}:{old}", Relation.EQ, f"{new}{origin}")
            included = (m.groupdict().get("included") or "").lower()
            if m.groupdict().get("tests") or "test" in included:
                yield StatedFact(CHANGES, f"followed:{old}", Relation.EQ, new)
            if m.groupdict().get("everywhere") or m.groupdict().get("gone"):
                yield StatedFact(CHANGES, f"name:{old}", Relation.EQ, "gone")
            if re.search(_TEXT, included, re.IGNORECASE) is not None:
                yield StatedFact(CHANGES, f"name:{new}", Relation.EQ, "documented")
            if "readme" in included:
                yield StatedFact(CHANGES, "name:README", Relation.EQ, "near")

    return list_facts


def _expect_replaced(m: re.Match[str]) -> Iterator[StatedFact]:
    old, new, inside = (list_names(m.groupdict().get(part) or "") for part in ("old", "new", "place"))
    if len(old) == len(new) == 1 and all(map(is_one_word, (*old, *new, *inside))):
        place = f" {inside[0]}" if inside else ""
        yield StatedFact(CHANGES, f"name:{old[0]}", Relation.EQ, f"less{place}")
        yield StatedFact(CHANGES, f"name:{new[0]}", Relation.EQ, f"more{place}")


def _file(value: str) -> Facts:
    def list_facts(m: re.Match[str]) -> Iterator[StatedFact]:
        yield StatedFact(CHANGES, f"file:{clean(m['file'])}", Relation.EQ, value)

    return list_facts


_TO = any_of("to in into on of for")
_SOME = some_of("a an some more missing unit regression basic new additional the simple few")


def _word(value: str) -> Facts:
    def list_facts(m: re.Match[str]) -> Iterator[StatedFact]:
        what = _read_addition(m, m["noun"]) if value == "added" else value
        yield StatedFact(CHANGES, f"name:{clean(m['word'])}", Relation.EQ, what)

    return list_facts


_WORD = r"(?P<word>(?!(?:a|an|the|new|old|unused|this|that|all|some|more) )[A-Za-z_]\w{2,40})"
_ARTICLES = some_of("a an the new missing unused old optional deprecated obsolete public private static")

NAMED: Sequence[Phrase] = (
    (rf"{words.ADD} {_ARTICLES}{_WORD} (?P<noun>{words.OF_CODE})", _word("added")),
    (rf"{words.REMOVE} {_ARTICLES}{_WORD} (?P<noun>{words.OF_CODE})", _word("removed")),
    (rf"{words.ADD} {_EACH}(?: {_TO} {_NOUN}(?P<place>{NAME}){_NOUNS})?", _names("added")),
    (rf"{words.EXTRACT} {_EACH}(?: (?:from|out of) {_NOUN}(?P<place>{NAME}){_NOUNS})?", _expect_extracted),
    (rf"support {_EACH}(?: {_TO} {_NOUN}(?P<place>{NAME}){_NOUNS})?", _names("more")),
    (rf"{words.REMOVE} {_EACH}(?: (?:from|in) {_NOUN}(?P<place>{NAME}){_NOUNS})?", _names("removed")),
    (rf"{words.RENAME} {_list_pairs(_RENAMED)}{_WITH_TESTS}{_EVERYWHERE}{_INCLUDED}", _pairs("renamed")),
    (rf"{words.MOVE} {_list_pairs(_MOVED)}", _pairs("moved")),
    (rf"{words.ADD} {_EACH} with {_NOUN}(?P<more>{NAMES}){_NOUNS}", _names("added")),
    (rf"new {_EACH}(?: {_TO} {_NOUN}(?P<place>{NAME}){_NOUNS})?", _names("added")),
    (rf"{words.REPLACE} {_OLD} (?:with|by|for) {_NEW}(?: in {_NOUN}(?P<place>{NAME}){_NOUNS})?", _expect_replaced),
    (rf"{words.USE} {_NEW} {any_of('instead_of over rather_than in_place_of')} {_OLD}", _expect_replaced),
    (rf"{any_of('switch migrate move change convert')} from {_OLD} to {_NEW}", _expect_replaced),
    (rf"{words.DEPRECATE} {_EACH}", _names("deprecated")),
    (rf"{words.DOCUMENT} {_EACH}", _names("documented")),
    (
        (
            rf"(?:{words.ADD}|{words.CHANGE}) {some_of('the missing more')}{words.TEXTS} "
            rf"{any_of('for of to on about')} {_EACH}"
        ),
        _names("documented"),
    ),
    (
        (
            rf"(?:(?:{words.ADD}|improve|extend|write|more) )?{_SOME}{words.TESTS}"
            rf" {any_of('for of to_cover covering on')} {_EACH}"
        ),
        _names("tested"),
    ),
    (rf"{words.CHANGE} (?:the )?(?P<file>{FILE})(?: file)?", _file("changed")),
    (rf"{words.ADD} {some_of('a an the initial missing')}(?P<file>{FILE})(?: file)?", _file("added")),
    (rf"{words.REMOVE} (?:the )?(?P<file>{FILE})(?: file)?", _file("removed")),
)
