"""Facts x answers, every combination: no answer turns a fail or an error into a pass, and no garbage ever passes.

The left side are four states of facts; the right side is what a verifier may come back with for each of two open
statements. Pure: literal facts, literal answers, one call of ``decide``.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.verdict import CheckOutcome, Status, Verdict, parse_verdict
from verigate.domain.verification import Citation, ModelAnswer, Problem, Verification, Word
from verigate.evidence.store import encode_json
from verigate.formats.visible import escape_invisible
from verigate.gate.decision import decide_verdict
from verigate.gate.repetition import repeats_statement
from verigate.gate.verifier_answers import select_open_questions

PATCH = (
    "diff --git a/app.py b/app.py\n--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,5 @@\n def load(path):\n"
    "-    raise ValueError('bad')\n+    raise ValueError(f'{path} is no configuration')\n+    # see the manual\n"
    "+    }\n+\u200b\n"
)
READ = ("lint.json", "tests.json", "build.json", "coverage.json")
NOTES = {"empty": "", "blank": "  ", "unseen": "\u200b\u2060"}
ARTIFACTS: dict[str, Any] = {**{path: lf.GOOD[path] for path in READ}, "diffs.patch": PATCH, "notes.json": NOTES}
ARTIFACTS_WITHOUT_COVERAGE = {path: value for path, value in ARTIFACTS.items() if path != "coverage.json"}
RULES = {"lint_clean": True, "tests_pass": True}
FRIENDLY, UNCHANGED = "The error message is friendlier", "Nothing else behaves differently"

TRUE_POINTER = Citation("tests.json", "5", pointer="/passed")
TRUE_LINES = Citation("diffs.patch", "    raise ValueError(f'{path} is no configuration')", None, "app.py", 2, 2)
FALSE_CITATIONS = {
    "no such artifact": Citation("nowhere.json", "5", pointer="/passed"),
    "no such pointer": Citation("tests.json", "5", pointer="/nothing"),
    "another value": Citation("tests.json", "6", pointer="/passed"),
    "true is not 1": Citation("build.json", "1", pointer="/success"),
    "a volatile value": Citation("tests.json", "12.5", pointer="/duration"),
    "a pointer that is none": Citation("tests.json", "5", pointer="passed"),
    "a pointer into text": Citation("diffs.patch", "def load(path):", pointer="/0"),
    "lines of JSON": Citation("tests.json", '"passed": 5', first_line=1, last_line=1),
    "no place at all": Citation("tests.json", "5"),
    "two places": Citation("tests.json", "5", pointer="/passed", first_line=1, last_line=1),
    "a pointer and a file": Citation("tests.json", "5", pointer="/passed", file="app.py"),
    "lines that aren't there": Citation("diffs.patch", "x", None, "app.py", 40, 41),
    "lines that say something else": Citation("diffs.patch", "# friendlier now", None, "app.py", 3, 3),
    "a line that was removed": Citation("diffs.patch", "    raise ValueError('bad')", None, "app.py", 2, 2),
    "another file": Citation("diffs.patch", "def load(path):", None, "other.py", 1, 1),
    "a file of no patch": Citation("notes.txt", "def load(path):", None, "app.py", 1, 1),
    "lines before the first": Citation("diffs.patch", "x", None, "app.py", 0, 1),
    "lines backwards": Citation("diffs.patch", "x", None, "app.py", 3, 2),
    "every line": Citation("diffs.patch", "x", None, None, 1, 100_000),
    "an empty quote": Citation("tests.json", "", pointer="/passed"),
    "a blank quote": Citation("diffs.patch", " \n ", None, "app.py", 1, 1),
    "the claim": Citation("claim.json", FRIENDLY, pointer="/claim/statements/0"),
    "the commitment": Citation("commitment.json", '"T1"', pointer="/task_id"),
    "the prompt": Citation("prompt", "evidence", first_line=1, last_line=1),
    "its own record": Citation("verifier/record.json", "1", pointer="/calls"),
    "the verdict": Citation("verdict.json", "pass", pointer="/status"),
    "a value that is empty": Citation("notes.json", '""', pointer="/empty"),
    "a value that is blank": Citation("notes.json", '"  "', pointer="/blank"),
    "a value that can't be seen": Citation("notes.json", "\\u200b\\u2060", pointer="/unseen"),
    "a line that says nothing": Citation("diffs.patch", "    }", None, "app.py", 4, 4),
    "a line that can't be seen": Citation("diffs.patch", "\\u200b", None, "app.py", 5, 5),
    "a path that leads out": Citation("../claim.json", FRIENDLY, pointer="/claim/statements/0"),
}

SUPPORT = [ModelAnswer("q?", Word.SUPPORTED, (TRUE_POINTER, TRUE_LINES), "the message names the file")]
REFUTE = [ModelAnswer("q?", Word.REFUTED, (TRUE_LINES,), "it is longer, not friendlier")]
ANSWERS: dict[str, list[ModelAnswer]] = {
    "supported": SUPPORT,
    "refuted": REFUTE,
    "abstain": [ModelAnswer("q?", Word.ABSTAIN)],
    "abstain with citations": [ModelAnswer("q?", Word.ABSTAIN, (TRUE_POINTER,))],
    "garbage": [],
    "garbage for another question": [ModelAnswer("q99", Word.SUPPORTED, (TRUE_POINTER,))],
    "garbage that names the statement": [ModelAnswer("statement:1", Word.SUPPORTED, (TRUE_POINTER,))],
    "no citation": [ModelAnswer("q?", Word.SUPPORTED)],
    "no citation of a refutation": [ModelAnswer("q?", Word.REFUTED)],
    "too many citations": [ModelAnswer("q?", Word.SUPPORTED, (TRUE_POINTER,) * 21)],
    "one false among true ones": [ModelAnswer("q?", Word.SUPPORTED, (TRUE_POINTER, FALSE_CITATIONS["another value"]))],
    "supported and refuted": SUPPORT + REFUTE,
    "refuted and supported": REFUTE + SUPPORT,
    "supported and abstain": [*SUPPORT, ModelAnswer("q?", Word.ABSTAIN)],
    "supported and void": [*SUPPORT, ModelAnswer("q?", Word.REFUTED, (FALSE_CITATIONS["the claim"],))],
    "timeout": [],
    **{
        f"false citation: {name}": [ModelAnswer("q?", Word.SUPPORTED, (citation,))]
        for name, citation in FALSE_CITATIONS.items()
    },
    **{
        f"false refutation: {name}": [ModelAnswer("q?", Word.REFUTED, (citation,))]
        for name, citation in FALSE_CITATIONS.items()
    },
}
FIRST = [pytest.param(name, marks=[pytest.mark.slow] if name.startswith("false ") else ()) for name in ANSWERS]
"""A quick run has every false citation as the second answer alone."""

MEANS = {
    "supported": "supported",
    "refuted": "refuted",
    "supported and refuted": "refuted",
    "refuted and supported": "refuted",
}
"""What an answer comes to; everything that isn't here leaves its statement open."""

