"""Whether a git that runs a hook amends, by the command lines of the hook's ancestors."""

from __future__ import annotations

from pathlib import Path

import pytest

from verigate.integrations.git.amending import amends_head, is_amending

LINES = {
    "git commit --amend": True,
    "git commit -a --amend -m x": True,
    "git commit --amen": True,
    "git commit --am": True,
    "/usr/bin/git -C x -c a=b commit --amend --no-edit": True,
    "/usr/lib/git-core/git-commit --amend": True,
    "git commit -a": False,
    "git commit --all": False,
    "git commit -a -- --amend": False,
    "git commit --amended": False,
    "git rebase --amend": None,
    "/bin/sh .git/hooks/commit-msg --amend": None,
    "": None,
}


@pytest.mark.parametrize("line", LINES)
def test_a_command_line(line: str) -> None:
    assert amends_head(line.split()) is LINES[line]


def process(proc: Path, pid: int, parent: int, line: str, name: str = "git") -> None:
    folder = proc / str(pid)
    folder.mkdir()
    (folder / "cmdline").write_bytes(b"".join(word.encode() + b"\0" for word in line.split()))
    (folder / "stat").write_text(f"{pid} ({name}) S {parent} 1 1 0 -1\n")


def test_the_nearest_commit_decides(tmp_path: Path) -> None:
    process(tmp_path, 10, 1, "git commit --amend")
    process(tmp_path, 11, 10, "sh editor", name="a ) S 1 (b")
    process(tmp_path, 12, 11, "git commit -m x")
    process(tmp_path, 13, 12, "sh .git/hooks/commit-msg")
    process(tmp_path, 14, 13, "python gate")
    assert not is_amending(14, tmp_path)
    assert is_amending(12, tmp_path)
    assert is_amending(11, tmp_path)


def test_without_a_commit_nothing_is_amended(tmp_path: Path) -> None:
    process(tmp_path, 10, 1, "bash")
    process(tmp_path, 11, 10, "python gate")
    assert not is_amending(11, tmp_path)
    assert not is_amending(99, tmp_path)
    process(tmp_path, 20, 20, "loop")
    assert not is_amending(20, tmp_path)
    (tmp_path / "11/stat").write_text("nonsense")
    assert not is_amending(11, tmp_path)
