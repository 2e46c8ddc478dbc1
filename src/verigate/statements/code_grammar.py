"""How lint, builds and coverage are told of."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.reading import Fact, Relation
from verigate.statements.matching import BAD, NUM, OK, PCT, Match, compiled, opposite


def _lint(m: Match, what: str, value: int, relation: Relation = Relation.EQ, *, bad: bool = False) -> Fact:
    return Fact("lint.json", what, relation, value, tool=m.tool, bad=bad)


_COUNTED = {"error": "/errors", "warning": "/warnings", "finding": "findings"}


def _counted(m: Match) -> Iterator[Fact]:
    value = m.number() if m.has("n") else 0
    said = [token.form for token in m.tokens if token.form in _COUNTED]
    if len(said) > 1 and value == 0 and "finding" not in said:
        for form in said:
            yield _lint(m, _COUNTED[form], 0, m.relation)
        return
    what = "findings" if len(said) > 1 else _COUNTED[said[0]]
    yield _lint(m, what, value, m.relation, bad=value > 0 and m.relation in {Relation.EQ, Relation.GT, Relation.GE})


def _some_counted(m: Match) -> Iterator[Fact]:
    said = [token.form for token in m.tokens if token.form in _COUNTED]
    yield _lint(m, _COUNTED[said[0]] if len(said) == 1 else "findings", 0, Relation.GT, bad=True)


def _clean(m: Match) -> Iterator[Fact]:
    yield _lint(m, "/errors", 0)


def _clean_without(m: Match) -> Iterator[Fact]:
    yield _lint(m, "/errors", 0)
    yield from _counted(m)


def _none_in_files(m: Match) -> Iterator[Fact]:
    yield _lint(m, _COUNTED[m.token("what").form], 0)
    yield from _files_linted(m)


def _files_linted(m: Match) -> Iterator[Fact]:
    yield _lint(m, "/files_checked", m.number(), m.relation)


def _clean_files(m: Match) -> Iterator[Fact]:
    yield _lint(m, "/errors", 0)
    yield from _files_linted(m)


def _dirty(m: Match) -> Iterator[Fact]:
    yield _lint(m, "/errors", 0, Relation.GT, bad=True)


_WHAT = "(?P<what>error|warning|finding)(?: or (?:error|warning|finding))?"

LINT = compiled(
    "lint",
    (
        (
            (
                rf"(?:all )?(?:code )?(?:run )?lint (?:all )?(?:checks )?{OK}",
                f"{OK} (?:all )?lint(?: run)?",
                f"lint {OK} all",
            ),
            _clean,
        ),
        ((rf"(?:all )?lint {OK} no {_WHAT}",), _clean_without),
        ((rf"(?:all )?lint {BAD}", f"{BAD} lint", rf"lint not {OK}", rf"not lint {OK}"), _dirty),
        (
            (
                rf"(?:no|none) (?:lint )?{_WHAT}(?: (?:from |by |in )?lint)?",
                rf"lint (?:no|none) {_WHAT}(?: stay)?",
                rf"(?:only )?{NUM} (?:lint )?{_WHAT}(?: (?:from |by )lint)?(?: stay)?",
                rf"lint (?:(?:bad|ok) )?{NUM} (?:lint )?{_WHAT}(?: stay)?",
                rf"lint (?P<what>error|warning|finding) {NUM}",
            ),
            _counted,
        ),
        (
            (rf"some (?:lint )?{_WHAT}(?: (?:from |by )?lint)?(?: stay)?", rf"lint some {_WHAT}(?: stay)?"),
            _some_counted,
        ),
        (
            (r"(?:lint )?(?:ok )?(?:no|none) (?:lint )?(?P<what>finding|error|warning) in (?P<n>num) file",),
            _none_in_files,
        ),
        ((rf"lint {OK} (?:on|in) (?:all )?{NUM} file",), _clean_files),
        ((r"lint none",), lambda m: [_lint(m, "findings", 0)]),
        ((rf"lint (?:check )?(?:in )?{NUM} file(?: check)?",), _files_linted),
    ),
)


def _build(m: Match, what: str, value: bool | int, *, bad: bool = False) -> Fact:
    return Fact("build.json", what, Relation.EQ, value, tool=m.tool, bad=bad)


def _built(m: Match) -> Iterator[Fact]:
    yield _build(m, "/success", True)


def _broken(m: Match) -> Iterator[Fact]:
    yield _build(m, "/success", False, bad=True)


def _complaints(m: Match) -> Iterator[Fact]:
    value = m.number() if m.has("n") else 0
    for form in dict.fromkeys(token.form for token in m.tokens if token.form in {"error", "warning"}):
        yield _build(m, _COUNTED[form], value, bad=value > 0)


def _built_without(m: Match) -> Iterator[Fact]:
    yield _build(m, "/success", True)
    yield from _complaints(m)


_COMPLAINT = "(?:error|warning)(?: or (?:error|warning))?"

BUILD = compiled(
    "build",
    (
        (
            (
                rf"(?:run )?(?:all )?(?:code )?build (?:all )?{OK}",
                f"{OK} build",
                rf"(?:all )?(?:code )?(?:compile|builds)(?: {OK})?",
                rf"(?:code )?build (?:nolonger {BAD}|not {BAD})",
            ),
            _built,
        ),
        (
            (
                rf"(?:code )?build (?:{BAD}|not {OK})",
                f"{BAD} build",
                r"(?:code )?not (?:compile|builds|build)",
            ),
            _broken,
        ),
        ((rf"(?:all )?(?:code )?(?:(?:compile|builds)(?: ok)*|build ok) no (?:build )?{_COMPLAINT}",), _built_without),
        (
            (
                rf"build no (?:build )?{_COMPLAINT}",
                rf"no (?:build|compile) {_COMPLAINT}",
                rf"(?:code )?build (?:{BAD} )?{NUM} {_COMPLAINT}",
            ),
            _complaints,
        ),
    ),
)


def _cov(what: str, m: Match, *, bad: bool = False, relation: Relation | None = None) -> Fact:
    token = m.token("p")
    stands = m.relation if relation is None else relation
    return Fact("coverage.json", what, stands, token.value, token.step if stands is Relation.EQ else 0.0, bad=bad)


def _level(m: Match) -> Iterator[Fact]:
    kind = m.found.groupdict().get("kind")
    yield _cov({"branch": "branches", "function": "functions"}.get(kind or "", "/pct"), m)


def _change(relation: Relation, *, bad: bool = False) -> Fact:
    return Fact("coverage.json", "change", relation, 0, bad=bad)


def _moved(m: Match) -> Iterator[Fact]:
    down = m.has("down")
    yield _cov("/pct", m, bad=down, relation=Relation.EQ)
    yield _change(Relation.LT if down else Relation.GT, bad=down)


def _from_to(m: Match) -> Iterator[Fact]:
    first, second = m.every("pct")
    yield Fact("coverage.json", "/base/pct", Relation.EQ, first.value, first.step)
    yield Fact("coverage.json", "/pct", Relation.EQ, second.value, second.step, bad=second.value < first.value)


def _met(m: Match) -> Iterator[Fact]:
    yield _cov("/pct", m, relation=Relation.GE)


def _from(m: Match) -> Iterator[Fact]:
    yield _cov("/base/pct", m)


def _not_so(m: Match) -> Iterator[Fact]:
    relation = opposite(m.relation)
    yield _cov("/pct", m, relation=relation, bad=relation in {Relation.LT, Relation.LE})


def _not_lower(_: Match) -> Iterator[Fact]:
    yield _change(Relation.GE)


def _higher(_: Match) -> Iterator[Fact]:
    yield _change(Relation.GT)


def _lower(_: Match) -> Iterator[Fact]:
    yield _change(Relation.LT, bad=True)


COVERAGE = compiled(
    "cov",
    (
        (
            (
                rf"(?:(?P<kind>branch|function) |total |all )?cov (?:stay )?{PCT}(?: line| total| threshold)?",
                rf"{PCT} (?:(?P<kind>branch|function) )?cov",
                rf"{PCT} (?:all )?(?:line )?(?:code )?covered",
            ),
            _level,
        ),
        ((r"cov (?:up|(?P<down>down)) to (?P<p>pct)",), _moved),
        ((r"cov (?:up |down |change )?from pct to (?P<p>pct)",), _from_to),
        ((r"cov not (?:down|change down)", "no cov down"), _not_lower),
        ((r"cov match (?P<p>pct)(?: threshold)?",), _met),
        ((r"cov (?:up |down )?from (?P<p>pct)",), _from),
        ((r"cov up",), _higher),
        ((r"cov down",), _lower),
        ((r"cov not (?P<rel>ge|gt|le|lt) (?P<p>pct)",), _not_so),
    ),
)
