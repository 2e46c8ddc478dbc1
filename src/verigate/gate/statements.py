"""Judge the statements of a claim: parse each, and compare it with the facts that it needs. Imported only with a claim
that has statements.

A statement is supported if all its clauses are, refuted if one is, and otherwise undecided: one true clause doesn't
support a sentence whose other clause can't be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.standard_artifacts import BY_PATH
from verigate.domain.statement_reading import (
    MAX_CHARACTERS,
    MAX_READ,
    StatedFact,
    StatementKind,
    StatementReading,
)
from verigate.domain.task import Statement
from verigate.domain.verdict import CheckOutcome
from verigate.gate.measures import api, cells, changes, code, content, integrity, links, noticing, stated_changes
from verigate.gate.measures.parts import is_counted
from verigate.gate.rule_outcome import RuleOutcome, combine, holds, refuted, unknown
from verigate.gate.rules.rule import missing_artifact
from verigate.gate.support import withdraw_support

_MAX_SHOWN = 200

_MEASURES: Mapping[str, Callable[[Facts, Artifact, StatedFact], RuleOutcome]] = {
    "tests.json": code.measure_tests,
    "lint.json": code.measure_lint,
    "coverage.json": code.measure_coverage,
    "build.json": code.measure_build,
    "integrity.json": integrity.measure_integrity,
    "counterfactual.json": cells.measure_cells,
    "sensitivity.json": noticing.measure_noticing,
    "diff.json": changes.measure_diff,
    "diff_names.json": changes.measure_file_change,
    "functions.json": changes.measure_functions,
    "changes.json": stated_changes.measure_changes,
    "links/urlset.json": links.measure_urlset,
    "links/statuses.json": links.measure_statuses,
    "api/endpoints.json": api.measure_endpoints,
    "api/responses.json": api.measure_responses,
    "api/schema.json": api.measure_schema,
    "api/auth.json": api.measure_auth,
    "api/rate_limits.json": api.measure_rate_limits,
    "content/scan.json": content.measure_files,
    "content/wordcount.json": content.measure_words,
    "content/headings.json": content.measure_headings,
    "content/images.json": content.measure_images,
    "content/quotes.json": content.measure_quotes,
}


class StatementOutcome(Struct, frozen=True):
    """The outcome of one statement, and the facts that it needs.

    ``askable``: a verifier may be asked about an undecided statement, because no fact covers its open part. It may not
    be asked if a fact that covers it is missing or doesn't decide.
    """

    answer: RuleOutcome
    expected: str
    askable: bool = False


_EXPECTED = "supported by a fact"
_ASKABLE = frozenset({StatementKind.UNMAPPED, StatementKind.PART, StatementKind.NEGATED, StatementKind.HEDGED})
"""Kinds that evidence can support. Plans, earlier states and the words of others can't be seen in a change."""


def judge_statements(facts: Facts, statements: Sequence[Statement]) -> list[StatementOutcome]:
    """Judge each statement, in their order. One that was not read is undecided."""
    return [judge_statement(facts, statement) for statement in statements]


def judge_statement(facts: Facts, statement: Statement) -> StatementOutcome:
    """Judge one statement by its reading."""
    reading, text = statement.reading, statement.text
    if reading is None:
        message = f"only {MAX_READ} statements are read: {text[:_MAX_SHOWN]}"
        return StatementOutcome(unknown("CLAIM_UNSUPPORTED", message), _EXPECTED)
    if not reading.facts:
        nothing = unknown("CLAIM_UNSUPPORTED", _explain_undecided(reading, text))
        # A model would see a long statement truncated, perhaps before the words that negate it.
        return StatementOutcome(nothing, _EXPECTED, askable=reading.kind in _ASKABLE and len(text) < MAX_CHARACTERS)
    answers = _judge_facts(facts, reading.facts)
    untold = [_is_untold(facts, fact) for fact in reading.facts]
    rest = (bool(reading.unread) or any(untold)) and all(clause.kind in _ASKABLE for clause in reading.unread)
    known = (answer for answer, is_open in zip(answers, untold, strict=True) if not is_open)
    askable = rest and all(answer.outcome is CheckOutcome.HOLDS for answer in known)
    return StatementOutcome(_combine_facts(reading, answers, text), "; ".join(map(str, reading.facts)), askable)


