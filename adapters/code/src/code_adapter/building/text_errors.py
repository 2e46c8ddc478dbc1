"""Parse text output of compilers: ``path(line,column): error TS1: ...`` and ``path:line:column: ...``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from code_adapter.building.steps import Problem
from verigate.sdk import ToolRun, clean_text
from verigate.sdk.normalised_texts import Texts

_TSC = re.compile(
    r"(?P<path>[^\s(][^(\n]*)\((?P<line>\d+),(?P<column>\d+)\): (?P<severity>error|warning) (?P<message>.+)"
)
_TSC_GLOBAL = re.compile(r"(?P<severity>error) (?P<message>TS\d+: .+)")
_COLONS = re.compile(
    r"(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+):? (?:(?P<severity>error|warning)\b:? ?)?(?P<message>.+)"
)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
MAX_LINES = 100_000


def parse_tsc_errors(run: ToolRun, texts: Texts, folder: str) -> Iterator[tuple[str, Problem]]:
    """Parse the errors of ``tsc --pretty false``, a stable format that editors rely on."""
    return _errors(run.stdout, texts, folder, _TSC, _TSC_GLOBAL)


def parse_go_errors(run: ToolRun, texts: Texts, folder: str) -> Iterator[tuple[str, Problem]]:
    """Parse the errors of ``go build``."""
    return _errors(run.stderr, texts, folder, _COLONS)


def parse_any_errors(run: ToolRun, texts: Texts, folder: str) -> Iterator[tuple[str, Problem]]:
    """Find compiler errors of any kind in the output of a failed script; nothing if it didn't fail."""
    if run.exit_code:
        yield from _errors(run.stdout + b"\n" + run.stderr, texts, folder, _TSC, _COLONS)


def _errors(output: bytes, texts: Texts, folder: str, *patterns: re.Pattern[str]) -> Iterator[tuple[str, Problem]]:
    for line in clean_text(output).splitlines()[:MAX_LINES]:
        text = _ANSI.sub("", line[:4000]).strip()
        for pattern in patterns:
            match = pattern.fullmatch(text)
            if match is None:
                continue
            found = match.groupdict()
            path = texts.path(found.get("path"), folder) or ""
            problem = Problem(
                path, int(found.get("line") or 0), int(found.get("column") or 0), texts.message(found["message"])
            )
            yield found.get("severity") or "error", problem
            break
