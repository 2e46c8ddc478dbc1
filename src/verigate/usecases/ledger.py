"""Judge the messages of commits, each by the facts of its own diff. No suite, linter or program of the project runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verigate.domain.commit_text import CommitText
from verigate.domain.ledger import LedgerEntry, LedgerStatement, Standing
from verigate.domain.subject import SubjectKind
from verigate.domain.task import Statement
from verigate.domain.verdict import CheckOutcome
from verigate.errors import GateError
from verigate.statements.claims import read_statements
from verigate.statements.commits.message import split_message
from verigate.usecases.message_claims import name_statement
from verigate.usecases.request import Request
from verigate.usecases.services import Services
from verigate.usecases.verify import verify

OF_DIFFS = frozenset({"code:diff", "code:functions", "code:changes"})
"""The capabilities that read a diff, and run nothing of the project."""

_STANDING = {CheckOutcome.HOLDS: Standing.HOLDS, CheckOutcome.REFUTED: Standing.REFUTED}


def judge_commits(commits: Iterable[CommitText], services: Services) -> Iterator[LedgerEntry]:
    """Judge each commit against its first parent, one after the other."""
    return (_judge(commit, services) for commit in commits)


def _judge(commit: CommitText, services: Services) -> LedgerEntry:
    texts = split_message(commit.message)
    read = read_statements([Statement("", text, of_commit=True) for text in texts])
    needed = {name for each in read if each.reading is not None for name in each.reading.capabilities} & OF_DIFFS
    if not needed:
        return LedgerEntry(commit, tuple(LedgerStatement(text, Standing.OPEN, message=_NOTHING) for text in texts))
    request = Request(
        kind=SubjectKind.COMMIT,
        ref=commit.id,
        only=tuple(sorted(needed)),
        marks_count=False,
        llm=False,
        states=commit.message,
    )
    try:
        verdict = verify(request, services).verdict
    except GateError as error:
        return LedgerEntry(commit, tuple(LedgerStatement(text, Standing.OPEN) for text in texts), error=str(error))
    if verdict is None:
        return LedgerEntry(commit, tuple(LedgerStatement(text, Standing.OPEN, message=_EMPTY) for text in texts))
    checks = {check.id: check for check in verdict.checks}
    entries = []
    for index, text in enumerate(texts):
        check = checks[f"unit:statement:{name_statement(index)}"]
        standing = _STANDING.get(check.outcome, Standing.OPEN)
        entries.append(LedgerStatement(text, standing, str(check.expected), check.message))
    broken = next((check.message for check in verdict.checks if check.outcome is CheckOutcome.ERROR), "")
    return LedgerEntry(commit, tuple(entries), error=broken)


_NOTHING = "no fact of a diff decides it"
_EMPTY = "nothing differs from the parent"
