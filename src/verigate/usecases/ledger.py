"""Judge the messages of commits, each by the facts of its own diff. No suite, linter or program of the project runs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from verigate.domain.commit_text import CommitText
from verigate.domain.ledger import LedgerEntry, LedgerStatement, Standing
from verigate.domain.subject import SubjectKind
from verigate.domain.task import Statement
from verigate.domain.verdict import CheckOutcome, Verdict
from verigate.errors import GateError, Interrupted
from verigate.statements.claims import read_statements
from verigate.statements.commits.message import split_message
from verigate.statements.disclosures import list_said
from verigate.statements.hidden_text import find_hiding, split_shown
from verigate.usecases.message_claims import name_source, name_statement
from verigate.usecases.request import Request

OF_DIFFS = frozenset({"code:diff", "code:functions", "code:changes"})
"""The capabilities that read a diff, and run nothing of the project."""

BEING_MADE = "message"
"""Stands for the id of a commit that is being made."""

PULL_REQUEST = "pull request"
"""Stands for the id of a commit where a pull request says it."""

_STANDING = {CheckOutcome.HOLDS: Standing.HOLDS, CheckOutcome.REFUTED: Standing.REFUTED}
_NAMED = 80
"""Characters of a statement that no fact of a diff decides."""

_EMPTY = "nothing differs from the parent"
_CORRECTS = re.compile(r"^Corrects: +(?P<commit>[0-9a-f]{7,40}) +(?P<text>\S.*)$", re.MULTILINE)

Corrections = Mapping[str, Sequence[str]]
"""The beginning of a commit's id -> what is so instead."""


Verify = Callable[[Request], Verdict | None]
"""Verifies a change, and returns its verdict; None where nothing differs. Raises GateError."""


def judge_commits(
    commits: Iterable[CommitText], verify: Verify, corrections: Corrections | None = None
) -> Iterator[LedgerEntry]:
    """Judge each commit against its first parent, one after the other."""
    return (_judge(commit, verify, corrections or {}) for commit in commits)


def judge_draft(message: str, verify: Verify, base: str | None = None) -> LedgerEntry:
    """Judge the message of a commit that is being made from the index, against ``base``; None: HEAD."""
    commit = CommitText(BEING_MADE, "", "", message)
    return _judge_texts(commit, split_message(message), message, verify, base=base)


def judge_pull_request(text: str, verify: Verify, change: Request) -> LedgerEntry:
    """Judge the text of a pull request, its title first, by the facts of the whole ``change``."""
    said = "\n".join(list_said(text, markdown=True))
    return _judge_texts(CommitText(PULL_REQUEST, "", "", said), split_message(said), said, verify, change=change)


def read_corrections(texts: Iterable[str]) -> Corrections:
    """Read the lines ``Corrects: COMMIT TEXT`` of messages and of the text of a pull request.

    One that nobody can read corrects nothing.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for text in (shown for shown, _ in map(split_shown, texts) if not find_hiding(shown)):
        for match in _CORRECTS.finditer(text):
            found[match["commit"]].append(match["text"].strip())
    return found


def _judge(commit: CommitText, verify: Verify, corrections: Corrections) -> LedgerEntry:
    texts = split_message(commit.message)
    instead = [text for start, said in corrections.items() if commit.id.startswith(start) for text in said]
    entry = _judge_texts(commit, texts, commit.message, verify)
    if not instead or not any(each.standing is Standing.REFUTED for each in entry.statements):
        return entry
    corrected = [_judge_texts(commit, (text,), text, verify) for text in instead]
    wrong = any(each.standing is Standing.REFUTED for one in corrected for each in one.statements)
    return entry if wrong else _withdraw(entry, instead)


def _withdraw(entry: LedgerEntry, instead: Sequence[str]) -> LedgerEntry:
    """Take back what is refuted, since a later message says what is so."""
    said = f"corrected: {'; '.join(instead)}"[:400]
    statements = tuple(
        LedgerStatement(each.text, Standing.OPEN, each.expected, said) if each.standing is Standing.REFUTED else each
        for each in entry.statements
    )
    return LedgerEntry(entry.commit, statements, entry.error)


def _judge_texts(
    commit: CommitText,
    texts: Sequence[str],
    message: str,
    verify: Verify,
    *,
    base: str | None = None,
    change: Request | None = None,
) -> LedgerEntry:
    """Judge texts by a commit's own diff, or by that of ``change``, whose subject and base then count."""
    read = read_statements([Statement("", text, source=name_source(index)) for index, text in enumerate(texts)])
    needed = {name for each in read if each.reading is not None for name in each.reading.capabilities} & OF_DIFFS
    if not needed:
        return LedgerEntry(commit, tuple(LedgerStatement(text, Standing.OPEN, message=_name(text)) for text in texts))
    being_made = commit.id == BEING_MADE
    if change is None:
        kind = SubjectKind.INDEX if being_made else SubjectKind.COMMIT
        change = Request(kind=kind, ref=None if being_made else commit.id, base=base)
    request = Request(
        kind=change.kind,
        ref=change.ref,
        base=change.base,
        only=tuple(sorted(needed)),
        marks_count=False,
        llm=False,
        states=message,
    )
    try:
        verdict = verify(request)
    except Interrupted:
        raise
    except GateError as error:
        return _leave_open(commit, texts, "", error=str(error))
    return _leave_open(commit, texts, _EMPTY) if verdict is None else _read_verdict(commit, texts, verdict)


def _name(text: str) -> str:
    return f"no fact of a diff decides: {text[:_NAMED]}"


def _leave_open(commit: CommitText, texts: Sequence[str], why: str, *, error: str = "") -> LedgerEntry:
    return LedgerEntry(commit, tuple(LedgerStatement(text, Standing.OPEN, message=why) for text in texts), error)


def _read_verdict(commit: CommitText, texts: Sequence[str], verdict: Verdict) -> LedgerEntry:
    checks = {check.id: check for check in verdict.checks}
    statements = []
    for index, text in enumerate(texts):
        check = checks[f"unit:statement:{name_statement(index)}"]
        standing = _STANDING.get(check.outcome, Standing.OPEN)
        statements.append(LedgerStatement(text, standing, str(check.expected), check.message))
    broken = next((check.message for check in verdict.checks if check.outcome is CheckOutcome.ERROR), "")
    return LedgerEntry(commit, tuple(statements), broken)
