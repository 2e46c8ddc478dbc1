"""How links are told of."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.reading import Fact, Relation
from verigate.statements.matching import BAD, NUM, OK, Match, compiled

_STATUSES = "links/statuses.json"
_PLACE = "(?: (?:in )?(?:all )?(?:docs(?: folder)?|(?:file )?path))?"
_GOOD = f"(?:{OK}|return num(?: ok)?|return 2xx)"


def _dead(m: Match, value: int, relation: Relation = Relation.EQ) -> Fact:
    bad = value > 0 or relation is Relation.GT
    return Fact(_STATUSES, "dead", relation, value, scope=m.scope, bad=bad)


def _live(m: Match) -> Iterator[Fact]:
    if any(
        m.tokens[index + 1].value != 200
        for index, token in enumerate(m.tokens)
        if token.form == "return" and m.tokens[index + 1].form == "num"
    ):
        return
    yield _dead(m, 0)
    if m.has("n"):
        yield Fact("links/urlset.json", "count", m.relation, m.number(), scope=m.scope)


def _none_dead(m: Match) -> Iterator[Fact]:
    yield _dead(m, 0)


def _some_dead(m: Match) -> Iterator[Fact]:
    yield _dead(m, 0, Relation.GT)


def _dead_counted(m: Match) -> Iterator[Fact]:
    yield _dead(m, m.number(), m.relation)


def _live_counted(m: Match) -> Iterator[Fact]:
    yield Fact(_STATUSES, "live", m.relation, m.number(), scope=m.scope)


def _failing(m: Match) -> Iterator[Fact]:
    if m.number("s") >= 400:
        yield _dead(m, m.number(), Relation.GE)


def _all_of(m: Match) -> Iterator[Fact]:
    live, total = m.token("r").value
    yield Fact(_STATUSES, "live", Relation.EQ, live, bad=live < total)
    yield Fact("links/urlset.json", "count", Relation.EQ, total)


def _some_of(m: Match) -> Iterator[Fact]:
    dead, total = m.token("r").value
    yield _dead(m, dead)
    yield Fact("links/urlset.json", "count", Relation.EQ, total, scope=m.scope)


def _none_of(m: Match) -> Iterator[Fact]:
    yield _dead(m, 0)
    yield from _counted(m)


def _counted(m: Match) -> Iterator[Fact]:
    yield Fact("links/urlset.json", "count", m.relation, m.number(), scope=m.scope)


def _answers(m: Match) -> Iterator[Fact]:
    status = m.number()
    yield Fact(_STATUSES, str(m.token("u").value), Relation.EQ, status, bad=status >= 400)


def _one_live(m: Match) -> Iterator[Fact]:
    for token in m.every("url"):
        yield Fact(_STATUSES, str(token.value), Relation.EQ, "live")


def _one_dead(m: Match) -> Iterator[Fact]:
    for token in m.every("url"):
        yield Fact(_STATUSES, str(token.value), Relation.EQ, "dead", bad=True)


LINKS = compiled(
    "link",
    (
        (
            (
                rf"(?:all )?(?:{NUM} )?(?:docs )?link{_PLACE} (?:all )?{_GOOD}",
                rf"all {NUM} link{_PLACE} {_GOOD}",
                rf"link all {NUM} {_GOOD}",
                rf"(?:ok )?all link {_GOOD}",
                rf"(?:docs|path) link (?:all )?{_GOOD}",
            ),
            lambda m: _live(m) if "all" in m.found.string.split() or not m.has("n") else iter(()),
        ),
        (
            (
                rf"(?:no|none) (?:all )?(?:{BAD} )?link{_PLACE}(?: {BAD})?(?: in docs)?",
                rf"(?:all )?(?:docs|path|article) (?:no|none) {BAD} link",
                rf"link (?:no|none) (?:link )?{BAD}(?: link)?{_PLACE}",
                rf"link{_PLACE} (?:no|none) {BAD}",
            ),
            _none_dead,
        ),
        (
            (
                rf"(?:only )?{NUM} {BAD} link{_PLACE}(?: stay)?",
                rf"(?:only )?{NUM} link{_PLACE} {BAD}",
                rf"link {NUM} (?:link )?{BAD}(?: link)?{_PLACE}",
                rf"{BAD} link {NUM}",
                rf"(?:docs|path) {NUM} {BAD} link",
            ),
            _dead_counted,
        ),
        ((r"(?:all )?(?P<r>ratio) link ok", r"link (?P<r>ratio)(?: ok)?"), _all_of),
        ((rf"(?P<r>ratio) link{_PLACE} {BAD}", rf"link (?P<r>ratio) {BAD}"), _some_of),
        ((rf"(?:no|none) (?:all )?{NUM} link{_PLACE} {BAD}",), _none_of),
        ((rf"link {NUM} {OK}",), _live_counted),
        ((rf"{NUM} link{_PLACE} return (?P<s>num)",), _failing),
        ((r"link (?:no|none) error",), _none_dead),
        (
            (
                rf"some (?:{BAD} )?link(?:{_PLACE} {BAD})?{_PLACE}",
                rf"(?:all )?link{_PLACE} (?:{BAD}|not {OK})",
                rf"not all link{_PLACE} {OK}",
            ),
            _some_dead,
        ),
        (
            (
                rf"(?:check )?(?:all )?{NUM} link{_PLACE}(?: check)?",
                rf"link (?:check )?{NUM} (?:link )?(?:check|total)",
                rf"link (?:check |total )?{NUM}",
                rf"check {NUM} link{_PLACE}",
            ),
            _counted,
        ),
        ((r"(?:link )?(?P<u>url) return (?P<n>num)(?: ok)?",), _answers),
        ((rf"(?:link )?url(?: url)* {OK}",), _one_live),
        ((rf"(?:link )?url(?: url)* (?:{BAD}|not {OK})",), _one_dead),
    ),
)
