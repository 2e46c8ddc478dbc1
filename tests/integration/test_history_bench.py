"""The replay of history: what it measures on a small repository, and that its records keep to their rules."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "tests" / "bench"
RECORDS = (
    "repositories.jsonl",
    "with-suites.jsonl",
    "fresh.jsonl",
    "second-fresh.jsonl",
    "third-fresh.jsonl",
    "fourth-fresh.jsonl",
    "fifth-fresh.jsonl",
)
SEEN_BEFORE = {"pallets/click"}
"""Cells were tried by hand on its commits before the halves were chosen."""

CODE = "def half(n):\n    return n // 2\n"
TEST = "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n    assert half(0) == 0\n"


def read_records(name: str) -> list[dict[str, Any]]:
    """Read the records of the bench."""
    return [json.loads(line) for line in (BENCH / "history" / name).read_text("utf-8").splitlines()]


def git(folder: Path, *arguments: str) -> str:
    """Run git; return what it prints."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(("git", *who, *arguments), cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, subject: str, **files: str) -> str:
    """Write files and commit them; return the commit."""
    for name, content in files.items():
        (folder / f"{name}.py").write_text(content, "utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", subject)
    return git(folder, "rev-parse", "HEAD")


def replay(*arguments: str | Path) -> str:
    """Run the bench; return what it prints."""
    argv = (sys.executable, BENCH / "history.py", *arguments)
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def test_the_commit_that_weakens_a_test_is_stopped_and_the_repository_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "half"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, "Add half", half=CODE, test_half=TEST)
    honest = commit(folder, "Document half", half=CODE.replace(":\n", ':\n    """Divide by two."""\n'))
    weaker = commit(folder, "Speed up", test_half=TEST.replace("    assert half(4) == 2\n", ""))
    results = tmp_path / "results.jsonl"
    before = git(folder, "count-objects", "-v")

    printed = replay("--set", tmp_path, "--results", results, "--labels", tmp_path / "none", "half")

    rows = {row["commit"]: row for row in map(json.loads, results.read_text("utf-8").splitlines())}
    assert {name: row["status"] for name, row in rows.items()} == {honest: "pass", weaker: "fail"}
    assert {name: row["tests"] for name, row in rows.items()} == {honest: False, weaker: True}
    assert [each["kind"] for each in rows[weaker]["checks"][0]["findings"]] == ["assertion_removed"]
    assert f"half {weaker[:12]} tests [not read yet]" in printed
    assert (git(folder, "count-objects", "-v"), git(folder, "status", "--porcelain")) == (before, "")

    label = {"name": "half", "commit": weaker, "stopped_by": ["code.integrity assertion_removed"], "label": "unsaid"}
    (tmp_path / "labels").write_text(json.dumps(label | {"causes": ["weakened"]}) + "\n", "utf-8")
    printed = replay("--set", tmp_path, "--results", results, "--labels", tmp_path / "labels", "half")
    assert len(results.read_text("utf-8").splitlines()) == 2, "what has a result is not verified again"
    assert f"half {weaker[:12]} tests [unsaid: weakened]" in printed
    assert "the gate's fault: 0 of 2 (0.00%)" in printed
    tables = ("--tables", "--markdown", "--results", results, "--labels")
    head, *rest = replay(*tables, tmp_path / "labels", "half").splitlines()
    assert head.strip("| ").split(" | ")[4:] == ["stopped", "unsaid", "said", "debatable", "fault", "not read yet"]
    assert rest == [
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| half |  | 2 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |",
        "| **all** |  | 2 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |",
    ]
    assert (
        replay(*tables, tmp_path / "none", "half").splitlines()[-1] == "| **all** |  | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 1 |"
    )


def test_tests_of_a_commit_are_counted_by_their_class(tmp_path: Path) -> None:
    cells = {"BB": "P", "HB": "F", "BH": "P", "HH": "P"}
    loose = {"path": "test_half.py", "test": "test_half", "class": "loosened", "cells": cells, "why": ""}
    compared = {"counts": {"kept": 2, "loosened": 1}, "tests": [loose], "unexamined": {"no runner": 1}}
    row = {"name": "half", "commit": "1" * 40, "tests": True, "seconds": 1.0, "status": "pass", "checks": []}
    lines = [row | {"cells": compared}, row | {"commit": "2" * 40}]
    (tmp_path / "results").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    printed = replay("--results", tmp_path / "results", "--tables", "half").splitlines()
    heading = next(line for line in printed if line.startswith("cells"))
    assert heading.split() == ["cells", "commits", "none", "tests", "kept", "loosened"]
    assert "half 1 0 3 2 1" in [" ".join(line.split()) for line in printed]
    assert "half 111111111111 loosened BB=P BH=P HB=F HH=P test_half.py test_half " in printed
    assert "     1  no runner" in printed


@pytest.mark.release
def test_a_screened_replay_stops_the_same_commits(tmp_path: Path) -> None:
    folder = tmp_path / "half"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, "Add half", half=CODE, test_half=TEST)
    honest = commit(folder, "Document half", half=CODE.replace(":\n", ':\n    """Divide by two."""\n'))
    weaker = commit(folder, "Speed up", test_half=TEST.replace("    assert half(4) == 2\n", ""))
    results = tmp_path / "results.jsonl"
    replay("--set", tmp_path, "--results", results, "--screen", "half")
    rows = {row["commit"]: row for row in map(json.loads, results.read_text("utf-8").splitlines())}
    assert {name: row["status"] for name, row in rows.items()} == {honest: "pass", weaker: "fail"}
    assert [name for name, row in rows.items() if row.get("screened")] == [honest]
    assert git(folder, "status", "--porcelain") == ""


def test_halves_are_chosen_by_the_digest_of_the_name() -> None:
    records = read_records("repositories.jsonl")
    for _, group in groupby(records, key=lambda record: record["language"]):
        names = [record["repo"] for record in group]
        assert names == sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    halves = {
        record["repo"]: ("looked-at", "held-out")[n % 2]
        for _, group in groupby(records, key=lambda record: record["language"])
        for n, record in enumerate(group)
    }
    assert {each["repo"]: each["half"] for each in records} == halves | dict.fromkeys(SEEN_BEFORE, "looked-at")
    assert len(records) >= 25
    assert len({record["language"] for record in records}) == 6
    assert all(re.fullmatch("[0-9a-f]{40}", record["commit"]) for record in records)


def test_labels_are_of_recorded_repositories_and_say_why() -> None:
    known = {record["name"] for name in RECORDS for record in read_records(name)}
    labels = read_records("labels.jsonl")
    for label in labels:
        assert set(label) == {"name", "commit", "stopped_by", "label", "causes"}
        assert label["name"] in known
        assert re.fullmatch("[0-9a-f]{40}", label["commit"])
        assert label["label"] in {"unsaid", "said", "debatable", "fault"}
        assert label["stopped_by"]
        assert label["causes"]
    assert len({(label["name"], label["commit"]) for label in labels}) == len(labels) > 0