PROBLEMS = {"timeout": Problem("timeout", "no answer within 5 seconds", "raise timeout_s")}


@cache
def facts_of(state: str) -> Facts:
    """Facts that alone are a pass, a fail, an error, or inconclusive because of two statements."""
    claim = lf.claim_document(statements=(FRIENDLY, UNCHANGED) if state != "pass" else ())
    artifacts = {**ARTIFACTS, **({"tests.json": lf.BAD["tests.json"]} if state == "fail" else {})}
    failures = {"code:build": ("ADAPTER_CRASH", True)} if state == "error" else {}
    return lf.facts(RULES, artifacts, claim=claim, failures=failures)


def verification(answers: Sequence[ModelAnswer], problem: Problem | None = None, questions: int = 2) -> Verification:
    return Verification(
        engine="gemini-api",
        model="m",
        calls=1,
        statements={f"q{number}": f"statement:{number}" for number in range(1, questions + 1)},
        answers=tuple(answers),
        problem=problem,
        texts={"diffs.patch": PATCH},
    )


def about(question: str, name: str) -> list[ModelAnswer]:
    return [replace(answer, question=question) if answer.question == "q?" else answer for answer in ANSWERS[name]]


def decided(state: str, first: str, second: str) -> Verdict:
    problem = PROBLEMS.get(first) or PROBLEMS.get(second)
    return decide_verdict(
        replace(facts_of(state), verification=verification([*about("q1", first), *about("q2", second)], problem))
    )


@pytest.mark.parametrize(
    ("state", "status"), [("pass", "pass"), ("fail", "fail"), ("error", "error"), ("open", "inconclusive")]
)
def test_the_states_are_what_they_are_called(state: str, status: str) -> None:
    verdict = decide_verdict(facts_of(state))
    assert (verdict.status, verdict.decided_by, verdict.verifier) == (Status(status), "facts", None)


