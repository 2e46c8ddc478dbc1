"""Files of which a commit would have one state and the work tree another."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from verigate.integrations.git.half_staged import find_half_staged, find_left_out

GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "core.hooksPath=/dev/null")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a.py", "b.py", "c d\n.py"):
        (tmp_path / name).write_text("1\n")
    for command in (("init", "-q"), ("add", "--all"), ("commit", "-qm", "base")):
        subprocess.run((*GIT, *command), cwd=tmp_path, check=True)
    return tmp_path


def stage(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text)
    subprocess.run(("git", "add", "--", name), cwd=root, check=True)


def test_a_staged_file_that_changed_again_is_found(root: Path) -> None:
    for name in ("a.py", "c d\n.py"):
        stage(root, name, "2\n")
        (root / name).write_text("3\n")
    stage(root, "b.py", "2\n")
    assert find_half_staged(root, os.environ) == ["a.py", "c d\n.py"]


def test_a_file_that_is_not_staged_at_all_is_none(root: Path) -> None:
    (root / "a.py").write_text("3\n")
    assert find_half_staged(root, os.environ) == []


def test_without_a_commit_or_a_repository_there_is_none(tmp_path: Path) -> None:
    assert find_half_staged(tmp_path, os.environ) == []
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    stage(tmp_path, "a.py", "1\n")
    (tmp_path / "a.py").write_text("2\n")
    assert find_half_staged(tmp_path, os.environ) == []


def test_what_a_commit_leaves_out_is_new_or_differs_and_is_not_ignored(root: Path) -> None:
    (root / "a.py").write_text("2\n")
    stage(root, "b.py", "2\n")
    for name in ("new.json", "ignored.json", "other.json"):
        (root / name).write_text("{}\n")
    (root / ".gitignore").write_text("ignored.json\n")
    asked = ["a.py", "b.py", "c d\n.py", "new.json", "ignored.json", "gone.json"]
    assert find_left_out(root, os.environ, asked) == ["a.py", "new.json"]
