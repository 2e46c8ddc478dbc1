"""Judge what the commits of a change say, where there is no task and the change is about to land."""

from __future__ import annotations

from collections.abc import Sequence

from verigate.domain.facts import Facts
from verigate.domain.ledger import LedgerEntry
from verigate.domain.weakening import Stage
from verigate.formats.visible import escape_invisible
from verigate.statements.unread import find_unread_commit
from verigate.usecases.disclosed import choose_stage
from verigate.usecases.ledger import Verify, judge_commits, judge_draft, judge_pull_request, read_corrections
from verigate.usecases.messages_by_runs import judge_by_runs
from verigate.usecases.prepare import Prepared
from verigate.usecases.request import Request

MOST_COMMITS = 20
"""The newest commits of a change whose messages are judged: each takes about a second."""
_SHOWN = 120
_LANDING = frozenset({Stage.PUSH, Stage.CI})


def judges_messages(request: Request, prepared: Prepared) -> bool:
    """Whether the messages of this change are judged: not those of a task, whose claim says what was done."""
    if request.only or request.states is not None or not prepared.task.implicit:
        return False
    return choose_stage(request) in _LANDING or _is_being_made(request)


def judge_messages(request: Request, prepared: Prepared, facts: Facts, verify: Verify) -> tuple[LedgerEntry, ...]:
    """Judge the pull request, and each commit of the change, the newest first; else the commit that is being made.

    ``facts`` are those of the whole change.
    """
    if request.message is not None and _is_being_made(request):
        return judge_by_runs(facts, (judge_draft(request.message, verify, request.base),), alone=True)
    commits = prepared.workspace.read_commits()
    said = (*(commit.message for commit in commits), *filter(None, (request.pull_request,)))
    entries = tuple(judge_commits(commits[:MOST_COMMITS], verify, read_corrections(said)))
    judged = judge_by_runs(facts, entries, alone=len(commits) == 1)
    if not request.pull_request:
        return judged
    asked = judge_pull_request(request.pull_request, verify, request)
    return (*judge_by_runs(facts, (asked,), alone=True), *judged)


def _is_being_made(request: Request) -> bool:
    return request.message is not None and choose_stage(request) is Stage.COMMIT


def list_unread_messages(entries: Sequence[LedgerEntry]) -> tuple[str, ...]:
    """List warnings about commits whose messages may claim what nobody reads: another language, a code block."""
    found = ((entry.name, find_unread_commit(entry.commit.message)) for entry in entries)
    return tuple(
        f"nothing was compared with what {name} says: {escape_invisible(' '.join(text[:_SHOWN].split()))}"
        for name, text in found
        if text is not None
    )
