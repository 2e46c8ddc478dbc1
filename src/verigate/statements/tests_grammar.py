"""Grammar of statements about tests."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.grammar import BAD, NUM, OK, PCT, REL, Match, compile_grammar

_ALL_TESTS = "(?:all (?:in )?)?tests(?: all)?"


def _tests_fact(m: Match, what: str, value: int, relation: Relation = Relation.EQ, *, bad: bool = False) -> StatedFact:
    return StatedFact("tests.json", what, relation, value, tool=m.tool, bad=bad)


def _expect_all_pass(m: Match) -> Iterator[StatedFact]:
    if m.has_group("n"):
        yield _tests_fact(m, "/passed", m.number(), m.relation)
    yield _tests_fact(m, "/failed", 0)


def _expect_passed(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/passed", m.number(), m.relation, bad=m.number() == 0 or m.has_group("only"))


def _expect_failed(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/failed", m.number(), m.relation, bad=m.number() > 0)


def _expect_passed_and_failed(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/passed", m.number())
    yield _tests_fact(m, "/failed", m.number("k"), bad=m.number("k") > 0)


def _expect_skipped(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/skipped", m.number(), m.relation)


def _expect_total(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/total", m.number(), m.relation)


def _expect_passed_ratio(m: Match) -> Iterator[StatedFact]:
    passed, total = m.token("r").value
    yield _tests_fact(m, "/passed", passed, bad=m.has_group("only"))
    yield _tests_fact(m, "/total", total)


def _expect_none_failed_of(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/failed", 0)
    yield _tests_fact(m, "/total", m.number(), m.relation)


def _expect_none_failed_or_skipped(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/failed", 0)
    yield _tests_fact(m, "/skipped", 0)


def _expect_failed_ratio(m: Match) -> Iterator[StatedFact]:
    failed, total = m.token("r").value
    yield _tests_fact(m, "/failed", failed, bad=failed > 0)
    yield _tests_fact(m, "/total", total)


def _expect_none_failed(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/failed", 0)


def _expect_none_skipped(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/skipped", 0)


def _expect_some_skipped(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/skipped", 0, Relation.GT, bad=True)


def _expect_some_failed(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/failed", 0, Relation.GT, bad=True)


def _expect_all_pass_percent(m: Match) -> Iterator[StatedFact]:
    if m.token("p").value == 1:
        yield _tests_fact(m, "share", 1)


def _expect_all_pass_without(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "/failed", 0)
    if m.every("skip"):
        yield _tests_fact(m, "/skipped", 0)


def _expect_tests_intact(m: Match) -> Iterator[StatedFact]:
    if m.every("weaken"):
        yield StatedFact("integrity.json", "/findings")
        return
    if m.every("delete"):
        yield StatedFact("integrity.json", "tests_removed")
    if m.every("skip"):
        yield StatedFact("integrity.json", "tests_skipped")


def _expect_files(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "files", m.number("f"), m.relation)


def _expect_passed_files(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "passed_files", m.number("f"), m.relation)


def _expect_failed_files(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "failed_files", m.number("f"), m.relation, bad=m.number("f") > 0)


def _expect_all_files_pass(m: Match) -> Iterator[StatedFact]:
    yield _tests_fact(m, "files", m.number("f"))
    yield from _expect_all_pass(m)


def _expect_passed_in_files(m: Match) -> Iterator[StatedFact]:
    yield from _expect_passed(m)
    yield from _expect_files(m)


def _expect_total_in_files(m: Match) -> Iterator[StatedFact]:
    yield from _expect_total(m)
    yield from _expect_files(m)


_FILE = "(?:suites|(?:tests )?file)"
_FILES = f"{REL}(?P<f>num) {_FILE}"
_IN_FILES = f"(?:in|from) (?:all )?(?P<f>num) {_FILE}"

_LOST = "(?:delete|skip|weaken)"

_ONLY = "(?:(?P<only>only) )?"

TESTS = compile_grammar(
    "tests",
    (
        ((rf"(?:all )?suites (?:all )?{OK}", rf"{OK} (?:all )?suites"), _expect_all_pass),
        (
            (rf"all {_FILES} (?:all )?{OK}", rf"{_FILES} all {OK}", rf"all (?P<n>num) tests {_IN_FILES} (?:all )?{OK}"),
            _expect_all_files_pass,
        ),
        (
            (rf"(?P<n>num) tests {OK} {_IN_FILES}", rf"(?P<n>num) tests {_IN_FILES} {OK}"),
            _expect_passed_in_files,
        ),
        ((rf"(?:run )?(?P<n>num) tests {_IN_FILES}",), _expect_total_in_files),
        (
            (
                rf"(?:tests )?{REL}(?P<f>num) (?:suites|tests file)",
                rf"tests {_FILES}",
                rf"suites (?:total )?{REL}(?P<f>num)(?: total)?",
            ),
            _expect_files,
        ),
        (
            (
                rf"(?:tests )?{REL}(?P<f>num) (?:suites|tests file) {OK}",
                rf"tests {_FILES} {OK}",
                rf"suites {REL}(?P<f>num) {OK}",
            ),
            _expect_passed_files,
        ),
        (
            (rf"(?:tests )?{REL}(?P<f>num) (?:suites|tests file) {BAD}", rf"suites {REL}(?P<f>num) {BAD}"),
            _expect_failed_files,
        ),
        ((rf"{_ALL_TESTS} {OK}", f"(?:code )?{OK} (?:all )?tests", rf"tests {OK} all"), _expect_all_pass),
        ((rf"{_ALL_TESTS} {OK} no (?:error|{BAD}|skip)(?: (?:or )?skip)?(?: tests)?",), _expect_all_pass_without),
        ((r"tests (?:no|none) (?:new )?regression",), _expect_none_failed),
        ((rf"(?:no|none) (?:all )?{NUM} tests {BAD}",), _expect_none_failed_of),
        (
            (rf"no {BAD} or skip tests", rf"no tests {BAD} or skip", rf"no skip or {BAD} tests"),
            _expect_none_failed_or_skipped,
        ),
        (
            (
                rf"all {NUM} tests (?:all )?{OK}",
                rf"(?:code )?{OK} all {NUM} tests",
                rf"{NUM} tests all {OK}",
                rf"tests all {NUM} (?:tests )?{OK}",
            ),
            _expect_all_pass,
        ),
        (
            (
                rf"{_ONLY}{NUM} tests {OK}",
                rf"tests {_ONLY}{NUM} (?:tests )?{OK}",
                rf"{OK} {NUM} tests",
                rf"tests {OK} {NUM}",
                rf"{NUM} {OK} tests",
            ),
            _expect_passed,
        ),
        (
            (rf"{_ONLY}(?P<r>ratio) tests {OK}", rf"{_ALL_TESTS} {_ONLY}(?P<r>ratio)(?: tests)?(?: {OK})?"),
            _expect_passed_ratio,
        ),
        ((rf"{_ONLY}(?P<r>ratio) tests {BAD}", rf"tests {_ONLY}(?P<r>ratio) {BAD}"), _expect_failed_ratio),
        ((rf"{PCT} (?:all )?tests {OK}", rf"(?:all )?tests {PCT} {OK}"), _expect_all_pass_percent),
        (
            (
                rf"(?:no|none) (?:all )?tests {BAD}",
                rf"no {BAD} tests",
                rf"(?:no )?tests (?:no|none|not|nolonger) {BAD}(?: tests)?",
            ),
            _expect_none_failed,
        ),
        (
            (
                rf"{_ONLY}{NUM} tests {BAD}(?: stay)?(?: (?:ident|call|path))*",
                rf"{_ONLY}{NUM} {BAD} tests(?: stay)?",
                rf"tests {NUM} (?:tests )?{BAD}(?: tests)?",
                rf"(?:tests )?(?:stay )?{BAD} {NUM} tests",
                rf"tests {BAD} {NUM}",
            ),
            _expect_failed,
        ),
        ((r"(?:tests )?(?P<n>num) (?:tests )?ok (?P<k>num) bad",), _expect_passed_and_failed),
        (
            (
                rf"{NUM} tests skip",
                rf"{NUM} skip tests",
                rf"tests {NUM} (?:tests )?skip(?: tests)?",
                rf"tests skip {NUM}",
            ),
            _expect_skipped,
        ),
        ((r"some tests skip", r"some skip tests"), _expect_some_skipped),
        (
            (r"(?:no|none) (?:all )?tests skip", r"no skip tests", r"tests (?:no|none) skip(?: tests)?"),
            _expect_none_skipped,
        ),
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
            _expect_total,
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
            _expect_some_failed,
        ),
        ((rf"(?:no|none) (?:all )?tests {OK}",), lambda m: [_tests_fact(m, "/passed", 0, bad=True)]),
        (
            (
                rf"no (?:existing )?tests {_LOST}(?:(?: or)? {_LOST})*",
                rf"not {_LOST}(?:(?: or)? {_LOST})* (?:some |any )?(?:existing )?tests",
                rf"(?:existing )?tests not {_LOST}(?:(?: or)? {_LOST})*",
            ),
            _expect_tests_intact,
        ),
        (
            (
                r"no (?:existing )?(?:tests )?assertion weaken",
                r"not weaken (?:some |any )?(?:existing )?(?:tests )?assertion",
                r"(?:existing )?(?:tests )?assertion not weaken",
            ),
            _expect_tests_intact,
        ),
    ),
)
