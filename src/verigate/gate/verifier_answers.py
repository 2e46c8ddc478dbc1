"""Select the questions for a verifier, and turn its answers into outcomes of statements.

An answer is the weakest fact: it is used only if the facts alone are inconclusive, and only for statements that they
leave open. So it can't turn a fail or an error into a pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verigate.domain.facts import Facts
from verigate.domain.verdict import CheckOutcome, EvidenceRef, Status, Verdict
from verigate.domain.verification import ModelAnswer, Question, Verification, Word
from verigate.gate.citations import VoidCitationError, look_up_all
from verigate.gate.rule_outcome import RuleOutcome, holds, refuted, unknown

MAX_CITATIONS = 20
"""Most citations per answer. With more of them an answer is a search for one that fits."""

_SHOWN = 200


def select_open_questions(facts: Facts, verdict: Verdict) -> tuple[Question, ...]:
    """Select the statements that keep ``verdict`` inconclusive and whose open part no rule and no fact covers.

    ``verdict`` was decided on facts alone. The questions' ids (``q1``, ``q2``, ...) follow the order of the claim.
    """
    claim = facts.task.claim
    if verdict.status is not Status.INCONCLUSIVE or facts.only or claim is None:
        return ()
    waiting = {
        check.id.removeprefix("unit:")
        for check in verdict.checks
        if check.outcome is CheckOutcome.UNKNOWN and check.holds_back and check.reason == "CLAIM_UNSUPPORTED"
    }
    from verigate.gate.statements import judge_statements  # imported late: only needed with statements

    if facts.baseline is not None:
        from verigate.gate.baseline import match_baseline  # imported late: only needed with a baseline

        facts = match_baseline(facts, facts.baseline)
    judged = zip(claim.statements, judge_statements(facts, claim.statements), strict=True)
    texts = {each.id: each.text for each, found in judged if each.id in waiting and found.askable}
    return tuple(Question(f"q{number}", name, texts[name]) for number, name in enumerate(texts, start=1))


def settle_statements(
    facts: Facts, verification: Verification, questions: Sequence[Question]
) -> Mapping[str, RuleOutcome]:
    """Decide each question's statement by the answers; returns outcomes by statement id."""
    by_statement: dict[str, list[ModelAnswer]] = {}
    for answer in verification.answers:
        if (statement := verification.statements.get(answer.question)) is not None:
            by_statement.setdefault(statement, []).append(answer)
    return {
        question.statement: _settle_statement(facts, verification, question, by_statement.get(question.statement, []))
        for question in questions
    }


def _settle_statement(
    facts: Facts, verification: Verification, question: Question, answers: Sequence[ModelAnswer]
) -> RuleOutcome:
    """Decide one statement. Refutation beats support; support counts only if no answer abstains."""
    who = f"the verifier {verification.engine}"
    refs: dict[Word, list[EvidenceRef]] = {word: [] for word in Word}
    notes: list[str] = []
    for answer in answers:
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
    why = _format_reasons(*answers)
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
"""Placeholder for an answer without citations; never part of a verdict."""


def _look_up_citations(
    facts: Facts, verification: Verification, question: Question, answer: ModelAnswer
) -> tuple[EvidenceRef, ...]:
    """Resolve the citations of an answer. Raises VoidCitationError if one isn't found, or if there are none."""
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