@pytest.mark.parametrize("state", ["pass", "fail", "error"])
@pytest.mark.parametrize("first", FIRST)
def test_where_the_facts_decide_no_answer_changes_anything(state: str, first: str) -> None:
    alone = decide_verdict(facts_of(state))
    for second in ANSWERS:
        assert decided(state, first, second) == alone


@pytest.mark.parametrize("first", FIRST)
def test_what_is_open_passes_only_if_every_statement_is_supported_and_fails_if_one_is_refuted(first: str) -> None:
    for second in ANSWERS:
        verdict = decided("open", first, second)
        means = {MEANS.get(first, "open"), MEANS.get(second, "open")}
        if "refuted" in means:
            expected = ("fail", "verifier")
        elif "open" in means:
            expected = ("inconclusive", "facts")
        else:
            expected = ("pass", "verifier")
        assert (verdict.status.value, verdict.decided_by) == expected, (first, second)
        assert verdict.verifier is not None
        assert parse_verdict(verdict.document()) == verdict
        for number, name in enumerate((first, second), start=1):
            check = verdict.check(f"unit:statement:{number}")
            assert check is not None
            outcome = {"supported": CheckOutcome.HOLDS, "refuted": CheckOutcome.REFUTED}.get(
                MEANS.get(name, ""), CheckOutcome.UNKNOWN
            )
            assert check.outcome is outcome, (name, check.message)
            assert (check.source == "verifier") is (outcome is not CheckOutcome.UNKNOWN)
            assert all(ref.sha256 for ref in check.evidence)


def test_the_table_covers_what_it_says() -> None:
    assert len(ANSWERS) == 16 + 2 * len(FALSE_CITATIONS)
    assert {"supported", "refuted", "abstain", "garbage", "timeout"} <= set(ANSWERS)
    assert len(list(itertools.product(("pass", "fail", "error", "open"), ANSWERS, ANSWERS))) > 19_000


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("timeout", "timeout: no answer within 5 seconds (raise timeout_s)"),
        ("garbage", "left it unanswered"),
        ("abstain", "abstains"),
        ("false citation: the claim", "which prove nothing"),
        ("false citation: another value", "the value at its pointer differs from what it quotes"),
    ],
)
def test_what_stays_open_says_why(name: str, told: str) -> None:
    check = decided("open", name, "supported").check("unit:statement:1")
    assert check is not None
    assert check.reason == "CLAIM_UNSUPPORTED"
    assert told in check.message
    assert FRIENDLY in check.message


@pytest.mark.parametrize("state", ["a rule is unknown", "an error", "a fail", "only", "no claim", "judges changed"])
def test_support_never_outweighs_what_isn_t_a_statement(state: str) -> None:
    claim = lf.claim_document(statements=[FRIENDLY])
    facts = {
        "a rule is unknown": lambda: lf.facts({**RULES, "coverage_min": 0.8}, ARTIFACTS_WITHOUT_COVERAGE, claim=claim),
        "an error": lambda: lf.facts(RULES, ARTIFACTS, claim=claim, failures={"code:x": ("ADAPTER_TIMEOUT", True)}),
        "a fail": lambda: lf.facts({**RULES, "tests_min": 6}, ARTIFACTS, claim=claim),
        "only": lambda: lf.facts(RULES, ARTIFACTS, claim=claim, only=["code:lint"]),
        "no claim": lambda: lf.facts(RULES, ARTIFACTS),
        "judges changed": lambda: lf.facts(RULES, ARTIFACTS, claim=claim, changed_policy_files=["config/x.json"]),
    }[state]()
    answers = verification(about("q1", "supported"), questions=1)
    assert decide_verdict(replace(facts, verification=answers)).status is decide_verdict(facts).status
    assert decide_verdict(facts).status is not Status.PASS


def test_a_model_alone_is_not_looking_at_something() -> None:
    """Every rule is about something else, and the only thing that was looked at was looked at by a model."""
    claim = lf.claim_document(statements=[FRIENDLY])
    facts = lf.facts({"word_min": 10}, {"notes.json": {"n": 1}}, claim=claim, changed=["a.py"])
    cited = ModelAnswer("q1", Word.SUPPORTED, (Citation("notes.json", "1", pointer="/n"),))
    verdict = decide_verdict(replace(facts, verification=verification([cited], questions=1)))
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.check("gate.something_checked") is not None


