"""Rounds and budgets: what is asked, how often, what it may cost, and what any engine can do wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import literal_facts as lf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.artifact import Evidence
from verigate.domain.engine import (
    EngineCapabilities,
    EngineDescription,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    Usage,
)
from verigate.domain.engine_request import EngineRequest, read_request
from verigate.domain.sent_request import SentRequest, SentSkill
from verigate.domain.verification import Question, Verification, Word
from verigate.verifier.answers import UnreadableAnswerError, read_answers
from verigate.verifier.inquiry import Inquiry, ask
from verigate.verifier.policy import MAX_OUTPUT_TOKENS, Prices, VerifierPolicy, estimate_tokens, read_policy
from verigate.verifier.record import read_record

Made = ExecutionResult | BaseException | Callable[[EngineRequest], ExecutionResult]


def mark_of(request: EngineRequest) -> str:
    return request.prompt.split("The mark of the fences is ")[1][:32]


def supported(*questions: str) -> Callable[[EngineRequest], ExecutionResult]:
    def made(request: EngineRequest) -> ExecutionResult:
        said = [{"question": name, "answer": "abstain", "citations": [], "why": ""} for name in questions]
        output = json.dumps({"mark": mark_of(request), "answers": said})
        return ExecutionResult(exit_code=0, output=output, usage=Usage(1000, 100), model="m", model_version="m-1")

    return made


class Scripted:
    """An engine that plays a script; a number in it moves the clock on by that many seconds before the next."""

    description = EngineDescription("scripted", "Scripted")

    def __init__(self, *script: Made | float, costs: bool = False) -> None:
        self.script = list(script)
        self.asked: list[EngineRequest] = []
        self.contexts: list[ExecutionContext] = []
        self.time = 0.0
        self.capabilities = EngineCapabilities(cost_reporting=costs)

    def monotonic(self) -> float:
        return self.time

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        self.contexts.append(ctx)
        self.asked.append(read_request(ctx.context))
        while isinstance(self.script[0], int | float):
            self.time += float(self.script.pop(0))  # type: ignore[arg-type]
        made = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(made, BaseException):
            raise made
        return made(self.asked[-1]) if callable(made) else made  # type: ignore[return-value]

    async def test_environment(self, *_: Any) -> tuple[EnvironmentCheck, ...]:
        return ()


def asked(
    engine: Scripted, policy: VerifierPolicy | None = None, *, statements: int = 1, artifacts: Any = None
) -> tuple[Verification, Any]:
    files, verification = files_of(engine, policy, statements=statements, artifacts=artifacts)
    return verification, json.loads(files["verifier/record.json"])


def files_of(
    engine: Scripted, policy: VerifierPolicy | None = None, *, statements: int = 1, artifacts: Any = None
) -> tuple[dict[str, bytes], Verification]:
    facts = lf.facts({}, artifacts or lf.GOOD, claim=lf.claim_document(statements=["It is so"] * statements))
    questions = tuple(Question(f"q{n}", f"statement:{n}", f"It is so, {n}") for n in range(1, statements + 1))
    inquiry = Inquiry(facts.task, questions, facts.evidence, {}, policy or VerifierPolicy("scripted"))
    files = asyncio.run(ask(inquiry, engine, engine.monotonic))
    return files, read_record(files.__getitem__, lambda _: None)


def test_the_record_holds_what_was_sent_and_says_what_nobody_reports() -> None:
    sent = SentRequest(
        "not settable", 7, "rendered", "system", SentSkill("judge", "a" * 64), {"SKILL.md": "text", "../x": "no"}, "s0"
    )
    said = ExecutionResult(exit_code=0, output="hm", usage=Usage(5, 6), session_id="s1", cost_usd=0.5, sent=sent)
    files, verification = files_of(Scripted(said, ExecutionResult(exit_code=0, output="hm")))
    first, second = json.loads(files["verifier/record.json"])["calls"]
    assert (first["temperature"], first["seed"]) == ("not settable", 7)
    assert files[first["prompt"]["path"]] == b"system\nrendered"
    assert first["prompt"]["source"] == "sent"
    assert [files[entry["path"]] for entry in first["files"]] == [b"text"]
    assert first["skill"] == {"id": "judge", "sha256": "a" * 64}
    assert first["session"] == {"id": "s1", "shown_as": None, "resumed": "s0"}
    assert first["usage"] == {"inputTokens": 5, "outputTokens": 6}
    assert "sent" not in json.loads(files[first["answer"]["path"]])
    assert (second["temperature"], second["seed"], second["usage"]) == ("not reported", "not reported", None)
    assert second["prompt"]["source"] == "given"
    assert set(files) == {
        "verifier/record.json", "verifier/1.prompt.txt", "verifier/1.SKILL.md", "verifier/1.answer.json",
        "verifier/2.prompt.txt", "verifier/2.answer.json",
    }  # fmt: skip
    assert (verification.document()["temperature"], verification.document()["seed"]) == ("not settable", 7)


@pytest.mark.parametrize("said", [float("nan"), "0.0", "anything"])
def test_a_sampling_parameter_that_is_none_is_not_recorded(said: Any) -> None:
    result = ExecutionResult(exit_code=0, output="hm", sent=SentRequest(said, 1))
    files, _ = files_of(Scripted(result))
    call, _ = json.loads(files["verifier/record.json"])["calls"]
    assert call["temperature"] == "not reported"


def code(verification: Verification) -> str | None:
    return verification.problem.code if verification.problem else None


# Rounds


@pytest.mark.parametrize(("statements", "rounds"), [(1, 1), (10, 1), (11, 2), (25, 3)])
def test_there_are_never_more_rounds_than_questions(statements: int, rounds: int) -> None:
    engine = Scripted(supported(*(f"q{n}" for n in range(1, statements + 1))))
    verification, _ = asked(engine, statements=statements)
    assert len(engine.asked) == rounds <= statements
    assert len(verification.answers) == statements
    assert {answer.word for answer in verification.answers} == {Word.ABSTAIN}
    assert [question for request in engine.asked for question in request.response_schema["properties"]["answers"]
            ["items"]["properties"]["question"]["enum"]] == [f"q{n}" for n in range(1, statements + 1)]  # fmt: skip


def test_one_repair_in_all() -> None:
    bad = ExecutionResult(exit_code=0, output="hm")
    engine = Scripted(bad, supported("q1"), bad)
    verification, record = asked(engine, statements=11)
    assert [call["attempt"] for call in record["calls"]] == [1, 2, 1]
    assert code(verification) == "unreadable_answer"
    assert engine.asked[1].prompt.startswith("The answer before this could not be read.")


def test_an_answer_counts_for_the_questions_of_its_round_only() -> None:
    engine = Scripted(supported("q1", "q11"), supported("q11", "q1", "q2"))
    verification, _ = asked(engine, statements=11)
    assert [answer.question for answer in verification.answers] == ["q1", "q11"]


def test_the_first_error_is_the_last_call() -> None:
    engine = Scripted(ExecutionResult(error_code="rate_limited", error_message="slow down"), supported("q1"))
    verification, _ = asked(engine, statements=30)
    assert (len(engine.asked), code(verification)) == (1, "rate_limited")


def test_requests_are_deterministic_and_say_so() -> None:
    first, second = Scripted(supported("q1")), Scripted(supported("q1"))
    asked(first)
    asked(second)
    assert first.asked == second.asked
    request = first.asked[0]
    assert request.temperature == 0
    assert 0 <= request.seed < 2**31
    assert request.prompt.count("<<<UNTRUSTED") > 2
    assert request.task_id == "T1"


def test_the_model_of_the_profile_is_its_configuration() -> None:
    engine = Scripted(supported("q1"))
    asked(engine, VerifierPolicy("scripted", "big"))
    assert engine.contexts[0].config == {"model": "big"}


# What goes wrong


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (RuntimeError("boom"), "engine_fault"),
        (TimeoutError(), "timeout"),
        (ExecutionResult(exit_code=3), "engine_failed"),
        (ExecutionResult(signal="SIGKILL", output="{}"), "killed"),
        (ExecutionResult(exit_code=0, timed_out=True, output="{}"), "timeout"),
        (ExecutionResult(error_code="of_its_own"), "of_its_own"),
        (ExecutionResult(exit_code=0), "unreadable_answer"),
        (ExecutionResult(exit_code=0, output="{}", result_json={"verdict": "pass"}), "unreadable_answer"),
        (ExecutionResult(exit_code="zero", output="{}"), "engine_fault"),  # type: ignore[arg-type]
        (ExecutionResult(exit_code=0, usage="much"), "engine_fault"),  # type: ignore[arg-type]
        (lambda _: None, "engine_fault"),
        (lambda _: "pass", "engine_fault"),
    ],
)
def test_whatever_an_engine_does_has_a_name(made: Any, expected: str) -> None:
    verification, _ = asked(Scripted(made))
    assert code(verification) == expected
    assert verification.answers == ()


def said_well(request: EngineRequest, **more: Any) -> ExecutionResult:
    said = {"question": "q1", "answer": "abstain", "citations": [], "why": "no"}
    return ExecutionResult(**{"exit_code": 0, "result_json": {"mark": mark_of(request), "answers": [said]}, **more})


def nested(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {"a": found}
    return found


def padded(request: EngineRequest) -> ExecutionResult:
    """The agreed document, a megabyte of blanks, and something else: cut after that megabyte it would be an answer."""
    text = json.dumps(said_well(request).result_json)
    return ExecutionResult(exit_code=0, output=text + " " * 50_000_000 + "garbage")


HOSTILE: dict[str, tuple[Any, str | None]] = {
    "an answer of 50 MB": (padded, "unreadable_answer"),
    "one nested deeper than is read": (lambda _: ExecutionResult(result_json=nested(150)), "unreadable_answer"),
    "one nested deeper than is written": (lambda _: ExecutionResult(result_json=nested(400)), "unreadable_answer"),
    "one nested deeper than Python goes": (lambda _: ExecutionResult(result_json=nested(50_000)), "engine_fault"),
    "a session nested deep": (lambda r: said_well(r, session_params=nested(150)), "unreadable_answer"),
    "100 MB in pieces": (
        lambda _: ExecutionResult(result_json={str(n): "x" * 1_000_000 for n in range(100)}), "unreadable_answer"),
    "an exit with success": (SystemExit(0), "engine_fault"),
    "an exit without a code": (SystemExit(), "engine_fault"),
    "a cancellation that nobody asked for": (asyncio.CancelledError(), "engine_fault"),
    "the end of a generator": (GeneratorExit(), "engine_fault"),
    "no memory": (MemoryError(), "engine_fault"),
    "a signal beside an answer": (lambda r: said_well(r, signal="SIGKILL"), "killed"),
}  # fmt: skip


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] if " MB" in case else ()) for case in HOSTILE]
)
def test_no_result_of_an_engine_breaks_the_gate(case: str) -> None:
    made, expected = HOSTILE[case]
    verification, _ = asked(Scripted(made))
    assert (code(verification), verification.answers) == (expected, ())


def test_what_an_engine_says_of_itself_is_bounded_and_no_income() -> None:
    def made(request: EngineRequest) -> ExecutionResult:
        return said_well(request, model="m" * 10_000, cost_usd=-5.0, usage=Usage(-7, -7))

    engine = Scripted(made, costs=True)
    verification, _ = asked(engine, VerifierPolicy("scripted", max_cost_usd=1.0), statements=11)
    assert len(verification.model or "") == 1000
    assert (verification.usage, verification.cost_usd) == (Usage(0, 0), None)
    assert (code(verification), len(engine.asked)) == ("cost_budget", 1)


def test_an_answer_that_the_engine_has_parsed_is_taken() -> None:
    def made(request: EngineRequest) -> ExecutionResult:
        said = {"question": "q1", "answer": "refuted", "citations": [], "why": "no"}
        return ExecutionResult(exit_code=0, output="noise", result_json={"mark": mark_of(request), "answers": [said]})

    verification, _ = asked(Scripted(made))
    assert [answer.word for answer in verification.answers] == [Word.REFUTED]


@pytest.mark.parametrize("left", ["\ud800", "\x00", "é" * 10, "\u2028"])
def test_what_json_can_t_hold_doesn_t_reach_the_evidence(left: str) -> None:
    made = ExecutionResult(error_code="x", error_message=left, cost_usd=float("nan"), usage=Usage(2**70, -(2**70)))
    verification, record = asked(Scripted(made))
    assert code(verification) == "x"
    assert record["problem"]["code"] == "x"
    assert verification.usage.total <= 2**53


GOOD = '{"mark": "m", "answers": [{"question": "q1", "answer": "supported", "citations": [], "why": ""}]}'


@pytest.mark.parametrize(
    "output",
    [
        *("", " ", "supported", "null", "[]", "{}", '{"answers": []}', '{"mark": "m"}'),
        f"```json\n{GOOD}\n```",
        f"{GOOD}{GOOD}",
        GOOD.replace('"m"', '"n"'),
        GOOD.replace('"m"', "null"),
        GOOD.replace('"supported"', '"pass"'),
        GOOD.replace('"supported"', '"Supported"'),
        GOOD.replace('"supported"', "true"),
        GOOD.replace('"q1"', "1"),
        GOOD.replace("[]", "null"),
        GOOD.replace("[]", '[{"artifact": "a.json"}]'),
        GOOD.replace("[]", '[{"artifact": "a.json", "quoted": 5}]'),
        GOOD.replace("[]", '[{"artifact": "a.json", "quoted": "5", "first_line": "1"}]'),
        GOOD.replace("[]", '[{"artifact": "a.json", "quoted": "5", "first_line": 1.5}]'),
        GOOD.replace("[]", '[{"artifact": "a.json", "quoted": "5", "trust": "me"}]'),
        GOOD.replace('"why": ""', '"why": "", "confidence": 1'),
        GOOD.replace('"why": ""', '"answer": "refuted", "why": ""'),
        GOOD.replace('"mark": "m"', '"mark": "m", "status": "pass"'),
        GOOD.replace('"why": ""', '"why": NaN'),
        "[" * 200,
        json.dumps({"mark": "m", "answers": [json.loads(GOOD)["answers"][0]] * 1001}),
    ],
)  # fmt: skip
def test_anything_but_the_agreed_document_is_no_answer(output: str) -> None:
    with pytest.raises(UnreadableAnswerError):
        read_answers(ExecutionResult(output=output), "m")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.text() | VALUES.map(json.dumps))
def test_no_text_is_taken_for_an_answer_by_chance(output: str) -> None:
    try:
        found = read_answers(ExecutionResult(output=output), "a mark")
    except UnreadableAnswerError:
        return
    assert found == (), output


def test_the_agreed_document_is_read() -> None:
    cited = '[{"artifact": "a", "quoted": "x", "pointer": "", "file": "", "first_line": 1, "last_line": 2}]'
    (answer,) = read_answers(ExecutionResult(output=f" {GOOD.replace('[]', cited)}\n"), "m")
    (citation,) = answer.citations
    assert (citation.pointer, citation.file, citation.first_line, citation.last_line) == (None, None, 1, 2)


# Budgets


def test_time_is_for_all_rounds_together() -> None:
    engine = Scripted(5.0, supported("q1"), 5.0, supported("q11"))
    verification, _ = asked(engine, VerifierPolicy("scripted", timeout_s=9), statements=25)
    assert [request.timeout_s for request in engine.asked] == [9, 4]
    assert code(verification) == "timeout"
    assert len(engine.asked) == 2


def test_a_round_ends_when_time_is_up() -> None:
    class Asleep(Scripted):
        async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
            await asyncio.sleep(60)
            return await super().execute(ctx)

    verification, _ = asked(Asleep(supported("q1")), VerifierPolicy("scripted", timeout_s=0.05))
    assert code(verification) == "timeout"


def test_tokens_are_for_all_rounds_together() -> None:
    def dear(request: EngineRequest) -> ExecutionResult:
        made = supported("q1")(request)
        return ExecutionResult(exit_code=0, output=made.output, usage=Usage(50_000, 40_000))

    engine = Scripted(dear)
    verification, _ = asked(engine, VerifierPolicy("scripted", max_tokens=100_000), statements=60)
    assert (len(engine.asked), code(verification)) == (2, "token_budget")
    assert engine.asked[0].max_output_tokens <= MAX_OUTPUT_TOKENS


def test_a_prompt_that_doesn_t_fit_isn_t_sent() -> None:
    engine = Scripted(supported("q1"))
    verification, _ = asked(engine, VerifierPolicy("scripted", max_tokens=100))
    assert (engine.asked, code(verification), verification.calls) == ([], "token_budget", 0)
    assert verification.cost_usd == 0


def test_the_evidence_is_cut_to_the_tokens_that_there_are() -> None:
    issue = {"path": "a.py", "line": 1, "severity": "error", "rule": "E1", "message": "word " * 20}
    many = {**lf.GOOD["lint.json"], "issues": [{**issue, "line": line} for line in range(3000)]}
    sizes = []
    for limit in (8_000, 20_000, 200_000):
        engine = Scripted(supported("q1"))
        asked(engine, VerifierPolicy("scripted", max_tokens=limit), artifacts={**lf.GOOD, "lint.json": many})
        request = engine.asked[0]
        assert estimate_tokens(request.prompt) + request.max_output_tokens <= limit
        assert "more parts of the evidence are left out." in request.prompt
        sizes.append(len(request.prompt))
    assert sizes == sorted(sizes)
    assert sizes[-1] < 150_000


PRICES = Prices(input=1.0, output=10.0)


@pytest.mark.parametrize(
    ("policy", "costs", "calls", "expected"),
    [
        (VerifierPolicy("scripted", max_cost_usd=1.0), False, 0, "cost_unknown"),
        (VerifierPolicy("scripted", max_cost_usd=0.0, prices=PRICES), False, 0, "cost_budget"),
        (VerifierPolicy("scripted", max_cost_usd=0.0), True, 0, "cost_budget"),
        (VerifierPolicy("scripted", max_cost_usd=0.01, prices=PRICES), False, 0, "cost_budget"),
        (VerifierPolicy("scripted", max_cost_usd=1.0, prices=PRICES), False, 3, None),
        (VerifierPolicy("scripted", prices=PRICES), False, 3, None),
        (VerifierPolicy("scripted"), False, 3, None),
    ],
)
def test_money(policy: VerifierPolicy, calls: int, expected: str | None, *, costs: bool) -> None:
    engine = Scripted(supported("q1"), costs=costs)
    verification, _ = asked(engine, policy, statements=30)
    assert (len(engine.asked), code(verification)) == (calls, expected)
    known = policy.prices is not None
    assert verification.cost_usd == ((pytest.approx(calls * 0.002) if known else None) if calls else 0)


def test_reported_costs_end_the_asking() -> None:
    def dear(request: EngineRequest) -> ExecutionResult:
        return ExecutionResult(exit_code=0, output=supported("q1")(request).output, cost_usd=0.6)

    engine = Scripted(dear, costs=True)
    verification, _ = asked(engine, VerifierPolicy("scripted", max_cost_usd=1.0), statements=50)
    assert (len(engine.asked), code(verification), verification.cost_usd) == (2, "cost_budget", 1.2)


def test_an_engine_that_doesn_t_report_what_it_says_it_does_is_asked_once() -> None:
    engine = Scripted(supported("q1"), costs=True)
    verification, _ = asked(engine, VerifierPolicy("scripted", max_cost_usd=1.0), statements=50)
    assert (len(engine.asked), code(verification)) == (1, "cost_budget")


# Profiles


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({}, None),
        ({"verifier": None}, None),
        ({"verifier": {}}, None),
        ({"verifier": {"model": "m"}}, None),
        ({"verifier": {"engine": "x", "when": "never"}}, None),
        ({"verifier": {"engine": "x"}}, VerifierPolicy("x")),
        ({"verifier": {"engine": "x", "when": "inconclusive"}}, VerifierPolicy("x")),
        (
            {"verifier": {"engine": "x", "model": "m", "max_cost_usd": 1, "timeout_s": 5, "max_tokens": 9,
                          "usd_per_million_tokens": {"input": 1, "output": 2}}},
            VerifierPolicy("x", "m", 5.0, 9, 1, Prices(1.0, 2.0)),
        ),
    ],
)  # fmt: skip
def test_what_a_profile_says(rules: dict[str, Any], expected: VerifierPolicy | None) -> None:
    assert read_policy(rules) == expected


def test_pieces_of_nothing_are_none() -> None:
    facts = lf.facts({}, {}, claim=lf.claim_document(statements=["It is so"]))
    questions: Sequence[Question] = (Question("q1", "statement:1", "It is so"),)
    engine = Scripted(supported("q1"))
    asyncio.run(
        ask(Inquiry(facts.task, tuple(questions), Evidence(), {}, VerifierPolicy("x")), engine, engine.monotonic)
    )
    assert "evidence" not in engine.asked[0].prompt
