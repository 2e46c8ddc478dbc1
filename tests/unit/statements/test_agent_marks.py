"""Marks of coding agents in commits, and what only looks like one."""

from __future__ import annotations

import pytest

from verigate.domain.commit_text import CommitText
from verigate.statements.agent_marks import find_agent_mark

PERSON = "A. Person <person@example.org>"


def mark(message: str = "Work", author: str = PERSON, committer: str = PERSON) -> str | None:
    return find_agent_mark(CommitText("c0ffee" * 6 + "c0ff", author, committer, message))


@pytest.mark.parametrize(
    "message",
    [
        "Work\n\nCo-authored-by: Claude <noreply@anthropic.com>",
        "Work\n\nCo-Authored-By: Claude Opus <noreply@anthropic.com>\n",
        "Work\n\nco-authored-by: Copilot <223556219+Copilot@users.noreply.github.com>",
        "Work\n\nCo-authored-by: Cursor <cursoragent@cursor.com>",
        "Work\n\nSigned-off-by: codex <codex@openai.com>",
        "Work\n\nAssisted-by: Some:model",
        "Work\n\nGenerated-by: a tool",
        "Work\n\nGate-Task: claude-0a1b2c3d",
        "Work\n\n\N{ROBOT FACE} Generated with [Claude Code](https://claude.com/claude-code)",
        "Work\n\nCo-authored-by: aider (gpt) <aider@aider.chat>",
    ],
)
def test_a_message_with_a_mark(message: str) -> None:
    found = mark(message)
    assert found is not None
    assert found.startswith("the commit c0ffeec0ffee has the mark of a coding agent (")


@pytest.mark.parametrize(
    "person",
    [
        "Claude <noreply@anthropic.com>",
        "copilot-swe-agent[bot] <198982749+Copilot@users.noreply.github.com>",
        "google-labs-jules[bot] <161369871+google-labs-jules[bot]@users.noreply.github.com>",
        "A. Person (aider) <person@example.org>",
    ],
)
def test_an_author_or_committer_with_a_mark(person: str) -> None:
    assert mark(author=person) is not None
    assert mark(committer=person) is not None


@pytest.mark.parametrize(
    "message",
    [
        "Work",
        "Work\n\nCo-authored-by: B. Person <b@example.org>",
        "Work\n\nCo-authored-by: Claude <claude@example.org>",
        "Work\n\nCo-authored-by: Somebody <somebody@anthropic.com>",
        "Work with noreply@anthropic.com in the text",
        "Work\n\nGate-Task: claude-settings",
        "Work\n\nGate-Task: greet",
        "Bump x\n\nSigned-off-by: dependabot[bot] <support@github.com>",
        "Work\n\nGenerated with protoc",
        "",
    ],
)
def test_a_message_without_one(message: str) -> None:
    assert mark(message) is None


def test_a_huge_message_takes_no_time() -> None:
    assert mark("Co-authored-by: " + "<" * 1_000_000) is None
    assert mark(("Co-authored-by: x <" + "a" * 400 + "\n") * 2000) is None
