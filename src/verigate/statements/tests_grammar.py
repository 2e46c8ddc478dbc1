"""How tests are told of."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.reading import Fact, Relation
from verigate.statements.matching import BAD, NUM, OK, PCT, Match, compiled

_ALL_TESTS = "(?:all (?:in )?)?tests(?: all)?"


def _tests(m: Match, what: str, value: int, relation: Relation = Relation.EQ, *, bad: bool = False) -> Fact:
    return Fact("tests.json", what, relation, value, tool=m.tool, bad=bad)


def _all_pass(m: Match) -> Iterator[Fact]:
    if m.has("n"):
        yield _tests(m, "/passed", m.number(), m.relation)
    yield _tests(m, "/failed", 0)


def _passed(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/passed", m.number(), m.relation, bad=m.number() == 0 or m.has("only"))


def _failed(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/failed", m.number(), m.relation, bad=m.number() > 0)


def _passed_and_failed(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/passed", m.number())
    yield _tests(m, "/failed", m.number("k"), bad=m.number("k") > 0)


def _skipped(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/skipped", m.number(), m.relation)


def _total(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/total", m.number(), m.relation)


def _ratio(m: Match) -> Iterator[Fact]:
    passed, total = m.token("r").value
    yield _tests(m, "/passed", passed, bad=m.has("only"))
    yield _tests(m, "/total", total)


def _none_of(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/failed", 0)
    yield _tests(m, "/total", m.number(), m.relation)


def _neither(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/failed", 0)
    yield _tests(m, "/skipped", 0)


def _some_of(m: Match) -> Iterator[Fact]:
    failed, total = m.token("r").value
    yield _tests(m, "/failed", failed, bad=failed > 0)
    yield _tests(m, "/total", total)


def _no_failure(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/failed", 0)


def _none_skipped(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/skipped", 0)


def _some_skipped(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/skipped", 0, Relation.GT, bad=True)


def _some_failure(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/failed", 0, Relation.GT, bad=True)


def _hundred(m: Match) -> Iterator[Fact]:
    if m.token("p").value == 1:
        yield _tests(m, "/failed", 0)


def _all_pass_without(m: Match) -> Iterator[Fact]:
    yield _tests(m, "/failed", 0)
    if m.every("skip"):
        yield _tests(m, "/skipped", 0)


def _intact(_: Match) -> Iterator[Fact]:
    yield Fact("integrity.json", "/findings")


_LOST = "(?:delete|skip|weaken)"

_ONLY = "(?:(?P<only>only) )?"

TESTS = compiled(
    "tests",
    (
        ((rf"{_ALL_TESTS} {OK}", f"(?:code )?{OK} (?:all )?tests", rf"tests {OK} all"), _all_pass),
        ((rf"{_ALL_TESTS} {OK} no (?:error|{BAD}|skip)(?: (?:or )?skip)?(?: tests)?",), _all_pass_without),
        ((rf"(?:no|none) (?:all )?{NUM} tests {BAD}",), _none_of),
        ((rf"no {BAD} or skip tests", rf"no tests {BAD} or skip", rf"no skip or {BAD} tests"), _neither),
        (
            (
                rf"all {NUM} tests (?:all )?{OK}",
                rf"(?:code )?{OK} all {NUM} tests",
                rf"{NUM} tests all {OK}",
                rf"tests all {NUM} (?:tests )?{OK}",
            ),
            _all_pass,
        ),
        (
            (
                rf"{_ONLY}{NUM} tests {OK}",
                rf"tests {_ONLY}{NUM} (?:tests )?{OK}",
                rf"{OK} {NUM} tests",
                rf"tests {OK} {NUM}",
                rf"{NUM} {OK} tests",
            ),
            _passed,
        ),
        ((rf"{_ONLY}(?P<r>ratio) tests {OK}", rf"{_ALL_TESTS} {_ONLY}(?P<r>ratio)(?: tests)?(?: {OK})?"), _ratio),
        ((rf"{_ONLY}(?P<r>ratio) tests {BAD}", rf"tests {_ONLY}(?P<r>ratio) {BAD}"), _some_of),
        ((rf"{PCT} (?:all )?tests {OK}", rf"(?:all )?tests {PCT} {OK}"), _hundred),
        (
            (
                rf"(?:no|none) (?:all )?tests {BAD}",
                rf"no {BAD} tests",
                rf"(?:no )?tests (?:no|none|not|nolonger) {BAD}(?: tests)?",
            ),
            _no_failure,
        ),
        (
            (
                rf"{_ONLY}{NUM} tests {BAD}(?: stay)?(?: (?:ident|call|path))*",
                rf"{_ONLY}{NUM} {BAD} tests(?: stay)?",
                rf"tests {NUM} (?:tests )?{BAD}(?: tests)?",
                rf"(?:tests )?(?:stay )?{BAD} {NUM} tests",
                rf"tests {BAD} {NUM}",
            ),
            _failed,
        ),
        ((r"(?:tests )?(?P<n>num) (?:tests )?ok (?P<k>num) bad",), _passed_and_failed),
        (
            (
                rf"{NUM} tests skip",
                rf"{NUM} skip tests",
                rf"tests {NUM} (?:tests )?skip(?: tests)?",
                rf"tests skip {NUM}",
            ),
            _skipped,
        ),
        ((r"some tests skip", r"some skip tests"), _some_skipped),
        ((r"(?:no|none) (?:all )?tests skip", r"no skip tests", r"tests (?:no|none) skip(?: tests)?"), _none_skipped),
        (
            (
                rf"(?:tests )?{NUM} tests total",
                rf"tests {NUM} total",
                rf"(?:tests )?total {NUM} tests",
                rf"tests total {NUM}",
                rf"(?:tests )?(?:run )?{NUM} tests(?: run)?",
                rf"tests (?:run )?{NUM}(?: run)?",
                rf"run all {NUM} tests",
            ),
            _total,
        ),
        (
            (
                rf"{_ALL_TESTS} {BAD}",
                f"{BAD} tests",
                f"some tests {BAD}",
                f"some {BAD} tests",
                rf"{_ALL_TESTS} not (?:all )?{OK}",
                rf"not (?:all )?tests {OK}",
            ),
            _some_failure,
        ),
        ((rf"(?:no|none) (?:all )?tests {OK}",), lambda m: [_tests(m, "/passed", 0, bad=True)]),
        (
            (
                rf"no tests {_LOST}(?:(?: or)? {_LOST})*",
                rf"not {_LOST}(?:(?: or)? {_LOST})* (?:some |any )?tests",
                rf"tests not {_LOST}(?:(?: or)? {_LOST})*",
            ),
            _intact,
        ),
    ),
)
