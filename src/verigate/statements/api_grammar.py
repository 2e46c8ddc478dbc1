"""Grammar of statements about an API: status codes, schema, documentation, credentials, rate limits, latency."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.grammar import BAD, NUM, OK, Match, compile_grammar

_RESPONSES = "api/responses.json"
_AUTH = "api/auth.json"
_ENDPOINTS = "(?:all )?(?:api )?endpoint"
_PHRASE = "(?: ok| create| no article)?"
"""The reason phrase after a status code: OK, Created, No Content."""
_LATENCY_REL = "(?P<rel>ge|gt|le|lt)"


def _expect_all_succeed(m: Match) -> Iterator[StatedFact]:
    counted = m.found.groupdict().get("n") is not None
    if not counted or m.number() == 200:
        yield StatedFact(_RESPONSES, "statuses", Relation.EQ, 200) if counted else StatedFact(_RESPONSES, "failing")
        if "k" in m.found.groupdict():
            yield StatedFact("api/endpoints.json", "/discovered", Relation.EQ, m.number("k"))


def _expect_failing(m: Match) -> Iterator[StatedFact]:
    counted = m.found.groupdict().get("n") is not None
    yield StatedFact(
        _RESPONSES, "failing", m.relation if counted else Relation.GT, m.number() if counted else 0, bad=True
    )


def _expect_status(m: Match) -> Iterator[StatedFact]:
    status = m.number()
    if 100 <= status <= 599:
        for token in m.every("ep"):
            yield StatedFact(_RESPONSES, str(token.value), Relation.EQ, status, bad=status >= 500)


def _expect_schema_match(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/schema.json", "/ok", Relation.EQ, True)


def _expect_no_schema_errors(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/schema.json", "/errors")


def _expect_schema_errors(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/schema.json", "/errors", m.relation, m.number(), bad=m.number() > 0)


def _expect_none_undocumented(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/endpoints.json", "/undocumented")


def _expect_undocumented(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/endpoints.json", "/undocumented", m.relation, m.number(), bad=m.number() > 0)


def _expect_endpoint_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/endpoints.json", "/discovered", m.relation, m.number())


def _expect_all_protected(_: Match) -> Iterator[StatedFact]:
    yield StatedFact(_AUTH, "public")


def _expect_access(m: Match, word: str) -> Iterator[StatedFact]:
    for token in m.every("ep"):
        yield StatedFact(_AUTH, str(token.value), Relation.EQ, word)


def _expect_protected(m: Match) -> Iterator[StatedFact]:
    yield from _expect_access(m, "protected")


def _expect_public(m: Match) -> Iterator[StatedFact]:
    yield from _expect_access(m, "public")


def _expect_no_auth_violations(_: Match) -> Iterator[StatedFact]:
    yield StatedFact(_AUTH, "violations")


def _expect_limited(m: Match) -> Iterator[StatedFact]:
    for token in m.every("ep"):
        yield StatedFact("api/rate_limits.json", str(token.value), Relation.EQ, "limited")


def _expect_some_limits(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/rate_limits.json", "limited", Relation.GT, 0)


def _expect_no_limits(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("api/rate_limits.json", "limited", bad=True)


def _expect_percentile(m: Match) -> Iterator[StatedFact]:
    what = "p50" if m.every("median") else str(m.every("percentile")[0].value)
    yield StatedFact(_RESPONSES, what, m.relation, float(m.token("d").value))


def _expect_latency(m: Match) -> Iterator[StatedFact]:
    yield StatedFact(_RESPONSES, "latency", m.relation, float(m.token("d").value))


API = compile_grammar(
    "endpoint",
    (
        (
            (
                rf"{_ENDPOINTS} (?:all )?return (?P<n>num)(?: ok)?",
                rf"{_ENDPOINTS} (?:all )?return 2xx",
                r"all (?P<k>num) (?:api )?endpoint (?:return (?P<n>num)|return 2xx|ok)",
                rf"all (?:api )?endpoint {OK}",
            ),
            _expect_all_succeed,
        ),
        (
            (
                rf"{NUM} (?:api )?endpoint {BAD}",
                rf"{NUM} {BAD} (?:api )?endpoint",
                rf"some (?:api )?endpoint {BAD}",
                rf"{_ENDPOINTS} {BAD}",
            ),
            _expect_failing,
        ),
        (
            (
                rf"(?:endpoint )?ep(?: ep)*(?: endpoint)?(?: return)? (?:status |code )*(?P<n>num){_PHRASE}",
                r"api return (?P<n>num) (?:for|on|in) ep(?: ep)*",
            ),
            _expect_status,
        ),
        (
            (
                r"(?:all )?(?:api )?response (?:all )?(?:match|ok) (?:to )?(?:api |document )?schema(?: schema)?",
                r"api (?:match|ok) (?:to )?schema(?: schema)?",
            ),
            _expect_schema_match,
        ),
        ((r"no schema (?:finding|error)", r"schema no (?:finding|error)"), _expect_no_schema_errors),
        ((r"(?P<n>num) schema (?:finding|error)",), _expect_schema_errors),
        (
            (
                r"all (?:api )?endpoint document",
                r"(?:api )?endpoint (?:all )?document",
                "no undocument endpoint",
                "no endpoint undocument",
            ),
            _expect_none_undocumented,
        ),
        ((rf"{NUM} (?:api )?(?:endpoint undocument|undocument (?:api )?endpoint)",), _expect_undocumented),
        (
            (
                rf"api {NUM} endpoint",
                rf"(?:check )?{NUM} (?:api )?endpoint(?: total)?",
                rf"endpoint (?:check )?{NUM}(?: total)?",
            ),
            _expect_endpoint_count,
        ),
        (
            (r"all (?:api )?endpoint (?:require (?:ok )?auth|protect)", "no (?:api )?endpoint public"),
            _expect_all_protected,
        ),
        ((r"(?:endpoint )?ep(?: ep)*(?: endpoint)? (?:require (?:ok )?auth|protect(?: by auth)?)",), _expect_protected),
        ((r"(?:endpoint )?ep(?: ep)*(?: endpoint)? (?:public(?: ok)?|not require auth)",), _expect_public),
        (
            (
                r"(?:all )?unauth request (?:all )?reject",
                r"all protect endpoint reject (?:unauth request|request no auth)",
                r"all protect endpoint reject request",
                r"all (?:protect )?endpoint reject request no auth",
                r"request no auth reject",
            ),
            _expect_no_auth_violations,
        ),
        (
            (r"(?:endpoint )?ep(?: ep)*(?: endpoint)? ratelimit", r"ratelimit (?:ok |active )?(?:in|on) ep(?: ep)*"),
            _expect_limited,
        ),
        ((rf"ratelimit (?:{OK}|active|present)", "api ratelimit", "api active ratelimit"), _expect_some_limits),
        ((rf"ratelimit not (?:create|active|present|{OK})", "no ratelimit"), _expect_no_limits),
        (
            (
                rf"(?:percentile|median) latency (?:stay )?{_LATENCY_REL} (?P<d>dur)",
                rf"percentile (?:stay )?{_LATENCY_REL} (?P<d>dur)",
                rf"latency percentile {_LATENCY_REL} (?P<d>dur)",
            ),
            _expect_percentile,
        ),
        (
            (
                rf"all (?:(?:api )?endpoint|response) return (?:in )?{_LATENCY_REL} (?P<d>dur)",
                rf"latency {_LATENCY_REL} (?P<d>dur)",
            ),
            _expect_latency,
        ),
    ),
)
