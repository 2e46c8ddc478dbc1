"""The hook commit-msg holds what a message says against the commit that git is about to make, with real git."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from repositories import Repository

_CART = "def total(items):\n    return sum(items)\n"
_OTHER = _CART.replace("sum(items)", "round(sum(items))")
_PLAN = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}


def make(tmp_path: Path, **rules: Any) -> Repository:
    repository = Repository.make(tmp_path / "repo")
    profiles = {"code_default": {"required_artifacts": ["diff.json"], **rules}}
    repository.commit(
        {
            "cart.py": _CART,
            "config/adapter-plan.json": json.dumps(_PLAN),
            "config/verification.profiles.json": json.dumps(profiles),
        },
        "Begin",
    )
    assert repository.gate("install").exit_code == 0
    return repository


def commit(repository: Repository, message: str, *options: str) -> tuple[int, str]:
    done = repository.try_git("commit", "-m", message, *options)
    return done.returncode, done.stderr.decode()


def test_what_a_message_says_wrongly_is_reported(tmp_path: Path) -> None:
    repository = make(tmp_path)
    repository.write({"cart.py": _OTHER})
    code, said = commit(repository, "docs: describe the cart", "-a")
    assert code == 0, said
    assert "the message says what the commit doesn't do" in said
    assert "code in cart.py" in said


@pytest.mark.release
def test_it_stops_the_commit_where_statements_are_required(tmp_path: Path) -> None:
    repository = make(tmp_path, statements="require")
    repository.write({"cart.py": _OTHER})
    before = repository.head
    code, said = commit(repository, "docs: describe the cart", "-a")
    assert code == 1, said
    assert "not committed: the message says what the commit doesn't do" in said
    assert "git commit --edit --file=" in said
    assert repository.head == before
    assert commit(repository, "Round the total", "-a")[0] == 0


@pytest.mark.release
def test_the_commit_that_is_amended_is_judged_as_a_whole(tmp_path: Path) -> None:
    repository = make(tmp_path, statements="require")
    repository.write({"cart.py": _OTHER})
    assert commit(repository, "Round the total", "-a")[0] == 0
    repository.write({"README.md": "# Cart\n"})
    repository.git("add", "README.md")
    assert commit(repository, "docs: describe the cart", "--amend")[0] == 1
    assert commit(repository, "Add README.md", "--amend")[0] == 0
    assert commit(repository, "docs: describe the cart", "--amend")[0] == 1


@pytest.mark.parametrize("message", ["Think about it again", "Add README.md"])
def test_what_holds_or_is_open_says_nothing(tmp_path: Path, message: str) -> None:
    repository = make(tmp_path, statements="require")
    repository.write({"README.md": "# Cart\n"})
    repository.git("add", "README.md")
    code, said = commit(repository, message)
    assert code == 0, said
    assert "message says" not in said


def test_with_a_task_the_claim_says_what_was_done(tmp_path: Path) -> None:
    repository = make(tmp_path, statements="require")
    repository.task("T1")
    repository.claim("cart.py")
    repository.write({"cart.py": _OTHER})
    repository.git("add", "--all")
    said = commit(repository, "docs: describe the cart\n\nGate-Task: T1")[1]
    assert "message says" not in said
