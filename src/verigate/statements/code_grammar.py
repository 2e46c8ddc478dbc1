"""Grammar of statements about lint, builds and coverage."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.grammar import BAD, NUM, OK, PCT, Match, compile_grammar, negate_relation


def _lint_fact(m: Match, what: str, value: int, relation: Relation = Relation.EQ, *, bad: bool = False) -> StatedFact:
    return StatedFact("lint.json", what, relation, value, tool=m.tool, bad=bad)


_COUNTED = {"error": "/errors", "warning": "/warnings", "finding": "findings"}


def _expect_findings(m: Match) -> Iterator[StatedFact]:
    value = m.number() if m.has_group("n") else 0
    said = [token.form for token in m.tokens if token.form in _COUNTED]
    if len(said) > 1 and value == 0 and "finding" not in said:
        for form in said:
            yield _lint_fact(m, _COUNTED[form], 0, m.relation)
        return
    what = "findings" if len(said) > 1 else _COUNTED[said[0]]
    yield _lint_fact(
        m, what, value, m.relation, bad=value > 0 and m.relation in {Relation.EQ, Relation.GT, Relation.GE}
    )


def _expect_some_findings(m: Match) -> Iterator[StatedFact]:
    said = [token.form for token in m.tokens if token.form in _COUNTED]
    yield _lint_fact(m, _COUNTED[said[0]] if len(said) == 1 else "findings", 0, Relation.GT, bad=True)


def _expect_no_errors(m: Match) -> Iterator[StatedFact]:
    yield _lint_fact(m, "/errors", 0)


def _expect_no_errors_nor(m: Match) -> Iterator[StatedFact]:
    yield _lint_fact(m, "/errors", 0)
    yield from _expect_findings(m)


def _expect_no_findings_in_files(m: Match) -> Iterator[StatedFact]:
    yield _lint_fact(m, _COUNTED[m.token("what").form], 0)
    yield from _expect_files_linted(m)


def _expect_files_linted(m: Match) -> Iterator[StatedFact]:
    yield _lint_fact(m, "/files_checked", m.number(), m.relation)


def _expect_clean_files(m: Match) -> Iterator[StatedFact]:
    yield _lint_fact(m, "/errors", 0)
    yield from _expect_files_linted(m)


def _expect_errors(m: Match) -> Iterator[StatedFact]:
    yield _lint_fact(m, "/errors", 0, Relation.GT, bad=True)


def _expect_linters_intact(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("integrity.json", "linters")


def _expect_no_suppressions(_: Match) -> Iterator[StatedFact]:
    yield StatedFact("integrity.json", "suppressions")


_LOST = "(?:weaken|skip|delete)"
_SILENCER = "(?:lint )?suppression"
_RULES = "lint(?: (?:rule|check))?"
_WHAT = "(?P<what>error|warning|finding)(?: or (?:error|warning|finding))?"

LINT = compile_grammar(
    "lint",
    (
        (
            (
                rf"(?:all )?(?:code )?(?:run )?lint (?:all )?(?:checks )?{OK}",
                f"{OK} (?:all )?lint(?: run)?",
                f"lint {OK} all",
            ),
            _expect_no_errors,
        ),
        ((rf"(?:all )?lint {OK} no {_WHAT}",), _expect_no_errors_nor),
        ((rf"(?:all )?lint {BAD}", f"{BAD} lint", rf"lint not {OK}", rf"not lint {OK}"), _expect_errors),
        (
            (
                rf"(?:no|none) (?:lint )?{_WHAT}(?: (?:from |by |in )?lint)?",
                rf"fix all lint {_WHAT}",
                rf"lint (?:no|none) {_WHAT}(?: stay)?",
                rf"(?:only )?{NUM} (?:lint )?{_WHAT}(?: (?:from |by )lint)?(?: stay)?",
                rf"lint (?:(?:bad|ok) )?{NUM} (?:lint )?{_WHAT}(?: stay)?",
                rf"lint (?P<what>error|warning|finding) {NUM}",
            ),
            _expect_findings,
        ),
        (
            (rf"some (?:lint )?{_WHAT}(?: (?:from |by )?lint)?(?: stay)?", rf"lint some {_WHAT}(?: stay)?"),
            _expect_some_findings,
        ),
        (
            (r"(?:lint )?(?:ok )?(?:no|none) (?:lint )?(?P<what>finding|error|warning) in (?P<n>num) file",),
            _expect_no_findings_in_files,
        ),
        ((rf"lint {OK} (?:on|in) (?:all )?{NUM} file",), _expect_clean_files),
        (
            (
                rf"no {_RULES} {_LOST}(?:(?: or)? {_LOST})*",
                rf"not {_LOST}(?:(?: or)? {_LOST})* (?:some |any )?{_RULES}",
                rf"{_RULES} not {_LOST}(?:(?: or)? {_LOST})*",
            ),
            _expect_linters_intact,
        ),
        (
            (
                rf"no (?:new )?{_SILENCER}(?: create)?",
                rf"not create (?:some |any )?(?:new )?{_SILENCER}",
                rf"{_SILENCER} not create",
                rf"create no (?:new )?{_SILENCER}",
            ),
            _expect_no_suppressions,
        ),
        ((r"lint none",), lambda m: [_lint_fact(m, "findings", 0)]),
        ((rf"lint (?:check )?(?:in )?{NUM} file(?: check)?",), _expect_files_linted),
    ),
)


def _build_fact(m: Match, what: str, value: bool | int, *, bad: bool = False) -> StatedFact:
    return StatedFact("build.json", what, Relation.EQ, value, tool=m.tool, bad=bad)


_TESTING = frozenset({"maven"})
"""Tools whose build runs the tests as well, so that it fails with them."""


def _expect_build(m: Match) -> Iterator[StatedFact]:
    yield _build_fact(m, "/success", True)
    if m.tool in _TESTING:
        yield StatedFact("tests.json", "/failed", Relation.EQ, 0, tool=m.tool)


def _expect_broken_build(m: Match) -> Iterator[StatedFact]:
    if m.tool not in _TESTING:
        yield _build_fact(m, "/success", False, bad=True)


def _expect_build_findings(m: Match) -> Iterator[StatedFact]:
    if m.tool in _TESTING:
        return
    value = m.number() if m.has_group("n") else 0
    for form in dict.fromkeys(token.form for token in m.tokens if token.form in {"error", "warning"}):
        yield _build_fact(m, _COUNTED[form], value, bad=value > 0)


def _expect_build_without(m: Match) -> Iterator[StatedFact]:
    if m.tool in _TESTING:
        return
    yield _build_fact(m, "/success", True)
    yield from _expect_build_findings(m)


_COMPLAINT = "(?:error|warning)(?: or (?:error|warning))?"

BUILD = compile_grammar(
    "build",
    (
        (
            (
                rf"(?:run )?(?:all )?(?:code )?build (?:all )?{OK}",
                f"{OK} build",
                rf"(?:all )?(?:code )?(?:compile|builds)(?: {OK})?",
                rf"(?:code )?build (?:nolonger {BAD}|not {BAD})",
            ),
            _expect_build,
        ),
        (
            (
                rf"(?:code )?build (?:{BAD}|not {OK})",
                f"{BAD} build",
                r"(?:code )?not (?:compile|builds|build)",
            ),
            _expect_broken_build,
        ),
        (
            (rf"(?:all )?(?:code )?(?:(?:compile|builds)(?: ok)*|build ok) no (?:build )?{_COMPLAINT}",),
            _expect_build_without,
        ),
        (
            (
                rf"build no (?:build )?{_COMPLAINT}",
                rf"no (?:build|compile) {_COMPLAINT}",
                rf"(?:code )?build (?:{BAD} )?{NUM} {_COMPLAINT}",
            ),
            _expect_build_findings,
        ),
    ),
)


def _types_fact(m: Match, value: int, relation: Relation = Relation.EQ, *, bad: bool = False) -> StatedFact:
    return StatedFact("build.json", "types", relation, value, tool=m.tool, bad=bad)


def _expect_types(m: Match) -> Iterator[StatedFact]:
    yield _types_fact(m, 0)


def _expect_build_with_types(m: Match) -> Iterator[StatedFact]:
    yield _build_fact(m, "/success", True)
    yield _types_fact(m, 0)


def _expect_type_errors(m: Match) -> Iterator[StatedFact]:
    yield _types_fact(m, m.number(), bad=m.number() > 0)


def _expect_some_type_errors(m: Match) -> Iterator[StatedFact]:
    yield _types_fact(m, 0, Relation.GT, bad=True)


TYPES = compile_grammar(
    "types",
    (
        (
            (
                rf"(?:run )?(?:all )?(?:code )?types (?:all )?{OK}(?: no (?:typeerror|error))?",
                f"{OK} types",
                r"types (?:no|none) (?:typeerror|error)",
                r"build (?:no|none) typeerror",
                r"(?:no|none) typeerror(?: create)?",
            ),
            _expect_types,
        ),
        ((r"(?:code )?(?:(?:compile|builds)(?: ok)*|build ok) no typeerror",), _expect_build_with_types),
        ((rf"(?:types )?{NUM} typeerror", rf"types (?:{BAD} )?{NUM} error"), _expect_type_errors),
        ((rf"types {BAD}", f"{BAD} types", rf"types not {OK}", "some typeerror"), _expect_some_type_errors),
    ),
)


def _coverage_fact(what: str, m: Match, *, bad: bool = False, relation: Relation | None = None) -> StatedFact:
    token = m.token("p")
    stands = m.relation if relation is None else relation
    return StatedFact("coverage.json", what, stands, token.value, token.step if stands is Relation.EQ else 0.0, bad=bad)


def _expect_level(m: Match) -> Iterator[StatedFact]:
    kind = m.found.groupdict().get("kind")
    yield _coverage_fact({"branch": "branches", "function": "functions"}.get(kind or "", "/pct"), m)


def _change_fact(relation: Relation, *, bad: bool = False) -> StatedFact:
    return StatedFact("coverage.json", "change", relation, 0, bad=bad)


def _expect_move_to(m: Match) -> Iterator[StatedFact]:
    down = m.has_group("down")
    yield _coverage_fact("/pct", m, bad=down, relation=Relation.EQ)
    yield _change_fact(Relation.LT if down else Relation.GT, bad=down)


def _expect_from_to(m: Match) -> Iterator[StatedFact]:
    first, second = m.every("pct")
    yield StatedFact("coverage.json", "/base/pct", Relation.EQ, first.value, first.step)
    yield StatedFact("coverage.json", "/pct", Relation.EQ, second.value, second.step, bad=second.value < first.value)


def _expect_at_least(m: Match) -> Iterator[StatedFact]:
    yield _coverage_fact("/pct", m, relation=Relation.GE)


def _expect_base_level(m: Match) -> Iterator[StatedFact]:
    yield _coverage_fact("/base/pct", m)


def _expect_opposite(m: Match) -> Iterator[StatedFact]:
    relation = negate_relation(m.relation)
    yield _coverage_fact("/pct", m, relation=relation, bad=relation in {Relation.LT, Relation.LE})


def _expect_not_lower(_: Match) -> Iterator[StatedFact]:
    yield _change_fact(Relation.GE)


def _expect_higher(_: Match) -> Iterator[StatedFact]:
    yield _change_fact(Relation.GT)


def _expect_lower(_: Match) -> Iterator[StatedFact]:
    yield _change_fact(Relation.LT, bad=True)


COVERAGE = compile_grammar(
    "cov",
    (
        (
            (
                rf"(?:(?P<kind>branch|function) |total |all )?cov (?:stay )?{PCT}(?: line| total| threshold)?",
                rf"{PCT} (?:(?P<kind>branch|function) )?cov",
                rf"{PCT} (?:all )?(?:line )?(?:code )?covered",
            ),
            _expect_level,
        ),
        ((r"cov (?:up|(?P<down>down)) to (?P<p>pct)",), _expect_move_to),
        ((r"cov (?:up |down |change )?from pct to (?P<p>pct)",), _expect_from_to),
        ((r"cov not (?:down|change down)", "no cov down"), _expect_not_lower),
        ((r"cov match (?P<p>pct)(?: threshold)?",), _expect_at_least),
        ((r"cov (?:up |down )?from (?P<p>pct)",), _expect_base_level),
        ((r"cov up",), _expect_higher),
        ((r"cov down",), _expect_lower),
        ((r"cov not (?P<rel>ge|gt|le|lt) (?P<p>pct)",), _expect_opposite),
    ),
)
