"""Messages of commits are claims where there is no task: reported, and decisive where statements are required."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from repositories import Repository

_CART = "def total(items):\n    return sum(items)\n"
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
    return repository


def lie(repository: Repository) -> str:
    return repository.commit({"cart.py": _CART.replace("sum(items)", "round(sum(items))")}, "docs: describe the cart")


def verify(repository: Repository, base: str, *options: str) -> Any:
    argv = ("verify", "--ref", "HEAD", "--base", base, "--stage", "ci", "--json", "--quiet", *options)
    return repository.gate(*argv)


def test_what_a_message_says_is_reported_and_holds_nothing_back(tmp_path: Path) -> None:
    repository = make(tmp_path)
    lie(repository)
    repository.commit({"README.md": "# Cart\n"}, "Add README.md")
    ended = verify(repository, "HEAD~2")
    check = ended.check("gate.messages")
    assert ended.exit_code == 0
    assert check is not None
    assert (check["outcome"], check["holds_back"]) == ("refuted", False)
    assert check["actual"] == {"holds": 1, "refuted": 1, "open": 0}
    assert "cart.py" in check["message"]


@pytest.mark.release
@pytest.mark.parametrize("stage", ["push", "ci"])
def test_it_decides_where_statements_are_required(tmp_path: Path, stage: str) -> None:
    repository = make(tmp_path, statements="require")
    lie(repository)
    ended = verify(repository, "HEAD~1", "--stage", stage)
    assert ended.exit_code == 1
    assert ended.reasons == {"CLAIM_REFUTED"}


def test_what_no_fact_decides_holds_nothing_back(tmp_path: Path) -> None:
    repository = make(tmp_path, statements="require")
    repository.commit({"cart.py": _CART + "\n"}, "Land the cart on its final position")
    ended = verify(repository, "HEAD~1")
    check = ended.check("gate.messages")
    assert ended.exit_code == 0
    assert check is not None
    assert check["outcome"] == "not_applicable"


@pytest.mark.release
def test_a_later_message_corrects_one(tmp_path: Path) -> None:
    repository = make(tmp_path, statements="require")
    wrong = lie(repository)
    repository.commit({"a.txt": "x"}, f"Say it right\n\nCorrects: {wrong[:10]} Round the total")
    assert verify(repository, "HEAD~2").exit_code == 0
    repository.commit({"b.txt": "x"}, f"Say it wrong again\n\nCorrects: {wrong[:10]} docs: more of the cart")
    assert verify(repository, "HEAD~3").exit_code == 1


def test_a_pull_request_corrects_one(tmp_path: Path) -> None:
    repository = make(tmp_path, statements="require")
    wrong = lie(repository)
    (tmp_path / "text").write_text(f"A cart\n\nCorrects: {wrong[:8]} Round the total\n")
    assert verify(repository, "HEAD~1", "--pull-request", str(tmp_path / "text")).exit_code == 0


def test_a_verdict_with_messages_is_replayed(tmp_path: Path) -> None:
    repository = make(tmp_path, statements="require")
    lie(repository)
    verify(repository, "HEAD~1")
    assert b"is the recorded one" in repository.gate("replay").stdout
    run = repository.artifact("run.json", "implicit")
    document = json.loads(run.read_text())
    assert [each["subject"] for each in document["messages"]] == ["docs: describe the cart"]


def test_a_task_has_its_claim_and_no_message_is_judged(tmp_path: Path) -> None:
    repository = make(tmp_path)
    repository.task("T1", base="HEAD")
    lie(repository)
    ended = repository.gate("verify", "T1", "--ref", "HEAD", "--stage", "ci", "--json", "--quiet")
    assert ended.check("gate.messages") is None


def test_without_a_stage_a_commit_is_judged_as_in_ci_and_a_working_tree_is_not(tmp_path: Path) -> None:
    # Before: a job that didn't name the stage compared no message, and didn't say so.
    repository = make(tmp_path)
    lie(repository)
    plain = repository.gate("verify", "--ref", "HEAD", "--json", "--quiet").check("gate.messages")
    staged = repository.gate("verify", "--ref", "HEAD", "--stage", "ci", "--json", "--quiet").check("gate.messages")
    assert plain == staged
    assert plain is not None
    assert plain["actual"]["refuted"] == 1
    assert repository.gate("verify", "--base", "HEAD^", "--json", "--quiet").check("gate.messages") is None
