"""Grammar of statements that the cells of tests decide: behaviour, existing tests, fixes, and rewritten tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.grammar import NUM, OK, Match, compile_grammar
from verigate.statements.tokenizer import Token

_CELLS = "counterfactual.json"
_NOTICED = "sensitivity.json"
_TESTED = "(?:covered by (?:new )?tests|have tests|tested)"
_CODE = "(?:(?:all |only )?(?:new |this )?(?:code|change|changes|modify|function)|all)"
_CHANGES = "(?:change|changes|modify)"
_DIFF = "(?:(?:diff|this|only) )*"
_NAME = "(?:ident|call|test)"
_NAMED = "(?:ident|call)"
_TITLED = frozenset({"ident", "call", "test", "quoted", "title"})
_TITLE = "(?:ident|call|test|quoted|title)"
_TEST_NAME = re.compile(r"(?:^|[_.:/])tests?(?=[_.:/]|$)|(?:^|[.:/])Test(?=[A-Z_\d]|$)")
_QUANTITIES = frozenset({"no", "none", "not", "all", "some", "only"})


def _list_names(m: Match) -> list[str]:
    """List the tests that a clause names; a name without the word is a function of the code."""
    named = [token for token in m.tokens if token.form in {"ident", "call", "test"}]
    return [str(token.value) for token in named if token.form == "test" or _TEST_NAME.search(str(token.value))]


def _expect_tests_pass() -> StatedFact:
    return StatedFact("tests.json", "/failed", Relation.EQ, 0)


def _expect_same_behaviour(_: Match) -> Iterator[StatedFact]:
    yield StatedFact(_CELLS, "behaviour", Relation.EQ, "unchanged")
    yield StatedFact(_NOTICED, "exercised", Relation.EQ, True)
    yield _expect_tests_pass()


def _expect_refactored(m: Match) -> Iterator[StatedFact]:
    """A function that is refactored differs, and does what it did; what else changed may do something else."""
    for token in (*m.every("call"), *m.every("ident")):
        yield StatedFact("functions.json", f"func:{token.value}", Relation.EQ, "changed")
        yield StatedFact(_CELLS, f"behaviour:{token.value}", Relation.EQ, "unchanged")
    yield StatedFact(_NOTICED, "exercised", Relation.EQ, True)
    yield _expect_tests_pass()


def _expect_existing_tests(_: Match) -> Iterator[StatedFact]:
    yield StatedFact(_CELLS, "existing_tests", Relation.EQ, "pass")
    yield _expect_tests_pass()


def _expect_fixes(m: Match) -> Iterator[StatedFact]:
    names = _list_names(m)
    yield from (StatedFact(_CELLS, f"fix:{name}", Relation.EQ, "proven") for name in names)
    if not names:
        yield StatedFact(_CELLS, "fixes", Relation.GE, m.number() if m.has_group("n") else 1)


def _expect_fixes_inside(m: Match) -> Iterator[StatedFact]:
    """A bug of a function: some test proves a fix, and executes a changed line of it."""
    yield StatedFact(_CELLS, "fixes", Relation.GE, m.number() if m.has_group("n") else 1)
    for token in (*m.every("call"), *m.every("ident")):
        yield StatedFact("functions.json", f"fixed:{token.value}", Relation.EQ, True)


def _expect_titled_regression_tests(m: Match) -> Iterator[StatedFact]:
    """What stands for the regression test is one, also if its name doesn't say so: a title, or a word."""
    names = [str(token.value) for token in m.tokens if token.form in _TITLED]
    yield from (StatedFact(_CELLS, f"fix:{name}", Relation.EQ, "proven") for name in names)
    yield StatedFact(_CELLS, "regression_tests", Relation.GE, len(names))


def _expect_named_fixes(m: Match) -> Iterator[StatedFact]:
    names = _list_names(m)
    if len(names) == sum(token.form in {"ident", "call", "test"} for token in m.tokens):
        yield from (StatedFact(_CELLS, f"fix:{name}", Relation.EQ, "proven") for name in names)


def _expect_fixed_tests(m: Match) -> Iterator[StatedFact]:
    yield from _expect_fixes(m)
    if not _list_names(m) and not m.has_group("n"):
        yield _expect_tests_pass()


def _expect_regression_tests(m: Match) -> Iterator[StatedFact]:
    names = _list_names(m)
    yield from (StatedFact(_CELLS, f"fix:{name}", Relation.EQ, "proven") for name in names)
    least = m.number() if m.has_group("n") else max(1, len(names))
    yield StatedFact(_CELLS, "regression_tests", Relation.GE, least)


def _expect_named_regression_tests(m: Match) -> Iterator[StatedFact]:
    if len(_list_names(m)) == len([token for token in m.tokens if token.form in {"ident", "call", "test"}]):
        yield from _expect_regression_tests(m)


def _expect_noticed(m: Match) -> Iterator[StatedFact]:
    names = [str(token.value) for token in m.tokens if token.form in {"ident", "call"}]
    yield from (StatedFact(_NOTICED, f"noticed:{name}", Relation.EQ, True) for name in names)
    if not names:
        yield StatedFact(_NOTICED, "noticed", Relation.EQ, True)


