"""Format foreign text for Markdown: code spans and code blocks, which hold nothing but text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.reporting.escape import escape
from verigate.reporting.finding_headline import list_further_lines

MARK = "<!-- verigate -->"
"""The first line, which identifies the comment to update."""

_MESSAGE_LINES = 15
_LONGEST_LINE = 200
_RUN = re.compile("`+")


def code_span(text: str, *, limit: int = 400) -> str:
    """Format foreign text as a code span on one line, with a fence longer than any run of backticks in it."""
    shown = escape(text, limit=limit) or " "
    fence = "`" * (max(map(len, _RUN.findall(shown)), default=0) + 1)
    # CommonMark strips one space on either side (section 6.1).
    pad = " " if shown.strip() and (shown[0] in "` " or shown[-1] in "` ") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def code_block(lines: Sequence[str]) -> list[str]:
    """Format lines of foreign text as a fenced code block; the fence is longer than any run of backticks in it."""
    shown = [escape(line, limit=_LONGEST_LINE) for line in lines[:_MESSAGE_LINES]]
    if len(lines) > _MESSAGE_LINES:
        shown.append(f"… and {len(lines) - _MESSAGE_LINES} more lines")
    fence = "`" * max(3, max((len(run) for line in shown for run in _RUN.findall(line)), default=0) + 1)
    return [fence, *shown, fence]


def format_text(headline: str, message: str) -> str:
    """Format a text as an item of a list: its first line as a code span, the others as a block below it."""
    further = list_further_lines(message)
    return "\n".join([headline, *(f"    {line}" for line in code_block(further))] if further else [headline])