def _judge_facts(facts: Facts, stated: Sequence[StatedFact]) -> list[RuleOutcome]:
    """Judge the facts of one statement. Its numbers of tests count subtests, or else none of them does.

    A skipped subtest always counts: its test passes.
    """
    answers = [_judge_fact(facts, fact) for fact in stated]
    if any(_is_wrong_number(fact, answer) for fact, answer in zip(stated, answers, strict=True)):
        others = [_judge_fact(facts, replace(fact, top_level=fact.what in _TOP_LEVEL)) for fact in stated]
        if not any(other.outcome is CheckOutcome.REFUTED for other in others):
            return others
    return answers


_TOP_LEVEL = frozenset({"/passed", "/failed", "/total"})


def _is_wrong_number(fact: StatedFact, answer: RuleOutcome) -> bool:
    return fact.artifact == "tests.json" and fact.what in _TOP_LEVEL and answer.outcome is CheckOutcome.REFUTED


def _explain_undecided(reading: StatementReading, text: str) -> str:
    return f"no rule or fact decides: {text[:_MAX_SHOWN]} ({reading.why_undecided})"


def _judge_fact(facts: Facts, fact: StatedFact) -> RuleOutcome:
    spec_id = BY_PATH[fact.artifact].media_spec
    artifacts = facts.evidence.by_spec(spec_id)
    if not artifacts:
        return missing_artifact(spec_id)
    if fact.tool is not None:
        # The statement names a tool: prefer the artifacts that report on it.
        artifacts = tuple(each for each in artifacts if code.names_tool(each, fact.tool)) or artifacts
    answer = combine([_MEASURES[fact.artifact](facts, artifact, fact) for artifact in artifacts])
    if (fact.part or fact.looked_up) and not any(is_counted(artifact, fact) for artifact in artifacts):
        answer = _conclude_for_part(artifacts, fact, answer)
    return answer if facts.weakenings is None else withdraw_support(facts, fact, answer)


def _is_untold(facts: Facts, fact: StatedFact) -> bool:
    """Whether a fact is about a part that has to be looked up, and that no report counts."""
    artifacts = facts.evidence.by_spec(BY_PATH[fact.artifact].media_spec) if fact.looked_up else ()
    return bool(artifacts) and not any(is_counted(artifact, fact) for artifact in artifacts)


def _conclude_for_part(artifacts: Sequence[Artifact], fact: StatedFact, answer: RuleOutcome) -> RuleOutcome:
    """Conclude from the whole to a part: what holds of all holds of some. What doesn't may be in another part."""
    if fact.looked_up:
        return unknown("CLAIM_UNSUPPORTED", f"{fact}: no report counts its tests", None, *answer.evidence)
    if answer.outcome is not CheckOutcome.HOLDS:
        return unknown("CLAIM_UNSUPPORTED", f"{fact}: the whole doesn't show it", answer.actual, *answer.evidence)
    skipped = [each for each in artifacts if fact.artifact == "tests.json" and each.value.get("skipped")]
    if skipped:
        why = f"{fact}: {skipped[0].value['skipped']} tests are skipped, and may be all of the part"
        return unknown("CLAIM_UNSUPPORTED", why, answer.actual, *answer.evidence)
    return answer


def _combine_facts(reading: StatementReading, answers: Sequence[RuleOutcome], text: str) -> RuleOutcome:
    against = [answer for answer in answers if answer.outcome is CheckOutcome.REFUTED]
    if against:
        why = "; ".join(dict.fromkeys(answer.message for answer in against))
        actual = against[0].actual if len(against) == 1 else [answer.actual for answer in against]
        refs = tuple(ref for answer in against for ref in answer.evidence)
        return refuted("CLAIM_REFUTED", f'"{text[:_MAX_SHOWN]}" is refuted: {why}', actual, *refs)
    refs = tuple(ref for answer in answers for ref in answer.evidence)
    open_ones = [answer for answer in answers if answer.outcome is not CheckOutcome.HOLDS]
    if open_ones:
        why = "; ".join(dict.fromkeys(answer.message for answer in open_ones))
        message = f"no rule or fact decides: {text[:_MAX_SHOWN]} ({why})"
        return unknown(open_ones[0].reason or "CLAIM_UNSUPPORTED", message, None, *refs)
    if reading.unread:
        rest = "; ".join(clause.text for clause in reading.unread)
        message = f"no rule or fact decides: {rest[:_MAX_SHOWN]} (the rest holds: {'; '.join(map(str, reading.facts))})"
        return unknown("CLAIM_UNSUPPORTED", message[: 3 * _MAX_SHOWN], None, *refs)
    actual = answers[0].actual if len(answers) == 1 else [answer.actual for answer in answers]
    return holds(actual, *refs, message="; ".join(map(str, reading.facts)))
