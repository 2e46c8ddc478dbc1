"""Split the message of a commit into what it states: its subject, and the statements of its body without trailers."""

from __future__ import annotations

import re

from verigate.domain.statement_reading import MAX_CHARACTERS
from verigate.statements.reading import read_statement
from verigate.statements.split import split_sentences, split_statements

MOST_STATEMENTS = 30
_TRAILER = re.compile(
    r"[A-Za-z][A-Za-z0-9-]*(?:-by|-By)?: .+|(?:Closes|Fixes|Resolves|Refs?|See):? #\d+.*|\(cherry picked from .*"
)
_TRAILERS = re.compile(
    r"(?:[A-Z][\w-]*-(?:by|By|to|for|from|id|Id|Task)|Weakens|Corrects|Fixes|Closes|Refs?|Link|Cc|PR-URL): |"
    r"\W{0,6}generated (?:with|by) \W{0,3}(?:claude|codex|cursor|copilot|gemini|aider|amp|opencode)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[.!?]\S*\s+\S")
_METADATA = re.compile(r"^-{3,}\s*\n(?:updated-dependencies:|[^\n]*\|\s*\d+ [+-])", re.MULTILINE)
_LINKS = re.compile(r"^\s*[-*]?\s*\[[^\]\n]*\]\([^)\n]*\)\s*$", re.MULTILINE)
_SEPARATOR = re.compile(r"^-{3,}\s*$", re.MULTILINE)


def split_message(message: str) -> tuple[str, ...]:
    """Return the statements of a message, the subject first; () for an empty one.

    A sentence of the subject that states facts of its own follows it: "Add `mean`. All tests pass."
    """
    line, _, body = message.strip().partition("\n")
    if not line:
        return ()
    subject, *beside = _split_subject(line[:MAX_CHARACTERS])
    most = MOST_STATEMENTS - 1 - len(beside)
    return (subject, *beside, *split_statements(_without_trailers(body), most))


def _split_subject(line: str) -> list[str]:
    sentences = split_sentences(line) if _SENTENCES.search(line) else [line]
    if not 1 < len(sentences) <= MOST_STATEMENTS:
        return [line]
    subject: list[str] = []
    beside: list[str] = []
    for sentence in sentences:
        (beside if read_statement(sentence).facts else subject).append(sentence)
    if not beside:
        return [line]
    return [" ".join(subject), *beside] if subject else beside


def strip_trailers(message: str) -> str:
    """Return a message without trailers, metadata of bots and lists of links, the subject first."""
    subject, _, body = message.strip().partition("\n")
    return f"{subject}\n{_without_trailers(body)}"


def _without_trailers(body: str) -> str:
    """Leave out trailers, what stands below a line of dashes (metadata of bots, notes of git), and lists of links."""
    said = _SEPARATOR.split(body, maxsplit=1)[0] if _METADATA.search(body) else _SEPARATOR.sub("", body)
    paragraphs = re.split(r"\n\s*\n", _LINKS.sub("", said).strip())
    lines = paragraphs[-1].splitlines() if paragraphs else []
    if lines and all(_TRAILER.fullmatch(line.strip()) or line.startswith(" ") for line in lines):
        paragraphs.pop()
    kept = (line for text in paragraphs for line in (*text.splitlines(), "") if not _TRAILERS.match(line))
    return "\n".join(kept)
