"""What checkwash asks git a second time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from change_repository import change_repository

from code_adapter.integrity.tools.checkwash_run import START
from code_adapter.integrity.tools.checkwash_start import remember

TREE = ["git", "-C", "/r", "ls-tree", "-r", "abc"]


def test_a_settled_answer_is_asked_for_once_and_others_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[Any, Any]] = []

    def run(argv: Any, **options: Any) -> subprocess.CompletedProcess[bytes]:
        ran.append((argv, options))
        return subprocess.CompletedProcess(argv, 0, str(len(ran)).encode())

    monkeypatch.setattr(subprocess, "run", run)
    remember(frozenset({"ls-tree"}))
    calls: list[tuple[list[str], dict[str, Any]]] = [
        (TREE, {}),
        (TREE, {}),
        (TREE, {"input": b"x"}),
        ([*TREE, "more"], {}),
        (["git", "-C", "/r", "grep", "x"], {}),
        (["git", "-C", "/r", "grep", "x"], {}),
        (["git", "ls-tree"], {}),
        (["git", "ls-tree"], {}),
    ]
    assert [subprocess.run(argv, **options).stdout for argv, options in calls] == [  # noqa: PLW1510 - a stand-in
        b"1", b"1", b"2", b"3", b"4", b"5", b"6", b"7",
    ]  # fmt: skip


@pytest.mark.slow
def test_it_reports_what_checkwash_reports(tmp_path: Path) -> None:
    test = "def test_add():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n"
    repository = change_repository(tmp_path / "r", {"test_a.py": test}, {"test_a.py": test.rpartition("    ")[0]})
    identity = ("-c", "user.name=A", "-c", "user.email=a@b.c")
    subprocess.run(["git", *identity, "commit", "-q", "-m", "x"], cwd=repository.root, check=True)
    printed = []
    for start in ((str(START),), ("-m", "checkwash")):
        argv = [sys.executable, "-I", *start, "check", "HEAD~1..HEAD", "--format", "json"]
        done = subprocess.run(argv, cwd=repository.root, capture_output=True, check=False)
        printed.append((done.returncode, done.stdout, done.stderr))
    assert printed[0] == printed[1]
    assert b"ASSERT_REMOVED" in printed[0][1]
