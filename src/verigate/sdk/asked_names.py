"""The names of which a claim says that they were added, removed, changed, raised or moved.

They are written by who is judged: they are compared with texts, and go into no pattern or command line as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from verigate.sdk.stated_facts import list_stated_facts

MOST_NAMES = 60
MOST_CHARACTERS = 200
"""Names beyond these limits are left out, so that nothing supports them."""

MOST_REVERTS = 10
"""Each is compared with the change."""

_ARTIFACT = "changes.json"
_NAMING = ("name", "pin", "renamed", "moved", "followed")
_WORDS = "words:"
_REVERT = "revert:"
_PAIRS = ("renamed", "moved", "followed")


class AskedName(NamedTuple):
    """A name. ``folded``: it is that of a package as prose has it, whose case says nothing."""

    name: str
    folded: bool = False


def read_asked_names(claim: Mapping[str, Any]) -> tuple[AskedName, ...]:
    """Read the names in the statements of claim.json, in their order and once each."""
    fitting = (asked for asked in _list_names(claim) if _fits(asked.name))
    return tuple(dict.fromkeys(fitting))[:MOST_NAMES]


def read_asked_words(claim: Mapping[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read the kinds of texts of which a claim says what they are about, each with the words that it has for that."""
    found = (fact for fact in list_stated_facts(claim, _ARTIFACT) if fact.what.startswith(_WORDS))
    asked = ((fact.what.removeprefix(_WORDS), str(fact.value)) for fact in found)
    return tuple((kind, tuple(text.split())) for kind, text in dict.fromkeys(asked))[:MOST_NAMES]


def read_asked_reverts(claim: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the ids and titles of commits of which a claim says that they are reverted."""
    found = (fact.what for fact in list_stated_facts(claim, _ARTIFACT) if fact.what.startswith(_REVERT))
    names = (what.removeprefix(_REVERT) for what in dict.fromkeys(found))
    return tuple(filter(_fits, names))[:MOST_REVERTS]


def is_layout_asked(claim: Mapping[str, Any]) -> bool:
    """Whether a claim says of the change that it is one of layout alone."""
    return any(fact.what == "only" and fact.value == "layout" for fact in list_stated_facts(claim, _ARTIFACT))


def _fits(name: str) -> bool:
    return bool(name.strip()) and len(name) <= MOST_CHARACTERS and name.isprintable()


def _list_names(claim: Mapping[str, Any]) -> Iterator[AskedName]:
    for fact in list_stated_facts(claim, _ARTIFACT):
        kind, colon, name = fact.what.partition(":")
        if kind == "own" and fact.value != "changed":
            yield AskedName(str(fact.value).lower().removeprefix("v"), folded=True)
        if colon and kind in _NAMING:
            yield AskedName(name, folded=kind == "pin")
            if kind in _PAIRS:
                yield AskedName(str(fact.value).partition(" from ")[0])
