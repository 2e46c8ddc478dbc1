"""Each row of the table of docs/statements.md about parts and wholes, run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import literal_facts as lf
import pytest

from verigate.gate.statements import judge_statements
from verigate.statements.claims import read_text

PAGE = Path(__file__).resolve().parents[3] / "docs/statements.md"
OUTCOMES = {"holds": "supported", "refuted": "refuted", "unknown": "undecided"}


def rows() -> Iterator[tuple[str, str, str]]:
    section = PAGE.read_text("utf-8").partition("## Parts and wholes")[2].partition("\n## ")[0]
    yield from re.findall(r"^\| (?!says)([A-Z][^|]+) \| (\d[^|]+) \| (\w+) \|$", section, re.MULTILINE)


def artifacts(written: str) -> dict[str, Any]:
    if placed := re.findall(r"(\d+) (\w+) in ([^,\s]+)", written):
        nothing = {"passed": 0, "failed": 0, "skipped": 0}
        files = [{"path": path, **nothing, name: int(number)} for number, name, path in placed]
        sums = {name: sum(file[name] for file in files) for name in nothing}
        return {"tests.json": {**sums, "total": sum(sums.values()), "tool": "pytest", "files": files}}
    counts = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", written)}
    if "passed" in counts:
        return {"tests.json": {**counts, "total": sum(counts.values()), "tool": "pytest"}}
    return {"lint.json": {**counts, "files_checked": 9, "issues": [], "tool": "ruff"}}


def test_the_page_has_the_table() -> None:
    assert len(list(rows())) == 34


@pytest.mark.parametrize(("text", "written", "outcome"), list(rows()))
def test_a_row(text: str, written: str, outcome: str) -> None:
    known = lf.facts({}, artifacts(written))
    (judged,) = judge_statements(known, read_text(text))
    assert OUTCOMES[judged.answer.outcome.value] == outcome, judged.answer.message
