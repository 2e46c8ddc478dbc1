"""An agent's last message as the statements of a claim: its sentences, bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_STATEMENTS = 100
MAX_CHARACTERS = 500
MAX_MESSAGE = 64 * 1024

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_MARK = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>|\[[ xX]\])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_`]*\s+(?=[^\sa-z])")


def sentences(message: str) -> tuple[str, ...]:
    """The sentences of ``message`` without its code blocks, list marks and headings' marks.

    Only the last MAX_MESSAGE characters are read, which is where a report stands. At most MAX_STATEMENTS are returned,
    each of at most MAX_CHARACTERS; what isn't valid Unicode is replaced.
    """
    text = message[-MAX_MESSAGE:].encode("utf-8", "replace").decode("utf-8")
    found: list[str] = []
    for line in _prose(text):
        found += [part for part in _SENTENCE_END.split(line) if any(letter.isalnum() for letter in part)]
        if len(found) >= MAX_STATEMENTS:
            break
    return tuple(part[:MAX_CHARACTERS] for part in found[:MAX_STATEMENTS])


def since(message: str, before: str) -> str:
    """What of ``message`` is new, where a host repeats what was said ``before`` in the same turn."""
    return message[len(before) :] if before and message.startswith(before) and message != before else message


def _prose(text: str) -> Iterator[str]:
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            body = line
            while (mark := _MARK.match(body)) is not None:
                body = body[mark.end() :]
            if body.strip():
                yield body.strip()
