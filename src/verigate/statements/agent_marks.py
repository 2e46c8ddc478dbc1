"""Find the marks of coding agents in commits: addresses they commit with, trailers they add, and tasks of their turns.

An agent can leave its mark out. What has one is made by an agent; what has none may be, too.
"""

from __future__ import annotations

import re

from verigate.domain.agent_host import GUARDED_HOSTS
from verigate.domain.commit_text import CommitText

_ADDRESSES = (
    "noreply@anthropic.com",
    "noreply@openai.com",
    "codex@openai.com",
    "cursoragent@cursor.com",
    "noreply@opencode.ai",
    "noreply@aider.chat",
    "aider@aider.chat",
    "amp@ampcode.com",
    "+copilot@users.noreply.github.com",
    "copilot@github.com",
    "copilot-swe-agent[bot]@users.noreply.github.com",
    "gemini-code-assist[bot]@users.noreply.github.com",
    "gemini-cli[bot]@users.noreply.github.com",
    "google-labs-jules[bot]@users.noreply.github.com",
    "devin-ai-integration[bot]@users.noreply.github.com",
    "factory-droid[bot]@users.noreply.github.com",
    "chatgpt-codex-connector[bot]@users.noreply.github.com",
    "claude[bot]@users.noreply.github.com",
    "cursor[bot]@users.noreply.github.com",
)
"""Ends of the addresses that agents and their services commit with, in lower case."""

_ADDRESS = re.compile(r"<([^<>\n]{1,320})>\s*$")
_LINES = re.IGNORECASE | re.MULTILINE
_PEOPLE = re.compile(r"^(?:co-authored-by|signed-off-by):[ \t]*(.{1,500})$", _LINES)
_BY_TOOL = re.compile(r"^(assisted-by|generated-by):[ \t]*\S", _LINES)
_TOOLS = "claude code|codex|cursor|copilot|gemini|opencode|aider|amp"
_FOOTER = re.compile(rf"^\W{{0,8}}generated (?:with|by) \W{{0,2}}(?:{_TOOLS})", _LINES)
_AIDER = re.compile(r"\(aider\)\s*<", re.IGNORECASE)
_HOSTS = "|".join(host.name for host in GUARDED_HOSTS)
_TURN = re.compile(rf"^gate-task:[ \t]*((?:{_HOSTS})-[0-9a-f]{{8}})[ \t]*$", _LINES)
"""The task of a turn, as ``integrations.agents.turn`` names it."""


def find_agent_mark(commit: CommitText) -> str | None:
    """Find what says that a coding agent made this commit, as a sentence; None if nothing does."""
    mark = _find_mark(commit)
    return None if mark is None else f"the commit {commit.id[:12]} has the mark of a coding agent ({mark})"


def _find_mark(commit: CommitText) -> str | None:
    for role, person in (("author", commit.author), ("committer", commit.committer)):
        if _is_agent(person):
            return role
    for found in _PEOPLE.finditer(commit.message):
        if _is_agent(found[1]):
            return found[0].partition(":")[0]
    if (tool := _BY_TOOL.search(commit.message)) is not None:
        return tool[1]
    if (turn := _TURN.search(commit.message)) is not None:
        return f"Gate-Task: {turn[1]}"
    return "its last lines" if _FOOTER.search(commit.message) is not None else None


def _is_agent(person: str) -> bool:
    if _AIDER.search(person) is not None:
        return True
    address = _ADDRESS.search(person)
    return address is not None and address[1].strip().lower().endswith(_ADDRESSES)