def _expect_new_tests(m: Match) -> Iterator[StatedFact]:
    place = m.scope if m.has_group("place") else None
    yield StatedFact(_CELLS, "new_tests", Relation.GE, m.number() if m.has_group("n") else 1, scope=place)
    if m.has_group("of"):
        yield from _expect_noticed(m)


def _expect_removed_tests(m: Match) -> Iterator[StatedFact]:
    if m.number() == 0:
        yield StatedFact("integrity.json", "tests_removed")
    else:
        yield StatedFact(_CELLS, "removed_tests", Relation.EQ, m.number())


_DEEDS = {"move": "moved", "rename": "renamed", "split": "split", "parametrise": "parametrised"}


def _expect_rewritten(m: Match) -> Iterator[StatedFact]:
    deed = _DEEDS[m.token("deed").form]
    places = [str(token.value) for token in m.every("path")]
    every = "all_" if any(token.form == "all" for token in m.tokens) else ""
    if not places or (deed == "moved" and m.has_group("into")):
        yield StatedFact(_CELLS, f"{every}tests_{deed}", Relation.EQ, places[-1] if places else True)


def _expect_counted_tables(m: Match) -> Iterator[StatedFact]:
    if m.number() > 0 and m.relation is Relation.EQ:
        yield StatedFact(_CELLS, "tests_parametrised", Relation.EQ, m.number())


def _expect_named_rewritten(m: Match) -> Iterator[StatedFact]:
    deed, names = _DEEDS[m.token("deed").form], _list_names(m)
    if (code := _find_code_of_tests(m)) is not None:
        yield from (
            StatedFact(_CELLS, f"tests_{deed}", Relation.EQ, True),
            StatedFact(_CELLS, f"tests_of:{code}", Relation.EQ, "changed"),
        )
        return
    if any(token.form == "tests" for token in m.tokens):
        names = [str(token.value) for token in m.tokens if token.form in {"ident", "call", "test"}]
    if len(names) != sum(token.form in {"ident", "call", "test"} for token in m.tokens):
        return
    if deed == "renamed" and m.has_group("to"):
        yield StatedFact(_CELLS, f"tests_renamed:{names[0]}", Relation.EQ, names[-1])
    elif not m.has_group("to"):
        yield from (StatedFact(_CELLS, f"tests_{deed}:{name}", Relation.EQ, True) for name in names)


def _find_code_of_tests(m: Match) -> str | None:
    """Find the code in "parametrised the tests of `total()`"; None where tests are named themselves."""
    plural = any(token.raw.lower() == "tests" for token in m.every("tests"))
    named = [str(token.value) for token in (*m.every("call"), *m.every("ident"), *m.every("test"))]
    if not plural or len(named) != 1 or m.every("test") or m.has_group("to"):
        return None
    return None if _TEST_NAME.search(named[0]) else named[0]


def _expect_edited(what: str) -> Callable[[Match], Iterator[StatedFact]]:
    def list_facts(m: Match) -> Iterator[StatedFact]:
        names = _list_names(m)
        if len(names) == sum(token.form in {"ident", "call", "test"} for token in m.tokens):
            yield from (StatedFact(_CELLS, f"{what}:{name}", Relation.EQ, True) for name in names)

    return list_facts


_EXPECTED = "(?:expectation|expected(?: (?:values|results|text|error))?)"
_SAME = rf"(?: (?:no|without) (?:behaviour {_CHANGES}|{_CHANGES} behaviour))"
_FUNCTIONS = "(?:(?:function )*call(?: call)*(?: function)?|function ident(?: ident)*|ident(?: ident)* function)"
_DEED = "(?P<deed>move|rename|split|parametrise)"

_NEW_TESTS = rf"{_DIFF}(?:create|new) (?:{NUM} )?(?:new )?tests"

