"""Read comments that suppress findings of linters, type checkers, scanners and coverage reports, by tool.

Most tools read the comments of several languages; a language says which of them it doesn't have.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

_REASON = r"(?P<reason>.*)"
_COMMENTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (rule, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for rule, pattern in (
        (
            "ruff-file",
            rf"#\s*(?:ruff|flake8)\s*:\s*noqa(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?{_REASON}",
        ),
        ("ruff-file", rf"#\s*ruff\s*:\s*(?:disable|file-ignore)\s*\[(?P<codes>[^\]]*)\]{_REASON}"),
        ("noqa", rf"#\s*ruff\s*:\s*ignore\s*\[(?P<codes>[^\]]*)\]{_REASON}"),
        ("noqa", rf"#\s*noqa(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?(?!\w){_REASON}"),
        ("type-ignore", rf"#\s*(?:type|pyright|ty|pyre)\s*:\s*ignore(?:\[(?P<codes>[^\]]+)\])?{_REASON}"),
        ("mypy-file", rf"#\s*mypy\s*:\s*(?P<codes>ignore-errors|disable-error-code\S*|allow-\S+){_REASON}"),
        (
            "pylint",
            rf"#\s*pylint\s*:\s*(?:disable(?:-next)?|skip-file)(?:\s*=\s*(?P<codes>[\w,\s-]+?))?(?=$|\s+#|\s+-\s){_REASON}",
        ),
        ("nosec", rf"#\s*nosec(?:[\s:]+(?P<codes>B\d+(?:[,\s]+B\d+)*))?(?!\w){_REASON}"),
        ("coverage", rf"(?:#|//|/\*)\s*pragma\s*:?\s*no[ -]?(?:cover|branch){_REASON}"),
        (
            "eslint",
            rf"eslint-disable(?P<scope>-next-line|-line)?(?:\s+(?P<codes>[\w@/,\s-]+?))?(?=\s--|\s*\*/|\s*$){_REASON}",
        ),
        ("eslint", rf"/\*\s*eslint\s+['\"]?(?P<codes>[\w@/-]+)['\"]?\s*:\s*\[?\s*(?:0\b|['\"]?off\b){_REASON}"),
        ("oxlint-biome", rf"(?:oxlint-disable|biome-ignore)\S*(?:\s+(?P<codes>[\w@/,-]+))?{_REASON}"),
        ("typescript", rf"@ts-(?P<scope>ignore|expect-error|nocheck){_REASON}"),
        (
            "coverage",
            rf"(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)(?:\s+(?P<codes>next|if|else|file|start))?{_REASON}",
        ),
        ("nolint", rf"//\s*nolint(?:\s*:\s*(?P<codes>[\w,-]+))?{_REASON}"),
        ("gosec", rf"#nosec(?:\s+(?P<codes>G\d+(?:\s+G\d+)*))?{_REASON}"),
        ("nosonar", rf"NOSONAR{_REASON}"),
        ("rubocop", rf"#\s*(?:rubocop|standard)\s*:\s*(?:disable|todo)\s+(?P<codes>[\w/]+(?:\s*,\s*[\w/]+)*){_REASON}"),
        ("coverage", rf"#\s*:nocov(?::|_\w+:){_REASON}"),
        ("steep", rf"#\s*(?:steep:ignore(?::start)?|typed\s*:\s*ignore)(?:\s+(?P<codes>[A-Z]\w+::[\w:]+))?{_REASON}"),
        ("phpcs", rf"phpcs\s*:\s*(?:ignore|disable|ignoreFile)(?:\s+(?P<codes>[\w.]+(?:\s*,\s*[\w.]+)*))?{_REASON}"),
        ("phpcs", rf"@codingStandardsIgnore\w+{_REASON}"),
        (
            "phpstan",
            rf"@phpstan-ignore(?:-next-line|-line)?(?:\s+(?P<codes>\w+\.\w+(?:\s*,\s*\w+\.\w+)*))?(?!\w){_REASON}",
        ),
        ("psalm", rf"@(?:psalm-suppress|phan-(?:file-)?suppress)\s+(?P<codes>\w+(?:\s*,\s*\w+)*){_REASON}"),
        ("phpmd", rf"@SuppressWarnings\s*\(\s*\"?(?P<codes>PHPMD[\w.]*)\"?\s*\){_REASON}"),
        ("coverage", rf"@(?:codeCoverageIgnore\w*|infection-ignore-all)\b{_REASON}"),
        ("resharper", rf"//\s*ReSharper\s+disable(?:\s+once)?\s+(?P<codes>[\w.]+(?:\s*,\s*[\w.]+)*){_REASON}"),
        ("ktlint", rf"(?://|/\*)\s*ktlint-disable(?:\s+(?P<codes>[\w:-]+(?:\s+[\w:-]+)*))?{_REASON}"),
        ("checkstyle", rf"(?:CHECKSTYLE\s*:?\s*OFF|CHECKSTYLE\.OFF)(?:\s*:\s*(?P<codes>\w+))?{_REASON}"),
    )
)
_WINDOW, _OVERLAP = 4000, 400
_ANOTHER = re.compile(r"#\s*(?=type\s*:|noqa|pylint|nosec|pragma|pyright|mypy|ruff)")


class Silencer(NamedTuple):
    """What silences a tool: the rules in it, none for all, the reason that it gives, and how it is shown."""

    rule: str
    codes: tuple[str, ...]
    reason: str
    shown: str


def read_comment(comment: str, foreign: Collection[str]) -> Iterator[Silencer]:
    """Read what a comment suppresses; ``foreign`` are rules of tools that don't read the language."""
    seen: set[str] = set()
    # Windows keep the expressions linear in the length of a comment that somebody made a megabyte long.
    for start in range(0, max(len(comment), 1), _WINDOW - _OVERLAP):
        window = comment[start : start + _WINDOW]
        for rule, pattern in _COMMENTS:
            match = pattern.search(window)
            if match is None or rule in seen or rule in foreign:
                continue
            seen.add(rule)
            groups = match.groupdict()
            codes = (match["scope"].lower(),) if rule == "typescript" else split_codes(groups.get("codes") or "")
            reason = _ANOTHER.split(groups.get("reason") or "")[0].strip("*/#-:—– \t\r\n")
            yield Silencer(rule, codes, reason, " ".join(window.split())[:160])


def is_silencing(line: str) -> bool:
    """Whether a comment suppresses anything."""
    return any(pattern.search(line[:_WINDOW]) for _, pattern in _COMMENTS)


def split_codes(written: str) -> tuple[str, ...]:
    """Split a list of rules."""
    return tuple(sorted(code for code in re.split(r"[,\s\"'{}]+", written) if code))
