"""What a verifier may settle, and what its answers come to. Only statements that nothing else decides.

Precedence holds as ever, and an answer is the weakest fact: it is looked at only where the facts alone are
inconclusive, for statements that they leave open. So it can't turn a fail or an error into a pass, whatever it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verigate.domain.facts import Facts
from verigate.domain.verdict import CheckOutcome, EvidenceRef, Status, Verdict
from verigate.domain.verification import ModelAnswer, Question, Verification, Word
from verigate.gate.citations import VoidCitationError, look_up_all
from verigate.gate.rule_outcome import RuleOutcome, holds, refuted, unknown

MAX_CITATIONS = 20
"""Citations of one answer. More are no answer but a search for one that fits."""

_SHOWN = 200


def select_open_questions(facts: Facts, verdict: Verdict) -> tuple[Question, ...]:
    """The statements that hold an inconclusive verdict back, of which no rule and no fact covers what is open.

    ``verdict`` is the one on facts alone. Their ids are the gate's own, in the claim's order.
    """
    claim = facts.task.claim
    if verdict.status is not Status.INCONCLUSIVE or facts.only or claim is None:
        return ()
    waiting = {
        check.id.removeprefix("unit:")
        for check in verdict.checks
        if check.outcome is CheckOutcome.UNKNOWN and check.holds_back and check.reason == "CLAIM_UNSUPPORTED"
    }
    from verigate.gate.statements import judge_statements  # only where there are any

    if facts.baseline is not None:
        from verigate.gate.baseline import match_baseline  # only where there is one

        facts = match_baseline(facts, facts.baseline)
    judged = zip(claim.statements, judge_statements(facts, claim.statements), strict=True)
    texts = {said.id: said.text for said, found in judged if said.id in waiting and found.askable}
    return tuple(Question(f"q{number}", name, texts[name]) for number, name in enumerate(texts, start=1))


def settle_statements(
    facts: Facts, verification: Verification, questions: Sequence[Question]
) -> Mapping[str, RuleOutcome]:
    """What the answers come to, by statement id; each question gets one."""
    by_statement: dict[str, list[ModelAnswer]] = {}
    for answer in verification.answers:
        if (statement := verification.statements.get(answer.question)) is not None:
            by_statement.setdefault(statement, []).append(answer)
    return {
        question.statement: _settle_statement(facts, verification, question, by_statement.get(question.statement, []))
        for question in questions
    }


def _settle_statement(
    facts: Facts, verification: Verification, question: Question, said: Sequence[ModelAnswer]
) -> RuleOutcome:
    """One statement. A refutation wins over support, and support that anything is set against is none."""
    who = f"the verifier {verification.engine}"
    refs: dict[Word, list[EvidenceRef]] = {word: [] for word in Word}
    notes: list[str] = []
    for answer in said:
        try:
            found = _look_up_citations(facts, verification, question, answer)
        except VoidCitationError as problem:
            notes.append(f"its answer is void: {problem}")
            refs[Word.ABSTAIN].append(_NO_CITATION)
            continue
        if answer.word is Word.ABSTAIN:
            notes.append(f"abstains{_format_reasons(answer)}")
            refs[Word.ABSTAIN].append(_NO_CITATION)
        else:
            refs[answer.word] += found
    why = _format_reasons(*said)
    if refs[Word.REFUTED]:
        message = f"refuted by {who}{why}: {question.text[:_SHOWN]}"
        return refuted("CLAIM_REFUTED", message, Word.REFUTED.value, *refs[Word.REFUTED])
    if refs[Word.SUPPORTED] and not refs[Word.ABSTAIN]:
        return holds(Word.SUPPORTED.value, *refs[Word.SUPPORTED], message=f"supported by {who}{why}")
    if not notes:
        notes.append(f"gave no answer: {verification.problem}" if verification.problem else "left it unanswered")
    note = "; ".join(dict.fromkeys(notes))
    return unknown("CLAIM_UNSUPPORTED", f"no rule or fact decides: {question.text[:_SHOWN]}; {who}: {note}")


_NO_CITATION = EvidenceRef("", "", None, "")
"""Stands for an answer that cites nothing; never part of a verdict."""


def _look_up_citations(
    facts: Facts, verification: Verification, question: Question, answer: ModelAnswer
) -> tuple[EvidenceRef, ...]:
    """The places that an answer cites. One that isn't there voids the answer, and so does citing nothing."""
    if answer.word is Word.ABSTAIN:
        return ()
    if not answer.citations:
        raise VoidCitationError("it cites nothing")
    if len(answer.citations) > MAX_CITATIONS:
        raise VoidCitationError(f"it cites more than {MAX_CITATIONS} places")
    return look_up_all(answer.citations, facts.evidence, verification.texts, question.text)


def _format_reasons(*answers: ModelAnswer) -> str:
    why = " ".join(dict.fromkeys(answer.why.strip() for answer in answers if answer.why.strip()))
    return f" ({why[:_SHOWN]})" if why else ""
