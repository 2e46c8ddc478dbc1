"""What javac, kotlinc, groovyc and scalac say through Maven and Gradle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verigate.sdk import ToolRun, clean_text
from verigate.sdk.normalised_texts import Texts

_PATTERNS = (
    # Maven: the same form for all compilers.
    re.compile(
        r"\[(?P<severity>ERROR|WARNING)\] (?:file://)?(?P<path>/[^\n]*?):(?:\[| \()(?P<line>\d+),\s?"
        r"(?P<column>\d+)[\])] (?P<message>.+)"
    ),
    # Gradle: that of each compiler.
    re.compile(
        r"(?P<path>[^\s:][^:\n]*\.(?:java|groovy|scala)):(?P<line>\d+): (?P<severity>error|warning): (?P<message>.+)"
    ),
    re.compile(
        r"(?P<severity>[ew]): (?:file://)?(?P<path>/[^\n]*?\.kts?):(?: \()?(?P<line>\d+)(?:, |:)(?P<column>\d+)\)?:?"
        r" (?P<message>.+)"
    ),
)
_MAX_LINES = 100_000


@dataclass(frozen=True, slots=True)
class CompilerMessage:
    """``path`` is relative to the root, "" if unknown; ``line`` and ``column`` count from 1, 0 if unknown."""

    is_error: bool
    path: str
    line: int
    column: int
    message: str


def parse_java_errors(run: ToolRun, texts: Texts, folder: str) -> Iterator[CompilerMessage]:
    """Parse the compilers' errors and warnings, each once."""
    seen: set[CompilerMessage] = set()
    for line in clean_text(run.stdout + b"\n" + run.stderr).splitlines()[:_MAX_LINES]:
        text = line[:4000].strip()
        match = next((match for pattern in _PATTERNS if (match := pattern.fullmatch(text))), None)
        if match is None:
            continue
        found = match.groupdict()
        message = CompilerMessage(
            found["severity"] in {"ERROR", "error", "e"},
            texts.path(found["path"], folder) or "",
            int(found["line"]),
            int(found.get("column") or 0),
            texts.message(found["message"]),
        )
        if message not in seen:
            seen.add(message)
            yield message
