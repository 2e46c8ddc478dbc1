"""Phrases that say which earlier commit is reverted: by its title, as git writes it, or by its id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.commits.phrase import CHANGES, Phrase

_ID = r"(?P<id>[0-9a-f]{7,40})"


def state_revert(name: str) -> StatedFact:
    """State that a commit is reverted, by its title or id."""
    return StatedFact(CHANGES, f"revert:{name}", Relation.EQ, "undone")


def _expect_title(m: re.Match[str]) -> Iterator[StatedFact]:
    yield state_revert(m["title"])


def _expect_id(m: re.Match[str]) -> Iterator[StatedFact]:
    yield state_revert(m["id"].lower())


REVERTS: Sequence[Phrase] = (
    (r"revert(?:s|ed)?:? [\"\u201c](?P<title>.+)[\"\u201d]", _expect_title),
    (rf"(?:this )?revert(?:s|ed|ing)?:? (?:commit )?`?{_ID}`?", _expect_id),
)
