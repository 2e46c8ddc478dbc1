"""A sentence that excepts what it counts: "lint is clean except for 2 warnings" says that there are two of them.

What is excepted without a number, or isn't of the kind that was denied ("except in src"), says nothing: it stays a
sentence that takes itself back. What is counted is a shortcoming, so that no such sentence is a claim of success.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from verigate.domain.reading import Fact, Relation

_EXCEPT = re.compile(
    r"^(?P<head>[^.;:]{3,120}?),? (?:except(?:ing)?(?: for)?|apart from|aside from|other than|save for|but for|"
    r"bar(?:ring)?|with the exception of) (?P<count>[\w ]{1,20}?) (?P<of>(?:lint |build |compiler )?"
    r"(?:warnings?|errors?)|(?:test )?failures?|failing tests?)[.!]*$",
    re.IGNORECASE,
)
_ZERO = (Relation.EQ, 0)


def counted_exception(text: str, read: Callable[[str], Sequence[Fact]]) -> tuple[Fact, ...]:
    """The facts of such a sentence, none where it isn't one. ``read`` gives those of a clause that stands alone."""
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
    return _without(head, count)


_TOPICS = {
    "tests.json": frozenset({"test"}),
    "lint.json": frozenset({"lint"}),
    "build.json": frozenset({"build", "compiler"}),
}
_TOPIC_WORDS = frozenset().union(*_TOPICS.values())
_NAMED = {"tests.json": "tests:", "lint.json": "lint:", "build.json": "build:"}


def _without(head: Sequence[Fact], count: Fact) -> tuple[Fact, ...]:
    """What is said of the whole, without what the exception says otherwise; () where the two don't fit."""
    kept: list[Fact] = []
    for fact in head:
        whats = ("/errors", "/warnings") if fact.what == "findings" else (fact.what,)
        if (fact.relation, fact.value) != _ZERO and fact.what != "/success":
            return ()
        kept += [replace(fact, what=what) for what in whats if what != count.what]
    if count.artifact == "build.json" and count.what == "/errors":
        return ()  # a build with errors is none that succeeds
    return (*kept, count)
