"""What code:changes writes about a small repository, and how messages about it are judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from change_repository import Content, change_repository
from literal_facts import facts
from schema_checks import check_by_schema

from verigate.domain.invariants import find_violations
from verigate.domain.task import Statement, StatementSource
from verigate.gate.statements import judge_statements
from verigate.statements.claims import read_statements

SCHEMA = Path(__file__).resolve().parents[2] / "src/verigate/config/schemas/changes.v1.schema.json"

Files = dict[str, Content]


def run(tmp_path: Path, before: Files, after: dict[str, Content | None], *texts: str) -> dict[str, Any]:
    statements = [{"text": text, "source": "commit"} for text in texts]
    repository = change_repository(tmp_path / "repo", before, after)
    outcome = repository.run("code:changes", tmp_path / "T", claim={"statements": statements})
    assert outcome.exit_code == 0, outcome.stderr
    value: dict[str, Any] = outcome.json("changes.json")
    check_by_schema(value, json.loads(SCHEMA.read_text()))
    assert find_violations("verigate:changes.v1", value) == ()
    return value


def judge(tmp_path: Path, before: Files, after: dict[str, Content | None], *texts: str) -> list[str]:
    value = run(tmp_path, before, after, *texts)
    known = facts({}, {"changes.json": value})
    read = read_statements(
        [Statement(str(index), text, source=StatementSource.COMMIT) for index, text in enumerate(texts)]
    )
    return [outcome.answer.outcome.value for outcome in judge_statements(known, read)]