def test_a_reported_statement_is_not_asked_about() -> None:
    claim = lf.claim_document(statements=[FRIENDLY])
    facts = lf.facts({**RULES, "coverage_min": 0.8, "statements": "report"}, ARTIFACTS_WITHOUT_COVERAGE, claim=claim)
    verdict = decide_verdict(facts)
    assert verdict.status is Status.INCONCLUSIVE
    assert select_open_questions(facts, verdict) == ()
    assert decide_verdict(replace(facts, verification=verification(about("q1", "refuted"), questions=1))) == verdict


@pytest.mark.parametrize(
    ("statement", "artifacts", "asked"),
    [
        (FRIENDLY, ARTIFACTS, True),
        ("Refactored the loader without changing behaviour", ARTIFACTS, True),
        ("If the file is missing, load returns None", ARTIFACTS, True),
        ("The tests in tests/unit pass", ARTIFACTS, True),
        (f"{FRIENDLY}. " * 40, ARTIFACTS, False),
        ("5 tests pass", ARTIFACTS, False),
        ("6 tests pass", ARTIFACTS, False),
        ("92% coverage", ARTIFACTS, False),
        ("The coverage is 90%", ARTIFACTS_WITHOUT_COVERAGE, False),
        ("I will fix it later", ARTIFACTS, False),
        ("Previously it crashed", ARTIFACTS, False),
        ("Users said it is faster", ARTIFACTS, False),
    ],
)
def test_only_what_no_fact_covers_is_asked(statement: str, artifacts: Any, *, asked: bool) -> None:
    """A statement about a fact that isn't there stays open: a model is no substitute for a measurement."""
    facts = lf.facts({"lint_clean": True}, artifacts, claim=lf.claim_document(statements=[statement]))
    verdict = decide_verdict(facts)
    assert bool(select_open_questions(facts, verdict)) is asked, verdict.checks
    said = replace(facts, verification=verification(about("q1", "supported"), questions=1))
    assert (decide_verdict(said).status is Status.PASS) is (asked or verdict.status is Status.PASS)


def test_questions_have_the_gate_s_own_ids() -> None:
    facts = lf.facts(RULES, ARTIFACTS, claim=lf.claim_document(statements=[{"id": "q1", "text": UNCHANGED}, FRIENDLY]))
    found = select_open_questions(facts, decide_verdict(facts))
    assert [(question.id, question.text) for question in found] == [("q1", UNCHANGED), ("q2", FRIENDLY)]


OF_THE_CLAIM = (
    *("./claim.json", "CLAIM.json", "claim%2Ejson", "%63laim.json", "claim.json/", "/claim.json", "claim.json "),
    *("claim\u200b.json", "claim\\u200b.json", "\uff43laim.json", "x/../claim.json", "\u0441laim.json"),
    *("./commitment.json", "Verifier/record.json", "verifier/../claim.json", ".artifacts/T1/claim.json"),
)
OTHER_NAMES = {
    **dict.fromkeys(OF_THE_CLAIM, "/claim/statements/0"),
    **dict.fromkeys(("./tests.json", "TESTS.JSON", "tests.json/", "tests%2Ejson", "x/../tests.json"), "/passed"),
}


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_an_artifact_has_one_name(name: str) -> None:
    """Whatever a path may mean to a file system or to a server, in another case, with dots, escapes or look-alikes."""
    facts = lf.facts(RULES, ARTIFACTS, claim=lf.claim_document(statements=[FRIENDLY]))
    cited = Citation(name, "5" if OTHER_NAMES[name] == "/passed" else FRIENDLY, pointer=OTHER_NAMES[name])
    answer = ModelAnswer("q1", Word.SUPPORTED, (TRUE_POINTER, cited))
    verdict = decide_verdict(replace(facts, verification=verification([answer], questions=1)))
    assert verdict.status is Status.INCONCLUSIVE


COPIES = {
    "other case and punctuation": ("Now: the ERROR message - is friendlier!",),
    "a soft hyphen": ("The error mes\u00adsage is friendlier",),
    "no width": ("The error mess\u200bage is friendlier",),
    "an invisible tag": ("The error message\U000e0041 is friendlier",),
    "a variation selector": ("The error\ufe0f message is friendlier",),
    "a mark that nothing shows": ("The error messa\u034fge is friendlier",),
    "full width": ("\uff34\uff48\uff45 error message is friendlier",),
    "an accent": ("The error message is friendl\u00eder",),
    "Cyrillic letters": ("The err\u043er m\u0435ssage is fri\u0435ndlier",),
    "Greek letters": ("The err\u03bfr message is friendlier",),
    "an identifier": ("the_error_message_is_friendlier = 1",),
    "an identifier in humps": ("class TheErrorMessageIsFriendlier:",),
    "two lines": ("# The error message", "# is friendlier"),
    "two lines, out of order": ("# is friendlier", "# The error message"),
}


