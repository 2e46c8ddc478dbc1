"""What javac, kotlinc, groovyc and scalac say through Maven and Gradle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

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
_SYMBOL = re.compile(r"(?:\[ERROR\]\s*)?symbol:\s+(?P<symbol>\S.*)")
_MAX_LINES = 100_000


@dataclass(frozen=True, slots=True)
class CompilerMessage:
    """``path`` is relative to the root, "" if unknown; ``line`` and ``column`` count from 1, 0 if unknown.

    ``symbol`` is what javac says on the lines below that it can't find, ``method total(int)``; "" without one.
    """

    is_error: bool
    path: str
    line: int
    column: int
    message: str
    symbol: str = ""


def parse_java_errors(run: ToolRun, texts: Texts, folder: str) -> Iterator[CompilerMessage]:
    """Parse the compilers' errors and warnings, each once."""
    seen: set[CompilerMessage] = set()
    last: CompilerMessage | None = None
    for line in clean_text(run.stdout + b"\n" + run.stderr).splitlines()[:_MAX_LINES]:
        text = line[:4000].strip()
        message = _parse_line(text, texts, folder)
        if message is None:
            symbol = _SYMBOL.fullmatch(text)
            if last is not None and symbol is not None and not last.symbol:
                last = replace(last, symbol=texts.message(symbol["symbol"]))
            continue
        if last is not None and last not in seen:
            seen.add(last)
            yield last
        last = message
    if last is not None and last not in seen:
        yield last


def _parse_line(text: str, texts: Texts, folder: str) -> CompilerMessage | None:
    match = next((match for pattern in _PATTERNS if (match := pattern.fullmatch(text))), None)
    if match is None:
        return None
    found = match.groupdict()
    return CompilerMessage(
        found["severity"] in {"ERROR", "error", "e"},
        texts.path(found["path"], folder) or "",
        int(found["line"]),
        int(found.get("column") or 0),
        texts.message(found["message"]),
    )
