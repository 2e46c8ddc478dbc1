"""Statements: how prose is split, what keeps one from being read, and that nothing raises or takes long."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import claims_success

from verigate.domain.statement_reading import MAX_CHARACTERS, MAX_READ, StatementKind
from verigate.statements.reading import read_statement
from verigate.statements.split import MAX_PROSE, MAX_STATEMENTS, split_statements

SPLIT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("## Next steps\n\n- tests pass", ("Next steps: tests pass",)),
    ("## Summary\n\n- tests pass", ("tests pass",)),
    ("What is left:\n\n- tests pass\n\nLint is clean.", ("What is left: tests pass", "Lint is clean.")),
    ("- [ ] tests pass\n- [x] lint is clean", ("[ ] tests pass", "[x] lint is clean")),
    ("> tests pass", ("> tests pass",)),
    ("All tests pass\nexcept the slow ones.", ("All tests pass except the slow ones.",)),
    ("All tests pass. Except for two.", ("All tests pass. Except for two.",)),
    ("All tests pass. I have not verified this.", ("All tests pass. I have not verified this.",)),
    ("Renamed it in a.md. This is a docs-only change.", ("Renamed it in a.md.", "This is a docs-only change.")),
    ("All tests pass. This is a guess.", ("All tests pass. This is a guess.",)),
    ("All tests pass. tsc passes.", ("All tests pass.", "tsc passes.")),
    ("All tests pass. go test is green.", ("All tests pass.", "go test is green.")),
    ("All tests pass. go on.", ("All tests pass. go on.",)),
    ("It uses ruff, mypy etc. pytest passes.", ("It uses ruff, mypy etc. pytest passes.",)),
    ("Tests: PASS\nLint: FAIL", ("Tests: PASS", "Lint: FAIL")),
    ("| | result |\n|-|-|\n| Tests | 4 passed |", ("Tests: 4 passed",)),
    ("| | before | after |\n|-|-|-|\n| Tests | 3 | 4 |", ("before after: Tests: 3, 4",)),
    ("~~~\nAll tests pass.\n~~~", ()),
    ("<!-- All tests pass. -->", ()),
    ("Done.\n~~~\nAll tests pass.\n~~~", ("Done.",)),
)


@pytest.mark.parametrize(("text", "expected"), SPLIT, ids=[repr(text)[:40] for text, _ in SPLIT])
def test_what_stands_above_a_statement_goes_with_it(text: str, expected: tuple[str, ...]) -> None:
    assert split_statements(text) == expected


@pytest.mark.parametrize("text", ["~~~\nAll tests pass.\n~~~", "All tests pass.", "---\n***"])
def test_a_text_that_must_not_be_empty_is_a_quotation_at_least(text: str) -> None:
    quoted = ("> All tests pass.",) if "~~~" in text else split_statements(text)
    assert split_statements(text, never_empty=True) == quoted


def test_a_statement_that_may_have_been_cut_is_not_read() -> None:
    cut = "All tests pass" + " " * (MAX_CHARACTERS - 40) + "except those that do not, of which there are many."
    assert not read_statement(cut[:MAX_CHARACTERS]).facts
    (whole,) = split_statements(f"All tests pass, {'and so on ' * 60}except two.")
    assert len(whole) == MAX_CHARACTERS
    assert not read_statement(whole).facts


def test_prose_that_is_cut_keeps_the_code_block_that_it_is_in() -> None:
    text = "```\n" + "noise\n" * MAX_PROSE + "47 tests pass\n```\nLint is clean."
    assert split_statements(text) == ("Lint is clean.",)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("All tests pass", StatementKind.CLAIM),
        ("2 tests fail", StatementKind.NEGATED),
        ("All tests should pass", StatementKind.HEDGED),
        ("I will run the tests", StatementKind.PLAN),
        ("Previously all tests passed", StatementKind.PAST),
        ("CI says all tests pass", StatementKind.REPORTED),
        ("All unit tests pass", StatementKind.CLAIM),
        ("It is elegant", StatementKind.UNMAPPED),
        ("", StatementKind.UNMAPPED),
    ],
)
def test_kinds(text: str, kind: StatementKind) -> None:
    reading = read_statement(text)
    assert reading.kind is kind
    assert claims_success(reading) is (kind is StatementKind.CLAIM)


def test_facts_name_their_capability_and_rounding() -> None:
    (fact,) = read_statement("Coverage is 92.5%").facts
    assert (str(fact), fact.capability) == ("coverage.json /pct = 0.925", "code:coverage")
    assert fact.step == pytest.approx(0.0005)
    (full,) = read_statement("Coverage is 100%").facts
    assert full.step == 0.0


FAILED = "tests.json /failed = 0"
OF_JAVA: tuple[tuple[str, StatementKind, tuple[str, ...]], ...] = (
    ("mvn test passes.", StatementKind.CLAIM, (f"{FAILED} by maven",)),
    ("./mvnw test passes.", StatementKind.CLAIM, (f"{FAILED} by maven",)),
    ("gradle test passes.", StatementKind.CLAIM, (f"{FAILED} by gradle",)),
    ("./gradlew test passes.", StatementKind.CLAIM, (f"{FAILED} by gradle",)),
    (
        "mvn test passes: 5 tests, no failures.",
        StatementKind.CLAIM,
        (f"{FAILED} by maven", "tests.json /total = 5", FAILED),
    ),
    ("All 5 tests pass with mvn test.", StatementKind.CLAIM, ("tests.json /passed = 5", FAILED)),
    ("All 5 tests pass (mvn test).", StatementKind.CLAIM, ("tests.json /passed = 5", FAILED)),
    ("mvn test fails.", StatementKind.NEGATED, ("tests.json /failed > 0 by maven",)),
    (
        "The Maven build succeeds.",
        StatementKind.CLAIM,
        ("build.json /success = true by maven", f"{FAILED} by maven"),
    ),
    (
        "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1",
        StatementKind.CLAIM,
        ("tests.json /total = 5 by maven", f"{FAILED} by maven", "tests.json /skipped = 1 by maven"),
    ),
    (
        "Tests run: 5, Failures: 1, Errors: 2, Skipped: 0",
        StatementKind.NEGATED,
        ("tests.json /total = 5 by maven", "tests.json /failed = 3 by maven", "tests.json /skipped = 0 by maven"),
    ),
    ("mvn test passes except one.", StatementKind.NEGATED, ()),
    ("mvn test passes on Linux.", StatementKind.PART, ()),
    ("mvn test -Dtest=Foo passes.", StatementKind.PART, ()),
    ("mvn test-compile passes.", StatementKind.UNMAPPED, ()),
    ("The Maven build fails.", StatementKind.UNMAPPED, ()),
    ("The Maven build of core succeeds.", StatementKind.PART, ()),
    (
        "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in FooTest",
        StatementKind.UNMAPPED,
        (),
    ),
)


PART, UNKNOWN = "it is about a part, and facts cover only the whole", "it isn't understood"
SEE = '; see "Which facts are known" in docs/statements.md'
WHY: tuple[tuple[str, StatementKind, str], ...] = (
    ("Everything works.", StatementKind.UNMAPPED, f"{UNKNOWN}{SEE}"),
    ("It is elegant.", StatementKind.UNMAPPED, f"{UNKNOWN} from 'elegant' on"),
    ("Documented the new option in the README.", StatementKind.UNMAPPED, f"{UNKNOWN} from 'option' on{SEE}"),
    (
        "Raised pytest from 8 to 8.2",
        StatementKind.UNMAPPED,
        f"{UNKNOWN} from 'Raised' on; write: 'Bumped `pytest` from 8 to 8.2.'",
    ),
    ("Reworded an error message and adapted its test.", StatementKind.UNMAPPED, f"{UNKNOWN} from 'Reworded' on{SEE}"),
    (
        "The tests cover the new parser.",
        StatementKind.UNMAPPED,
        f"{UNKNOWN} from 'parser' on; write: 'Added tests for `f()`.'",
    ),
    (f"The {'x' * 60} is good.", StatementKind.UNMAPPED, f"{UNKNOWN} from '{'x' * 40}…' on"),
    ("Lint is not completely clean.", StatementKind.UNMAPPED, f"{UNKNOWN}{SEE}"),
    ("All Windows tests pass.", StatementKind.PART, f"{PART} ('Windows' may limit it)"),
    ("The build succeeds on macOS.", StatementKind.PART, f"{PART} ('macOS' may limit it)"),
    ("On macOS all tests pass.", StatementKind.PART, f"{PART} ('macOS' may limit it)"),
    ("Coverage of the new module is 100%.", StatementKind.PART, f"{PART} ('module' may limit it)"),
    ("No lint errors in `src/app.py`.", StatementKind.PART, PART),
    ("A number of tests pass.", StatementKind.PART, PART),
    ("`mypy --strict` is clean.", StatementKind.PART, PART),
    ("I will run the tests.", StatementKind.PLAN, "it is a plan, a wish or an instruction: 'will'"),
    ("All tests should pass.", StatementKind.HEDGED, "it is hedged, conditional or a question: 'should'"),
    ("Around 40 tests pass.", StatementKind.HEDGED, "it is hedged, conditional or a question: 'Around'"),
    ("We expect all tests to pass.", StatementKind.HEDGED, "it is hedged, conditional or a question: 'expect'"),
    ("All tests pass?", StatementKind.HEDGED, "it is hedged, conditional or a question"),
    ("No elegance was lost.", StatementKind.NEGATED, "it denies something, which no fact here decides: 'No'"),
    (
        "The expected output is 5 passed.",
        StatementKind.REPORTED,
        "it repeats what somebody else says: 'expected output'",
    ),
    ("Previously all tests passed.", StatementKind.PAST, "it is about how things were before: 'Previously'"),
    ("Adjusted the expected totals of the cart.", StatementKind.UNMAPPED, f"{UNKNOWN} from 'cart' on"),
    ("Turned the loop in `total()` around.", StatementKind.UNMAPPED, f"{UNKNOWN} from 'Turned' on"),
)


@pytest.mark.parametrize(("text", "kind", "why"), WHY, ids=[text[:40] for text, _, _ in WHY])
def test_why_a_sentence_is_undecided(text: str, kind: StatementKind, why: str) -> None:
    reading = read_statement(text)
    assert (reading.kind, reading.why_undecided, reading.facts) == (kind, why, ())


CODE, WEAKENED = "changes.json untouched:code = unchanged", "integrity.json /findings = 0"


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("No production code was touched, and no test was weakened.", (CODE, WEAKENED)),
        ("No assertion was weakened; no code was touched.", (WEAKENED, CODE)),
        ("Assertions were not relaxed.", (WEAKENED,)),
        ("No production code was touched, and no test was weakened on Linux.", ()),
        ("No code was touched, I hope, and no test was weakened.", ()),
        ("I can't confirm that no code was touched, and no test was weakened.", ()),
        ("No assertion was weakened on Linux.", ()),
        ("`a`, and no code was touched", ()),
    ],
)
def test_parts_of_a_sentence_count_if_each_is_read_alone(text: str, facts: tuple[str, ...]) -> None:
    assert tuple(map(str, read_statement(text).facts)) == facts


@pytest.mark.parametrize(("text", "kind", "facts"), OF_JAVA, ids=[text for text, _, _ in OF_JAVA])
def test_what_maven_and_gradle_report(text: str, kind: StatementKind, facts: tuple[str, ...]) -> None:
    reading = read_statement(text)
    assert (reading.kind, tuple(map(str, reading.facts))) == (kind, facts)


@given(st.text(max_size=400))
def test_no_text_raises(text: str) -> None:
    for part in split_statements(text):
        assert len(part) <= MAX_CHARACTERS
        read_statement(part)
    read_statement(text)


_WORDS = st.sampled_from(
    """
    all 47 tests pass fail lint is clean not no build coverage 90% above links in docs/ `a.py` GET /x added and , : ;
    ( )
    \u2705 \u274c | - ** ``` > ~~ 3/4 p95 < 200ms except should
    """.strip().split()
)


@given(st.lists(_WORDS, max_size=25).map(" ".join))
def test_no_order_of_known_words_raises(text: str) -> None:
    for part in split_statements(text):
        reading = read_statement(part)
        assert reading.facts == read_statement(part).facts
        assert not claims_success(reading) or reading.facts


HOSTILE = (
    "All 47 tests pass. " * 55_000,
    "- all tests pass\n" * 60_000,
    ">" * 1_000_000,
    "|a" * 500_000,
    "`" * 1_000_000,
    "(" * 1_000_000,
    "\u2705 " * 500_000,
    "a/" * 500_000,
    "1," * 500_000,
    "not " * 250_000,
    "**" * 500_000,
    '"' * 1_000_000,
    "[x](" * 250_000,
    "<a " * 300_000,
)


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=[repr(text[:12]) for text in HOSTILE])
def test_the_time_for_a_megabyte_grows_with_its_length(text: str) -> None:
    started = time.process_time()
    for part in split_statements(text, most=MAX_READ):
        read_statement(part)
    read_statement(text)
    assert time.process_time() - started < 5  # 0.4 s on a quiet machine; a quadratic reader needs minutes


def test_bounds() -> None:
    assert len(split_statements("- It is so.\n" * 2000)) == MAX_STATEMENTS


def test_a_decision_without_statements_loads_none_of_it() -> None:
    program = (
        "import sys, verigate.usecases.verify, verigate.gate.decision, verigate.planning.plan, "
        "verigate.cli.commands.verify, verigate.integrations.agents.turn\n"
        "print([m for m in sys.modules if m.startswith(('verigate.statements', 'markdown_it', 'Stemmer'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