@pytest.mark.parametrize("case", COPIES)
def test_a_statement_can_t_be_cited_for_itself_from_wherever_it_was_copied_to(case: str) -> None:
    """Neither in another spelling, nor in pieces that are each cited by themselves."""
    lines = COPIES[case] if case != "two lines, out of order" else COPIES["two lines"]
    added = "".join(f"+{line}\n" for line in lines)
    patch = f"--- a/README.md\n+++ b/README.md\n@@ -0,0 +1,{len(lines)} @@\n{added}"
    facts = lf.facts(RULES, {**ARTIFACTS, "diffs.patch": patch}, claim=lf.claim_document(statements=[FRIENDLY]))
    cited = tuple(
        Citation("diffs.patch", escape_invisible(line), None, "README.md", lines.index(line) + 1)
        for line in COPIES[case]
    )
    said = replace(verification([ModelAnswer("q1", Word.SUPPORTED, cited)], questions=1), texts={"diffs.patch": patch})
    verdict = decide_verdict(replace(facts, verification=said))
    assert verdict.status is Status.INCONCLUSIVE
    assert "can't vouch for itself" in verdict.reasons[0].message


@pytest.mark.parametrize(
    ("statement", "line", "same"),
    [
        ("It works", "exit workspace", False),
        ("It works", "exitworks = 1", False),
        ("It works", "it_works = 1", True),
        ("\u0420\u0430\u0431\u043e\u0442\u0430\u0435\u0442", "\u0440\u0430\u0431\u043e\u0442\u0430\u0435\u0442", True),
        (FRIENDLY, "the error message is friendly", False),
        ("!!", "anything", True),
    ],
)
def test_only_a_copy_is_one(statement: str, line: str, *, same: bool) -> None:
    assert repeats_statement(statement, [line]) is same


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ({"a": 5}, "5"),
        ({"a": 5}, "5.0"),
        ({"a": True}, "true"),
        ({"a": None}, "null"),
        ({"a": "x y"}, "x y"),
        ({"a": "x y"}, '"x y"'),
        ({"a": "zero\u200bwidth"}, "zero\\u200bwidth"),
        ({"a": ["p", {"q": 1}]}, '["p", {"q": 1}]'),
        ({"a": "5"}, "5"),
    ],
)
def test_a_value_may_be_quoted_as_json_or_as_it_was_shown(value: Any, quoted: str) -> None:
    facts = lf.facts(RULES, {**ARTIFACTS, "x.json": value}, claim=lf.claim_document(statements=[FRIENDLY]))
    answer = ModelAnswer("q1", Word.SUPPORTED, (Citation("x.json", quoted, pointer="/a"),))
    assert decide_verdict(replace(facts, verification=verification([answer], questions=1))).status is Status.PASS


@pytest.mark.parametrize("quoted", ["name = '\\udce4\\u200b'", "name = '\udce4\u200b'"])
def test_bytes_that_are_no_utf_8_can_be_cited_and_published(quoted: str) -> None:
    patch = "--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,1 @@\n+name = '\udce4\u200b'\n"
    facts = lf.facts(RULES, {**ARTIFACTS, "diffs.patch": ""}, claim=lf.claim_document(statements=[FRIENDLY]))
    cited = Citation("diffs.patch", quoted, None, "a.py", 1, 1)
    said = replace(
        verification([ModelAnswer("q1", Word.SUPPORTED, (cited,))], questions=1), texts={"diffs.patch": patch}
    )
    verdict = decide_verdict(replace(facts, verification=said))
    assert verdict.status is Status.PASS
    assert b"udce4" in encode_json(verdict.document())


def test_what_facts_bear_out_of_a_statement_stays_its_evidence() -> None:
    statement = "5 tests pass; the linter was not run"
    facts = lf.facts(RULES, ARTIFACTS, claim=lf.claim_document(statements=[statement]))
    (question,) = select_open_questions(facts, decide_verdict(facts))
    assert question.text == statement
    supported = decide_verdict(replace(facts, verification=verification(about("q1", "refuted"), questions=1)))
    check = supported.check("unit:statement:1")
    assert check is not None
    assert (check.evidence[0].artifact, check.evidence[0].value) == ("tests.json", 5)
    assert check.evidence[-1].artifact == "diffs.patch"
    assert check.source == "verifier"