CELLS = compile_grammar(
    "cells",
    (
        (
            (
                rf"{_DIFF}(?:(?:create|return|modify) )?(?:no|without) behaviour {_CHANGES}",
                rf"{_DIFF}(?:(?:create|return|modify) )?no {_CHANGES} (?:in|to|of|on) (?:existing )?behaviour",
                rf"{_DIFF}(?:not|no) {_CHANGES} (?:existing )?behaviour",
                rf"(?:existing )?behaviour (?:not {_CHANGES}|unchanged|preserve|stay same|stay unchanged|same)",
                rf"{_DIFF}preserve (?:existing )?behaviour",
                rf"{_DIFF}preserving(?: refactor| {_CHANGES})?",
                rf"{_DIFF}pure refactor(?: (?:no|without) behaviour {_CHANGES})?",
                rf"{_DIFF}only refactor",
                rf"refactor (?:only|(?:no|without) (?:behaviour {_CHANGES}|{_CHANGES} behaviour))",
            ),
            _expect_same_behaviour,
        ),
        ((rf"{_DIFF}refactor {_FUNCTIONS}{_SAME}?",), _expect_refactored),
        (
            (
                rf"(?:all )?existing tests (?:all )?{OK}(?: unchanged)?",
                rf"(?:all )?existing tests (?:all )?{OK} (?:no|without) (?:{_CHANGES})",
                rf"(?:all )?existing unchanged tests (?:all )?{OK}",
                rf"(?:all )?unchanged existing tests (?:all )?{OK}",
            ),
            _expect_existing_tests,
        ),
        (
            (rf"{_DIFF}fix (?:{NUM} )?(?:this )?bug", r"bug fix"),
            _expect_fixes,
        ),
        (
            (
                rf"{_DIFF}fix (?:{NUM} )?(?:this )?bug (?:in|of) (?:{_FUNCTIONS}|ident)",
                rf"{_DIFF}fix (?:{_FUNCTIONS}|ident) bug",
            ),
            _expect_fixes_inside,
        ),
        (
            (r"bad no (?:this )?fix",),
            _expect_fixes,
        ),
        (
            (rf"(?:tests )?{_NAME}(?: {_NAME})* bad no (?:this )?fix",),
            _expect_named_fixes,
        ),
        ((rf"(?:new )?regression tests {_TITLE}(?: {_TITLE})*",), _expect_titled_regression_tests),
        (
            (rf"{_DIFF}fix (?:{NUM} |all )?bad tests(?: {_NAME})*", rf"{_DIFF}fix (?:bad )?tests {_NAME}(?: {_NAME})*"),
            _expect_fixed_tests,
        ),
        ((rf"{_DIFF}fix (?:bad )?{_NAME}(?: {_NAME})*(?: tests)?", rf"{_NAME}(?: {_NAME})* fix"), _expect_named_fixes),
        (
            (
                rf"{_DIFF}(?:create|new) (?:{NUM} )?(?:new )?regression tests(?: {_NAME})*",
                rf"(?:{NUM} )?(?:new )?regression tests (?:{_NAME} )*create",
                rf"{NUM} (?:new )?regression tests",
            ),
            _expect_regression_tests,
        ),
        ((rf"{_NAME}(?: {_NAME})* (?:new )?regression tests",), _expect_named_regression_tests),
        (
            (
                rf"(?:{_CODE} |(?:{_CODE} )?{_NAMED}(?: {_NAMED})* )(?:all )?{_TESTED}",
                rf"tests (?:all )?cover (?:{_CODE}|{_NAMED}(?: {_NAMED})*)",
            ),
            _expect_noticed,
        ),
        (
            (
                _NEW_TESTS,
                rf"{_NEW_TESTS}(?P<place> (?:in|to) path)",
                r"(?P<n>num) new tests(?P<place> in path)?",
                rf"{_NEW_TESTS}(?P<of> for (?:{_CODE}|(?:{_CODE} )?{_NAMED}(?: {_NAMED})*))",
            ),
            _expect_new_tests,
        ),
        ((rf"{_DIFF}delete {NUM} (?:existing )?tests", rf"{NUM} (?:existing )?tests delete"), _expect_removed_tests),
        (
            (
                rf"{_DIFF}{_DEED} (?:only )?(?:all )?(?:existing )?tests(?: file)?(?: (?P<into>to|in) path)?",
                rf"{_DIFF}(?:all )?(?:existing )?tests(?: file)? (?:only )?{_DEED}(?: (?P<into>to|in) path)?",
            ),
            _expect_rewritten,
        ),
        (
            (
                rf"{_DIFF}parametrise {NUM} (?:existing )?tests",
                rf"{_DIFF}{NUM} (?:existing )?tests parametrise",
            ),
            _expect_counted_tables,
        ),
        (
            (rf"{_DIFF}(?:tests )?{_NAME}(?: {_NAME})* stricter", rf"{_DIFF}stricter (?:tests )?{_NAME}(?: {_NAME})*"),
            _expect_edited("stricter"),
        ),
        (
            (rf"{_DIFF}{_CHANGES} (?:all )?{_EXPECTED} (?:in )?(?:tests )?{_NAME}(?: {_NAME})*",),
            _expect_edited("expectations"),
        ),
        ((rf"{_DIFF}{_DEED} (?:tests )?{_NAME}(?: {_NAME})*(?: (?P<to>to) {_NAME})?",), _expect_named_rewritten),
    ),
)


def split_fix(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Split "fixed the rounding bug in `total()`" into what says that a bug is fixed, and the words that say which.

    None without such words, and for what isn't about a bug.
    """
    if len(tokens) < 3 or tokens[0].form != "fix":
        return None
    at = next((index for index, token in enumerate(tokens) if token.form == "bug"), None)
    if at is None:
        return None
    counted = [token for token in tokens[1:at] if token.form == "num"][:1]
    known = [tokens[0], *counted, tokens[at]]
    rest = [token for token in tokens if not any(token is each for each in known)]
    return (known, rest) if rest and not any(token.form in _QUANTITIES for token in rest) else None
