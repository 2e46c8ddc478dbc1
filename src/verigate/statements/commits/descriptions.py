"""What a commit of texts, tests or pipelines alone is about: the words of its description that carry its meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.domain.statement_reading import Clause, Relation, StatedFact
from verigate.statements.commits import vocabulary as words
from verigate.statements.commits.phrase import CHANGES
from verigate.statements.qualifiers import has_negation

_DESCRIBED = frozenset({"docs", "tests", "ci"})
_WORD = re.compile(r"[^\W\d_][\w'-]*(?:[.:/#][\w-]+)*|\d+(?:\.\d+)+|`[^`]+`")
_BEGINS = re.compile(
    r"(?:add|adds|added|update|updates|updated|fix|fixes|fixed|clarify|clarifies|clarified|improve|improves|improved|"
    r"correct|corrects|corrected|document|documents|describe|mention|mentions|explain|explains|note|reword|rewrite|"
    r"rewrote|tweak|tweaks|clean|cleanup|expand|extend|test|tests|cover|covers|verify|check|exercise|remove|removes|removed|"
    r"delete|drop|rename|move|use|uses|change|changes|make|refactor|simplify|set|run|enable|disable|switch|bump|pin|"
    r"replace|list|link|better|more|minor|small|polish|format|sync|refresh|align|adjust|migrate|show|include|"
    r"regenerate|restore|revert|skip|split|merge|reorganize|reorganise|restructure|write|publish|introduce|ignore|"
    r"allow|ensure|stop|try|turn|convert|consolidate|dedupe|deduplicate|reduce|increase|upgrade|install)(?= |$)",
    re.IGNORECASE,
)
_MOVED = (
    ("added", re.compile(rf"{words.ADD} (?P<what>.+)", re.IGNORECASE)),
    ("removed", re.compile(rf"{words.REMOVE} (?P<what>.+)", re.IGNORECASE)),
)
_VAGUE = re.compile(words.VAGUE_EDITS, re.IGNORECASE)
_MOST_WORDS = 8
_FEWEST = 2
_VERB = re.compile(r"[A-Za-z][a-z]+ (?!and |or )")


def read_moved(text: str) -> tuple[StatedFact, ...]:
    """Return which words must have come, or gone, of a line that adds or removes what it names in prose."""
    for side, pattern in _MOVED:
        found = pattern.fullmatch(text)
        if found is not None and not has_negation(text) and not _CONDITION.search(text) and not _counts(text):
            telling = list_telling_words(found["what"])
            if 0 < len(telling) <= _MOST_WORDS:
                return (StatedFact(CHANGES, f"words:{side}", Relation.EQ, " ".join(dict.fromkeys(telling))),)
    return ()


_DOCUMENTS = re.compile(rf"{words.DOCUMENT} (?P<what>.+)", re.IGNORECASE)


def read_documented(text: str) -> tuple[StatedFact, ...]:
    """Return which words must stand in the lines that texts got, of a line that documents what it names in prose."""
    found = _DOCUMENTS.fullmatch(text)
    if found is None or not _is_plain(text):
        return ()
    telling = list_telling_words(found["what"])
    if not _FEWEST <= len(telling) <= _MOST_WORDS:
        return ()
    return (StatedFact(CHANGES, "words:documented", Relation.EQ, " ".join(dict.fromkeys(telling))),)


def read_about(text: str, kind: str = "docs") -> tuple[StatedFact, ...]:
    """Return which words the changed texts, tests or pipelines must have, of a text that says what they are about.

    () if it has none, or says more than that. What a test is about needs two words: one may stand anywhere in it.
    """
    telling = list_telling_words(text) if _is_plain(text) else []
    if not telling or (kind == "tests" and len(telling) < _FEWEST):
        return ()
    return (StatedFact(CHANGES, f"words:{kind}", Relation.EQ, " ".join(dict.fromkeys(telling))),)


def _is_plain(text: str) -> bool:
    return not has_negation(text) and not _CONDITION.search(text) and not _counts(text) and not _JOINED.search(text)


_JOINED = re.compile(r",|&|\b(?:and|or)\b", re.IGNORECASE)
"""What joins two things, of which each might be meant otherwise."""

_CONDITION = re.compile(
    r"\b(?:if|when|unless|so|because|since|instead|until|only|where|which|that|by|via|but|except|everywhere|"
    r"throughout)\b",
    re.IGNORECASE,
)
"""Words with which more is said than what came or went."""


_INSTEAD = re.compile(r"\b(?:instead of|rather than|over)\b", re.IGNORECASE)
"""What became of what: words in changed lines don't show the direction."""

_COUNTS = re.compile(
    r"(?<![\w.#-])\d+(?![\w.-]|\.\d)|\b(?:all|every|each|both|any|entire|whole|full|fully|two|three|four|five|six|seven|eight|nine|"
    r"ten|comprehensive|thorough|extensive|complete|proper|properly|correct|correctly|better|more)\b",
    re.IGNORECASE,
)
"""Words that say how many, or how well: no line shows that."""


def _counts(text: str) -> bool:
    return _COUNTS.search(re.sub(r"`[^`]*`", "", text)) is not None


def list_telling_words(text: str) -> list[str]:
    """List the words that carry the meaning of a description, in lower case."""
    found = (word.strip("`'").lower() for word in _WORD.findall(text))
    return [word for word in found if word not in words.EMPTY and not re.search(r"\s", word)]


def read_description(text: str, typed: Sequence[Clause]) -> tuple[StatedFact, ...]:
    """Return what the texts, tests or pipelines of a typed line should be about; () for others, and for no words.

    A description with a negation says more than its words do, and one like "cleanup" no more than the type.
    """
    kinds = [str(fact.value) for clause in typed for fact in clause.facts]
    if _VAGUE.fullmatch(text) is not None:
        return tuple(fact for clause in typed for fact in clause.facts if fact.what == "only")
    if len(kinds) != 1 or kinds[0] not in _DESCRIBED or has_negation(text) or _counts(text) or _INSTEAD.search(text):
        return ()
    telling = list_telling_words(_BEGINS.sub("", text, count=1))
    if _BEGINS.match(text) is None:
        # A verb that no table has: what else is said must be enough to know what it is about.
        telling = telling[1:] if _VERB.match(text) is not None and len(telling) > _FEWEST else []
    if not telling:
        return ()
    return (StatedFact(CHANGES, f"words:{kinds[0]}", Relation.EQ, " ".join(dict.fromkeys(telling))),)
