"""Read a commit's message as a claim: where there is no task, what it says is what was claimed."""

from __future__ import annotations

from verigate.domain.task import Claim, Statement, StatementSource
from verigate.statements.claims import read_statements
from verigate.statements.commits.message import split_message


def read_message_claim(message: str, task_id: str, task_type: str) -> Claim:
    """Read a commit's message as the claim of an implicit task."""
    statements = [
        Statement(f"statement:{name_statement(index)}", text, source=name_source(index))
        for index, text in enumerate(split_message(message))
    ]
    items = [
        {"id": name_statement(index), "text": each.text, "source": each.source.value}
        for index, each in enumerate(statements)
    ]
    document = {"task_id": task_id, "claim": {"type": task_type, "statements": items}}
    return Claim(task_id, task_type, statements=read_statements(statements), document=document)


def name_source(index: int) -> StatementSource:
    """Say what a statement of a message is taken from, by its position."""
    return StatementSource.COMMIT_BODY if index else StatementSource.COMMIT


def name_statement(index: int) -> str:
    """Name a statement of a message by its position: ``subject``, then ``1``."""
    return str(index) if index else "subject"
