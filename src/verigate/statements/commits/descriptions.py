"""What a commit of texts, tests or pipelines alone is about: the words of its description that carry its meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.domain.statement_reading import Clause, Relation, StatedFact
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
_EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "of",
        "for",
        "in",
        "on",
        "with",
        "by",
        "from",
        "at",
        "as",
        "is",
        "are",
        "be",
        "it",
        "its",
        "and",
        "or",
        "not",
        "into",
        "via",
        "per",
        "this",
        "that",
        "these",
        "those",
        "which",
        "when",
        "where",
        "how",
        "what",
        "why",
        "some",
        "more",
        "new",
        "about",
        "after",
        "before",
        "all",
        "any",
        "up",
        "out",
        "so",
        "than",
        "then",
        "their",
        "there",
        "our",
        "your",
        "we",
        "you",
        "us",
        "another",
        "other",
        "also",
        "only",
        "if",
        "while",
        "between",
        "instead",
        "rather",
        "now",
        "no",
        "longer",
        "docs",
        "doc",
        "documentation",
        "tests",
        "test",
        "testing",
        "ci",
        "section",
        "page",
        "entry",
        "note",
        "notes",
        "info",
        "information",
        "wording",
        "text",
        "description",
        "descriptions",
        "details",
        "example",
        "examples",
        "case",
        "cases",
        "suite",
        "file",
        "files",
        "add",
        "update",
        "fix",
    ]
)


def read_description(text: str, typed: Sequence[Clause]) -> tuple[StatedFact, ...]:
    """Return what the texts, tests or pipelines of a typed line should be about; () for others, and for no words.

    A description with a negation says more than its words do.
    """
    kinds = [str(fact.value) for clause in typed for fact in clause.facts]
    if len(kinds) != 1 or kinds[0] not in _DESCRIBED or has_negation(text) or _BEGINS.match(text) is None:
        return ()
    words = [word.strip("`'").lower() for word in _WORD.findall(_BEGINS.sub("", text, count=1))]
    telling = [word for word in words if word not in _EMPTY and not re.search(r"\s", word)]
    if not telling:
        return ()
    return (StatedFact(CHANGES, f"words:{kinds[0]}", Relation.EQ, " ".join(dict.fromkeys(telling))),)
