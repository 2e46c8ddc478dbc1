"""Grammar of statements about links."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.grammar import BAD, NUM, OK, Match, compile_grammar

_STATUSES = "links/statuses.json"
_PLACE = "(?: (?:in )?(?:all )?(?:docs(?: folder)?|(?:file )?path))?"
_GOOD = f"(?:{OK}|return num(?: ok)?|return 2xx)"


def _dead_fact(m: Match, value: int, relation: Relation = Relation.EQ) -> StatedFact:
    bad = value > 0 or relation is Relation.GT
    return StatedFact(_STATUSES, "dead", relation, value, scope=m.scope, bad=bad)


def _expect_all_live(m: Match) -> Iterator[StatedFact]:
    if any(
        m.tokens[index + 1].value != 200
        for index, token in enumerate(m.tokens)
        if token.form == "return" and m.tokens[index + 1].form == "num"
    ):
        return
    yield _dead_fact(m, 0)
    if m.has_group("n"):
        yield StatedFact("links/urlset.json", "count", m.relation, m.number(), scope=m.scope)


def _expect_none_dead(m: Match) -> Iterator[StatedFact]:
    yield _dead_fact(m, 0)


def _expect_some_dead(m: Match) -> Iterator[StatedFact]:
    yield _dead_fact(m, 0, Relation.GT)


def _expect_dead_count(m: Match) -> Iterator[StatedFact]:
    yield _dead_fact(m, m.number(), m.relation)


def _expect_live_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact(_STATUSES, "live", m.relation, m.number(), scope=m.scope)


def _expect_failing_count(m: Match) -> Iterator[StatedFact]:
    if m.number("s") >= 400:
        yield _dead_fact(m, m.number(), Relation.GE)


def _expect_live_of_total(m: Match) -> Iterator[StatedFact]:
    live, total = m.token("r").value
    yield StatedFact(_STATUSES, "live", Relation.EQ, live, bad=live < total)
    yield StatedFact("links/urlset.json", "count", Relation.EQ, total)


def _expect_dead_of_total(m: Match) -> Iterator[StatedFact]:
    dead, total = m.token("r").value
    yield _dead_fact(m, dead)
    yield StatedFact("links/urlset.json", "count", Relation.EQ, total, scope=m.scope)


def _expect_none_dead_of(m: Match) -> Iterator[StatedFact]:
    yield _dead_fact(m, 0)
    yield from _expect_link_count(m)


def _expect_link_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("links/urlset.json", "count", m.relation, m.number(), scope=m.scope)


def _expect_status(m: Match) -> Iterator[StatedFact]:
    status = m.number()
    yield StatedFact(_STATUSES, str(m.token("u").value), Relation.EQ, status, bad=status >= 400)


def _expect_url_live(m: Match) -> Iterator[StatedFact]:
    for token in m.every("url"):
        yield StatedFact(_STATUSES, str(token.value), Relation.EQ, "live")


def _expect_url_dead(m: Match) -> Iterator[StatedFact]:
    for token in m.every("url"):
        yield StatedFact(_STATUSES, str(token.value), Relation.EQ, "dead", bad=True)


LINKS = compile_grammar(
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
            lambda m: _expect_all_live(m) if "all" in m.found.string.split() or not m.has_group("n") else iter(()),
        ),
        (
            (
                rf"(?:no|none) (?:all )?(?:{BAD} )?link{_PLACE}(?: {BAD})?(?: in docs)?",
                rf"(?:all )?(?:docs|path|article) (?:no|none) {BAD} link",
                rf"link (?:no|none) (?:link )?{BAD}(?: link)?{_PLACE}",
                rf"link{_PLACE} (?:no|none) {BAD}",
            ),
            _expect_none_dead,
        ),
        (
            (
                rf"(?:only )?{NUM} {BAD} link{_PLACE}(?: stay)?",
                rf"(?:only )?{NUM} link{_PLACE} {BAD}",
                rf"link {NUM} (?:link )?{BAD}(?: link)?{_PLACE}",
                rf"{BAD} link {NUM}",
                rf"(?:docs|path) {NUM} {BAD} link",
            ),
            _expect_dead_count,
        ),
        ((r"(?:all )?(?P<r>ratio) link ok", r"link (?P<r>ratio)(?: ok)?"), _expect_live_of_total),
        ((rf"(?P<r>ratio) link{_PLACE} {BAD}", rf"link (?P<r>ratio) {BAD}"), _expect_dead_of_total),
        ((rf"(?:no|none) (?:all )?{NUM} link{_PLACE} {BAD}",), _expect_none_dead_of),
        ((rf"link {NUM} {OK}",), _expect_live_count),
        ((rf"{NUM} link{_PLACE} return (?P<s>num)",), _expect_failing_count),
        ((r"link (?:no|none) error",), _expect_none_dead),
        (
            (
                rf"some (?:{BAD} )?link(?:{_PLACE} {BAD})?{_PLACE}",
                rf"(?:all )?link{_PLACE} (?:{BAD}|not {OK})",
                rf"not all link{_PLACE} {OK}",
            ),
            _expect_some_dead,
        ),
        (
            (
                rf"(?:check )?(?:all )?{NUM} link{_PLACE}(?: check)?",
                rf"link (?:check )?{NUM} (?:link )?(?:check|total)",
                rf"link (?:check |total )?{NUM}",
                rf"check {NUM} link{_PLACE}",
            ),
            _expect_link_count,
        ),
        ((r"(?:link )?(?P<u>url) return (?P<n>num)(?: ok)?",), _expect_status),
        ((rf"(?:link )?url(?: url)* {OK}",), _expect_url_live),
        ((rf"(?:link )?url(?: url)* (?:{BAD}|not {OK})",), _expect_url_dead),
    ),
)
