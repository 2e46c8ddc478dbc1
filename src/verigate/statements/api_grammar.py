"""How an API is told of: answers, schema, documentation, credentials, rate limits, latency."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.reading import Fact, Relation
from verigate.statements.matching import BAD, NUM, OK, Match, compiled

_RESPONSES = "api/responses.json"
_AUTH = "api/auth.json"
_ENDPOINTS = "(?:all )?(?:api )?endpoint"
_PHRASE = "(?: ok| create| no article)?"
"""OK, Created, No Content."""
_LATENCY_REL = "(?P<rel>ge|gt|le|lt)"


def _all_answer(m: Match) -> Iterator[Fact]:
    if m.found.groupdict().get("n") is None or m.number() == 200:
        yield Fact(_RESPONSES, "failing")
        if "k" in m.found.groupdict():
            yield Fact("api/endpoints.json", "/discovered", Relation.EQ, m.number("k"))


def _failing(m: Match) -> Iterator[Fact]:
    counted = m.found.groupdict().get("n") is not None
    yield Fact(_RESPONSES, "failing", m.relation if counted else Relation.GT, m.number() if counted else 0, bad=True)


def _answers(m: Match) -> Iterator[Fact]:
    status = m.number()
    if 100 <= status <= 599:
        for token in m.every("ep"):
            yield Fact(_RESPONSES, str(token.value), Relation.EQ, status, bad=status >= 500)


def _schema(_: Match) -> Iterator[Fact]:
    yield Fact("api/schema.json", "/ok", Relation.EQ, True)


def _no_violation(_: Match) -> Iterator[Fact]:
    yield Fact("api/schema.json", "/errors")


def _violations(m: Match) -> Iterator[Fact]:
    yield Fact("api/schema.json", "/errors", m.relation, m.number(), bad=m.number() > 0)


def _documented(_: Match) -> Iterator[Fact]:
    yield Fact("api/endpoints.json", "/undocumented")


def _undocumented(m: Match) -> Iterator[Fact]:
    yield Fact("api/endpoints.json", "/undocumented", m.relation, m.number(), bad=m.number() > 0)


def _discovered(m: Match) -> Iterator[Fact]:
    yield Fact("api/endpoints.json", "/discovered", m.relation, m.number())


def _all_protected(_: Match) -> Iterator[Fact]:
    yield Fact(_AUTH, "public")


def _standing(m: Match, word: str) -> Iterator[Fact]:
    for token in m.every("ep"):
        yield Fact(_AUTH, str(token.value), Relation.EQ, word)


def _protected(m: Match) -> Iterator[Fact]:
    yield from _standing(m, "protected")


def _public(m: Match) -> Iterator[Fact]:
    yield from _standing(m, "public")


def _rejected(_: Match) -> Iterator[Fact]:
    yield Fact(_AUTH, "violations")


def _limited(m: Match) -> Iterator[Fact]:
    for token in m.every("ep"):
        yield Fact("api/rate_limits.json", str(token.value), Relation.EQ, "limited")


def _limits(_: Match) -> Iterator[Fact]:
    yield Fact("api/rate_limits.json", "limited", Relation.GT, 0)


def _no_limits(_: Match) -> Iterator[Fact]:
    yield Fact("api/rate_limits.json", "limited", bad=True)


def _percentile(m: Match) -> Iterator[Fact]:
    what = "p50" if m.every("median") else str(m.every("percentile")[0].value)
    yield Fact(_RESPONSES, what, m.relation, float(m.token("d").value))


def _latency(m: Match) -> Iterator[Fact]:
    yield Fact(_RESPONSES, "latency", m.relation, float(m.token("d").value))


API = compiled(
    "endpoint",
    (
        (
            (
                rf"{_ENDPOINTS} (?:all )?return (?P<n>num)(?: ok)?",
                rf"{_ENDPOINTS} (?:all )?return 2xx",
                r"all (?P<k>num) (?:api )?endpoint (?:return (?P<n>num)|return 2xx|ok)",
                rf"all (?:api )?endpoint {OK}",
            ),
            _all_answer,
        ),
        (
            (
                rf"{NUM} (?:api )?endpoint {BAD}",
                rf"{NUM} {BAD} (?:api )?endpoint",
                rf"some (?:api )?endpoint {BAD}",
                rf"{_ENDPOINTS} {BAD}",
            ),
            _failing,
        ),
        (
            (
                rf"(?:endpoint )?ep(?: ep)*(?: endpoint)?(?: return)? (?:status |code )*(?P<n>num){_PHRASE}",
                r"api return (?P<n>num) (?:for|on|in) ep(?: ep)*",
            ),
            _answers,
        ),
        (
            (
                r"(?:all )?(?:api )?response (?:all )?(?:match|ok) (?:to )?(?:api |document )?schema(?: schema)?",
                r"api (?:match|ok) (?:to )?schema(?: schema)?",
            ),
            _schema,
        ),
        ((r"no schema (?:finding|error)", r"schema no (?:finding|error)"), _no_violation),
        ((r"(?P<n>num) schema (?:finding|error)",), _violations),
        (
            (
                r"all (?:api )?endpoint document",
                r"(?:api )?endpoint (?:all )?document",
                "no undocument endpoint",
                "no endpoint undocument",
            ),
            _documented,
        ),
        ((rf"{NUM} (?:api )?(?:endpoint undocument|undocument (?:api )?endpoint)",), _undocumented),
        (
            (
                rf"api {NUM} endpoint",
                rf"(?:check )?{NUM} (?:api )?endpoint(?: total)?",
                rf"endpoint (?:check )?{NUM}(?: total)?",
            ),
            _discovered,
        ),
        ((r"all (?:api )?endpoint (?:require (?:ok )?auth|protect)", "no (?:api )?endpoint public"), _all_protected),
        ((r"(?:endpoint )?ep(?: ep)*(?: endpoint)? (?:require (?:ok )?auth|protect(?: by auth)?)",), _protected),
        ((r"(?:endpoint )?ep(?: ep)*(?: endpoint)? (?:public(?: ok)?|not require auth)",), _public),
        (
            (
                r"(?:all )?unauth request (?:all )?reject",
                r"all protect endpoint reject (?:unauth request|request no auth)",
                r"all protect endpoint reject request",
                r"all (?:protect )?endpoint reject request no auth",
                r"request no auth reject",
            ),
            _rejected,
        ),
        (
            (r"(?:endpoint )?ep(?: ep)*(?: endpoint)? ratelimit", r"ratelimit (?:ok |active )?(?:in|on) ep(?: ep)*"),
            _limited,
        ),
        ((rf"ratelimit (?:{OK}|active|present)", "api ratelimit", "api active ratelimit"), _limits),
        ((rf"ratelimit not (?:create|active|present|{OK})", "no ratelimit"), _no_limits),
        (
            (
                rf"(?:percentile|median) latency (?:stay )?{_LATENCY_REL} (?P<d>dur)",
                rf"percentile (?:stay )?{_LATENCY_REL} (?P<d>dur)",
                rf"latency percentile {_LATENCY_REL} (?P<d>dur)",
            ),
            _percentile,
        ),
        (
            (
                rf"all (?:(?:api )?endpoint|response) return (?:in )?{_LATENCY_REL} (?P<d>dur)",
                rf"latency {_LATENCY_REL} (?P<d>dur)",
            ),
            _latency,
        ),
    ),
)
