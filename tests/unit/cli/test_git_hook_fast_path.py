"""What is read of ``gate git-hook`` without click; everything else is left to it."""

from __future__ import annotations

import pytest

from verigate.cli.git_hook_fast_path import read

READ = {
    "pre-commit": ("pre-commit", (), {}),
    "--message-follows pre-commit": ("pre-commit", (), {"message_follows": True}),
    "--advisory --message-follows pre-commit": ("pre-commit", (), {"advisory": True, "message_follows": True}),
    "commit-msg .git/COMMIT_EDITMSG": ("commit-msg", (".git/COMMIT_EDITMSG",), {}),
    "--advisory commit-msg a": ("commit-msg", ("a",), {"advisory": True}),
}
LEFT = (
    "",
    "--help",
    "pre-push origin url",
    "post-commit",
    "pre-commit x",
    "pre-commit --message-follows",
    "commit-msg",
    "commit-msg a b",
    "commit-msg --advisory",
    "--nothing pre-commit",
    "pre-comit",
)


@pytest.mark.parametrize("line", READ)
def test_what_hooks_call_is_read(line: str) -> None:
    assert read(line.split()) == READ[line]


@pytest.mark.parametrize("line", LEFT)
def test_the_rest_is_left_to_click(line: str) -> None:
    assert read(line.split()) is None


def test_completion_is_left_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_GATE_COMPLETE", "bash_complete")
    assert read(["pre-commit"]) is None
