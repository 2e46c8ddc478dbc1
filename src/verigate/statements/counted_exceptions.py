"""Read exceptions that carry a count: "lint is clean except for 2 warnings" states that there are two warnings.

An exception without a number, or of another kind ("except in src"), states nothing and leaves the sentence negated.
The counted exception is a shortcoming, so no such sentence is a claim of success.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from verigate.domain.statement_reading import Relation, StatedFact

_EXCEPT = re.compile(
    r"^(?P<head>[^.;:]{3,120}?),? (?:except(?:ing)?(?: for)?|apart from|aside from|other than|save for|but for|"
    r"bar(?:ring)?|with the exception of) (?P<count>[\w ]{1,20}?) (?P<of>(?:lint |build |compiler )?"
    r"(?:warnings?|errors?)|(?:test )?failures?|failing tests?)[.!]*$",
    re.IGNORECASE,
)
_ZERO = (Relation.EQ, 0)


def read_counted_exception(text: str, read: Callable[[str], Sequence[StatedFact]]) -> tuple[StatedFact, ...]:
    """Return the facts of a sentence with a counted exception, () for any other sentence.

    ``read`` returns the facts of a single clause.
    """
    found = _EXCEPT.match(text)
    if found is None:
        return ()
    head = read(found["head"])
    artifacts = {fact.artifact for fact in head}
    if len(artifacts) != 1 or any(fact.bad for fact in head):
        return ()
    topic = _TOPICS.get(artifact := artifacts.pop())
    said = found["of"].lower().split()
    if topic is None or said[0] in _TOPIC_WORDS - topic:
        return ()
    counted = " ".join(word for word in said if word not in _TOPIC_WORDS)
    excepted = read(f"{_NAMED[artifact]} {found['count']} {counted}")
    if len(excepted) != 1 or excepted[0].artifact != artifact or not excepted[0].bad:
        return ()
    count = replace(excepted[0], tool=head[0].tool)
    return _combine(head, count)


_TOPICS = {
    "tests.json": frozenset({"test"}),
    "lint.json": frozenset({"lint"}),
    "build.json": frozenset({"build", "compiler"}),
}
_TOPIC_WORDS = frozenset().union(*_TOPICS.values())
_NAMED = {"tests.json": "tests:", "lint.json": "lint:", "build.json": "build:"}


def _combine(head: Sequence[StatedFact], count: StatedFact) -> tuple[StatedFact, ...]:
    """Return the facts of the whole, with the exception's count in place of its zero; () if the two don't fit."""
    kept: list[StatedFact] = []
    for fact in head:
        whats = ("/errors", "/warnings") if fact.what == "findings" else (fact.what,)
        if (fact.relation, fact.value) != _ZERO and fact.what != "/success":
            return ()
        kept += [replace(fact, what=what) for what in whats if what != count.what]
    if count.artifact == "build.json" and count.what == "/errors":
        return ()  # a build with errors doesn't succeed
    return (*kept, count)
