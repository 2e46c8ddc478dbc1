"""Closing messages of coding agents: what of them the reader takes for facts, and that it takes nothing too much.

Somebody who had not read the reader took statements from published commits, pull requests and transcripts of agents
(``source``), reworded them, and labelled each: whether facts would decide it wholly (``decidable``), and whether
calling it supported on the ground of facts would be wrong (``wrong_if_supported``). ``seen`` was looked at while the
reader was changed, ``unseen`` never.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verigate.domain.statement_reading import StatedFact
from verigate.domain.task import Statement, StatementSource
from verigate.statements.claims import read_statements
from verigate.statements.split import split_statements

FOLDER = Path(__file__).parent / "closing"
LEAST = {"seen": 0.25, "unseen": 0.2}
"""Share of the decidable statements of which each word is understood."""


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def read(row: dict[str, Any]) -> tuple[list[StatedFact], bool]:
    """Return the facts of a row, and whether it states nothing else."""
    of_commit = not row["source"].startswith("stored")
    source = StatementSource.COMMIT_BODY if of_commit else StatementSource.MESSAGE
    texts = split_statements(row["text"])
    found = [each.reading for each in read_statements([Statement("", text, source=source) for text in texts])]
    facts = [fact for reading in found if reading is not None for fact in reading.facts]
    whole = all(reading is not None and reading.facts and not reading.unread for reading in found)
    return facts, bool(facts) and whole


@pytest.mark.parametrize("name", sorted(LEAST))
def test_how_much_of_what_facts_decide_is_read(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    by_class: dict[str, Counter[str]] = {}
    for row in rows(name):
        facts, whole = read(row)
        outcome = "decided" if whole else "in part" if facts else "open"
        counts[f"{row['decidable']}: {outcome}"] += 1
        by_class.setdefault(row["class"], Counter())[outcome] += 1
    decidable = sum(count for key, count in counts.items() if key.startswith("yes:"))
    with capsys.disabled():
        print(f"\n{name}: {counts.total()} statements; decidable {decidable}: {counts['yes: decided']} decided", end="")
        for label in sorted(by_class):
            print(f"\n  {label}: {dict(sorted(by_class[label].items()))}", end="")
    assert counts["yes: decided"] >= LEAST[name] * decidable


def list_wrong(name: str) -> Iterator[str]:
    """List statements that facts would support wrongly.

    Words are looked for in changes of texts and tests alone, and those of a part in the paths of tests that ran.
    """
    for row in rows(name):
        facts, whole = read(row)
        looked_for = any(fact.what.startswith("words:") or fact.named for fact in facts)
        if row["wrong_if_supported"] and whole and not looked_for:
            yield f"{row['id']} {row['text']} ({'; '.join(map(str, facts))})"


@pytest.mark.parametrize("name", sorted(LEAST))
def test_nothing_is_supported_that_facts_do_not_show(name: str) -> None:
    assert list(list_wrong(name)) == []
