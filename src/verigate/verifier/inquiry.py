"""Ask an engine in rounds, within budgets, and name every error.

At most one round for each open question (several may share one), and one more in total to repair an unreadable answer.
An error here never changes the verdict.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct

from verigate.domain.artifact import Evidence
from verigate.domain.engine import (
    Engine,
    EngineOrigin,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Usage,
    read_capabilities,
)
from verigate.domain.engine_request import EngineRequest
from verigate.domain.task import Task
from verigate.domain.verification import Problem, Question
from verigate.verifier.answers import UnreadableAnswerError, read_answers
from verigate.verifier.evidence_parts import EvidencePart, split_evidence
from verigate.verifier.overrides import list_overrides
from verigate.verifier.policy import MAX_OUTPUT_TOKENS, MIN_OUTPUT_TOKENS, VerifierPolicy, estimate_tokens
from verigate.verifier.prompt import EVIDENCE_CHARACTERS, REPAIR, Prompt, build_prompt, response_schema
from verigate.verifier.record import Call, build_record, compute_cost, sanitize_result
from verigate.verifier.sent import sanitize_invocation

PER_ROUND = 10
"""Limit of the questions in one round. More would leave less room for the evidence of each."""


class Inquiry(Struct, frozen=True):
    """The open questions and the evidence to answer them. ``texts`` are the text artifacts by path."""

    task: Task
    questions: tuple[Question, ...]
    evidence: Evidence
    texts: Mapping[str, str]
    policy: VerifierPolicy


async def ask(inquiry: Inquiry, engine: Engine, monotonic: Callable[[], float]) -> dict[str, bytes]:
    """Ask the questions; return the files of the record, which includes errors."""
    rounds = Rounds(inquiry, engine, monotonic)
    problem = await rounds.run()
    origin = getattr(engine, "origin", None)
    return build_record(
        inquiry.policy,
        inquiry.questions,
        rounds.calls,
        problem,
        engine=engine.description.name,
        origin=origin if isinstance(origin, EngineOrigin) else EngineOrigin(),
        engine_set=list_overrides(getattr(engine, "overrides", {})),
    )


def record_unasked(inquiry: Inquiry, problem: Problem) -> dict[str, bytes]:
    """Return the files of the record if no engine was available."""
    return build_record(inquiry.policy, inquiry.questions, (), problem, engine=inquiry.policy.engine)


class Rounds:
    """The rounds of one inquiry; ``calls`` are those made so far."""

    def __init__(self, inquiry: Inquiry, engine: Engine, monotonic: Callable[[], float]) -> None:
        self._inquiry = inquiry
        self._policy = inquiry.policy
        self._engine = engine
        self._monotonic = monotonic
        self._deadline = monotonic() + inquiry.policy.timeout_s
        self._repaired = False
        self.calls: list[Call] = []

    async def run(self) -> Problem | None:
        """Run all rounds; return why answers are missing, None if none is."""
        pieces = split_evidence(self._inquiry.evidence, self._inquiry.texts)
        questions = self._inquiry.questions
        for start in range(0, len(questions), PER_ROUND):
            problem = await self._run_round(questions[start : start + PER_ROUND], pieces)
            if problem is not None:
                return problem
        return None

    async def _run_round(self, questions: Sequence[Question], pieces: Sequence[EvidencePart]) -> Problem | None:
        room = min(EVIDENCE_CHARACTERS, self._policy.max_tokens * 2)
        prompt = build_prompt(self._inquiry.task, questions, pieces, room)
        problem = await self._call(questions, prompt, attempt=1)
        if problem is None or problem.code != "unreadable_answer" or self._repaired:
            return problem
        self._repaired = True
        again = msgspec.structs.replace(prompt, text=REPAIR + prompt.text)
        return await self._call(questions, again, attempt=2)

    async def _call(self, questions: Sequence[Question], prompt: Prompt, attempt: int) -> Problem | None:
        needed = estimate_tokens(prompt.whole)
        left = self._policy.max_tokens - self._count_used - needed
        if (problem := self._check_budget(needed, left)) is not None:
            return problem
        seed = int.from_bytes(hashlib.sha256(prompt.whole.encode("utf-8", "replace")).digest()[:4]) >> 1
        request = EngineRequest(
            task_id=self._inquiry.task.id,
            instruction=prompt.instruction,
            prompt=prompt.text,
            response_schema=response_schema(questions),
            seed=seed,
            timeout_s=max(0.001, self._deadline - self._monotonic()),
            max_output_tokens=min(MAX_OUTPUT_TOKENS, left),
            attempt=attempt,
        )
        started: list[InvocationMeta] = []
        result = await self._execute(request, started)
        asked = tuple(question.id for question in questions)
        self.calls.append(Call(asked, prompt.mark, attempt, prompt.whole, result, sanitize_invocation(started)))
        return _find_fault(result, prompt.mark)

    async def _execute(self, request: EngineRequest, started: list[InvocationMeta]) -> ExecutionResult:
        async def on_meta(meta: InvocationMeta) -> None:
            started.append(meta)

        config = {} if self._policy.model is None else {"model": self._policy.model}
        run_id = f"{request.task_id}-{len(self.calls) + 1}"
        context = ExecutionContext(run_id, config, request.context(), on_meta=on_meta)
        try:
            async with asyncio.timeout(request.timeout_s):
                said = await self._engine.execute(context)
            return sanitize_result(said)
        except TimeoutError:
            return _to_failure("timeout", _OUT_OF_TIME, "raise verifier.timeout_s in the profile", timed_out=True)
        except (Exception, SystemExit, GeneratorExit, asyncio.CancelledError) as problem:
            # An engine may be third-party code; the verdict stands without it. Interrupts of the gate pass through.
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            kind = type(problem).__name__
            return _to_failure(
                "engine_fault", f"the engine ended with {kind}: {problem}"[:500], "this is the engine's fault"
            )

    @property
    def _count_used(self) -> int:
        """Count the tokens used so far; a call without a count is taken at its maximum."""
        return sum(
            call.result.usage.total if call.result.usage else estimate_tokens(call.prompt) + MAX_OUTPUT_TOKENS
            for call in self.calls
        )

    def _check_budget(self, needed: int, left: int) -> Problem | None:
        """Return why no further call is allowed, None if one is. An unknown cost counts as too much."""
        policy = self._policy
        if self._monotonic() >= self._deadline:
            return Problem("timeout", _OUT_OF_TIME, "raise verifier.timeout_s in the profile")
        if left < MIN_OUTPUT_TOKENS:
            message = f"about {needed} tokens are needed and {policy.max_tokens - self._count_used} are left"
            return Problem("token_budget", message, "raise verifier.max_tokens in the profile")
        if policy.max_cost_usd is None:
            return None
        return self._check_cost(needed, policy.max_cost_usd, min(MAX_OUTPUT_TOKENS, left))

    def _check_cost(self, needed: int, limit: float, answer: int) -> Problem | None:
        policy = self._policy
        if policy.prices is None and not read_capabilities(self._engine).cost_reporting:
            message = "max_cost_usd is set, and nobody knows what a call costs: the engine doesn't report it"
            return Problem("cost_unknown", message, "set verifier.usd_per_million_tokens in the profile")
        spent = compute_cost([call.result for call in self.calls], policy)
        next_call = policy.prices.compute_cost(Usage(needed, answer)) if policy.prices is not None else 0.0
        if spent is None or spent + next_call > limit or spent >= limit:
            known = "an unknown amount" if spent is None else f"{spent:.6f} USD"
            message = f"{known} is spent, the next call may cost {next_call:.6f} USD, and {limit} USD is the limit"
            return Problem("cost_budget", message, "raise verifier.max_cost_usd in the profile")
        return None


_OUT_OF_TIME = "no answer came in the time that the profile gives"


def _to_failure(code: str, message: str, hint: str, *, timed_out: bool = False) -> ExecutionResult:
    return ExecutionResult(error_code=code, error_message=message, error_hint=hint, timed_out=timed_out)


def _find_fault(result: ExecutionResult, mark: str) -> Problem | None:
    """Return why a result contains no answer, None if it does."""
    if result.failed:
        code = result.error_code or ("timeout" if result.timed_out else "killed" if result.signal else "engine_failed")
        ended = f"signal {result.signal}" if result.signal else f"exit code {result.exit_code}"
        return Problem(code, result.error_message or f"the engine ended with {ended}", result.error_hint)
    try:
        read_answers(result, mark)
    except UnreadableAnswerError as problem:
        return Problem("unreadable_answer", str(problem)[:500], "see the answer in the task's verifier folder")
    return None
