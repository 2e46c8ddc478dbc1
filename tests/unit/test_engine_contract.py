"""The table of the engines' contract: what it names is there, and what is empty is what needs an HTTP API."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/engine-contract.md"
ROW = re.compile(r"\| (?P<rule>.+?) \| (?:\[(?P<shown>[^]]+)\]\(\.\./(?P<file>[^)]+)\))? ?\| (?P<test>.*?) ?\|")
NAMED = re.compile(r"\[(?P<name>\w+)\]\(\.\./(?P<file>[^)]+)\)")
WITHOUT = {
    "an editor for instructions, a tab for skills",
}
"""Rules that need a run behind the HTTP API, or a page for people."""


def read_rows() -> list[re.Match[str]]:
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    rows = [line for line in lines if not line.startswith(("| rule ", "| --- "))]
    found = [ROW.match(line) for line in rows]
    assert all(found), [line for line, row in zip(rows, found, strict=True) if row is None]
    return [row for row in found if row is not None]


ROWS = {f"{number} {row['rule']}": row for number, row in enumerate(read_rows(), start=1)}


@cache
def list_tests(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("number", ROWS)
def test_the_file_and_the_test_of_a_rule_are_there(number: str) -> None:
    row = ROWS[number]
    if row["rule"] in WITHOUT:
        assert (row["file"], row["test"]) == (None, "")
        return
    assert row["file"] is not None
    assert (ROOT / row["file"]).is_file()
    assert row["file"] == f"src/verigate/{row['shown']}"
    test = NAMED.fullmatch(row["test"])
    assert test is not None
    assert test["name"].startswith("test_")
    assert test["name"] in list_tests(ROOT / test["file"])


def test_no_other_cell_is_empty_and_the_table_is_whole() -> None:
    empty = {row["rule"] for row in ROWS.values() if row["file"] is None or not row["test"]}
    assert empty == WITHOUT
    assert len(ROWS) > 100
