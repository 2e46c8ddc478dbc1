"""Judge what messages say of tests, linters and behaviour by the runs of the whole change, where it ran them.

The runs are of the state in the end, so what the newest commit says of that state is judged by them; what a commit says
of its own effect is so only where the change is that commit alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.ledger import LedgerEntry, LedgerStatement, Standing
from verigate.domain.statement_reading import StatedFact
from verigate.domain.task import Statement, StatementSource
from verigate.domain.verdict import CheckOutcome
from verigate.gate.statements import judge_statement
from verigate.statements.claims import read_statements
from verigate.usecases.message_claims import name_source

_STATE = frozenset({"tests.json", "lint.json", "build.json"})
_EFFECT = _STATE | {"coverage.json", "counterfactual.json", "sensitivity.json"}
_STANDING = {CheckOutcome.HOLDS: Standing.HOLDS, CheckOutcome.REFUTED: Standing.REFUTED}


def judge_by_runs(facts: Facts, entries: Sequence[LedgerEntry], *, alone: bool) -> tuple[LedgerEntry, ...]:
    """Judge the open statements of the newest entry, which is the first; ``alone``: the change is that commit."""
    if not entries:
        return ()
    newest, *others = entries
    decisive = _EFFECT if alone else _STATE
    judged = tuple(_judge(facts, each, name_source(index), decisive) for index, each in enumerate(newest.statements))
    return (replace(newest, statements=judged), *others)


def _judge(facts: Facts, said: LedgerStatement, source: StatementSource, decisive: frozenset[str]) -> LedgerStatement:
    if said.standing is not Standing.OPEN:
        return said
    (statement,) = read_statements([Statement("", said.text, source=source)])
    stated: Sequence[StatedFact] = statement.reading.facts if statement.reading is not None else ()
    if not stated or not decisive.issuperset(fact.artifact for fact in stated):
        return said
    outcome = judge_statement(facts, statement)
    standing = _STANDING.get(outcome.answer.outcome, Standing.OPEN)
    return LedgerStatement(said.text, standing, outcome.expected, outcome.answer.message)
