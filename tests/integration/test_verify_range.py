"""gate verify --range: each commit of a range by itself, and all of them as one change, with real git."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from forked_programs import GATE
from repositories import Repository

_TEST = "def test_total():\n    assert 1 + 1 == 2\n\n\ndef test_rate():\n    assert 2 * 3 == 6\n"
_ORDER = ["code:diff", "code:integrity"]
_PLAN = {"code": {"order": _ORDER, "required": _ORDER, "optional": []}}


@pytest.fixture(name="history")
def _history(tmp_path: Path) -> Repository:
    """Three commits after ``main``: an honest one, one that takes a test away, and one that brings it back."""
    repository = Repository.make(tmp_path / "repo")
    repository.commit(
        {
            "tests/test_cart.py": _TEST,
            "config/adapter-plan.json": json.dumps(_PLAN),
            "config/verification.profiles.json": json.dumps({"code_default": {"integrity": True}}),
        },
        "Begin",
    )
    repository.git("branch", "begin")
    repository.commit({"README.md": "# Cart\n"}, "Add README.md")
    repository.commit({"tests/test_cart.py": _TEST.partition("\n\n\ndef test_rate")[0] + "\n"}, "Make it shorter")
    repository.commit({"tests/test_cart.py": _TEST}, "Bring it back")
    return repository


def verify(repository: Repository, *options: str) -> tuple[int, Any]:
    ended = repository.gate("verify", "--range", "begin..HEAD", "--json", *options)
    return ended.exit_code, json.loads(ended.stdout)


def test_what_a_later_commit_hides_is_found(history: Repository) -> None:
    code, document = verify(history)
    assert code == 1, document
    assert [(each["subject"], each["status"]) for each in document["commits"]] == [
        ("Add README.md", "pass"),
        ("Make it shorter", "fail"),
        ("Bring it back", "pass"),
    ]
    assert "test_removed" in document["commits"][1]["reasons"][0]
    assert (document["status"], document["whole"]["status"]) == ("fail", "pass")


@pytest.mark.release
def test_the_text_has_a_line_for_each_commit_and_the_whole(history: Repository) -> None:
    ended = history.gate("verify", "--range", "begin..")
    said = ended.stdout.decode()
    assert ended.exit_code == 1
    assert [line.split()[0] for line in said.splitlines()[:2]] == ["PASS", "FAIL"]
    assert "INTEGRITY_FAIL" in said
    assert "PASS  implicit" in said
    short = history.git("rev-parse", "HEAD^")[:10]
    assert said.rstrip().splitlines()[-1] == f"FAIL         the range, because of {short}; as a whole it is PASS"
    assert history.gate("verify", "--range", "begin..", "--advisory").exit_code == 0


def test_an_interrupted_range_ends(history: Repository, tmp_path: Path) -> None:
    shard = tmp_path / "shard.json"
    argv = (*GATE, "verify", "--range", "begin..", "--shard", "1/1", "--output", str(shard))
    with subprocess.Popen(
        argv, cwd=history.root, env=history._environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as gate:
        assert gate.stdout is not None
        first = gate.stdout.readline()
        gate.send_signal(signal.SIGINT)
        rest, said = gate.communicate(timeout=60)
    assert gate.returncode == 130, said
    assert first.startswith("PASS")
    assert "ERROR" not in rest
    assert "gate: interrupted; 1 of 4 have their result\n" in said
    assert not shard.exists()


def test_a_range_without_commits_is_nothing_to_verify(history: Repository) -> None:
    ended = history.gate("verify", "--range", "HEAD..HEAD")
    assert ended.exit_code == 0
    assert b"nothing to verify" in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--range", "HEAD"),
        ("--range", "nowhere..HEAD"),
        ("--range", "begin...HEAD"),
        ("--range", "--output=x..HEAD"),
        ("--range", "begin..HEAD", "--ref", "HEAD"),
        ("--range", "begin..HEAD", "--only", "code:diff"),
        ("T1", "--range", "begin..HEAD"),
    ],
)
def test_what_is_no_range_is_refused(history: Repository, arguments: tuple[str, ...]) -> None:
    ended = history.gate("verify", *arguments)
    assert ended.exit_code == 2, ended.stdout
    assert not (history.root / "x").exists()


@pytest.mark.release
def test_one_commit_without_a_verdict_does_not_end_the_others(history: Repository) -> None:
    history.commit({"config/adapter-plan.json": "{"}, "Break the plan")
    history.commit({"config/adapter-plan.json": json.dumps(_PLAN)}, "Mend the plan")
    code, document = verify(history)
    assert code == 3
    statuses = [each["status"] for each in document["commits"]]
    assert statuses[3] == "error"
    assert "adapter-plan.json" in document["commits"][3]["reasons"][0]
    assert len(statuses) == 5


def test_an_option_that_a_range_does_not_take_is_named(history: Repository) -> None:
    ended = history.gate("verify", "--range", "begin..HEAD", "--format", "junit", "--base", "begin")
    assert ended.exit_code == 2
    assert b"it doesn't go with --format, --base" in ended.stderr, ended.stderr


def _merge(history: Repository, *extra: str) -> str:
    history.git("switch", "--quiet", "-c", "side", "begin")
    history.commit({f"other{len(extra)}.md": "# Other\n"}, "Another page")
    history.git("switch", "--quiet", "-")
    history.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    for path in extra:
        (history.root / path).write_text("added while merging\n")
        history.git("add", path)
    history.git("commit", "--quiet", "--no-edit")
    return history.git("rev-parse", "HEAD").strip()


@pytest.mark.release
def test_merges_are_named_and_those_with_changes_of_their_own(history: Repository) -> None:
    plain = _merge(history)
    history.git("branch", "--delete", "--force", "side")
    own = _merge(history, "sneaked.md")
    _, document = verify(history)
    assert document["merges"] == [{"commit": own, "own_changes": True}, {"commit": plain, "own_changes": False}]
    ended = history.gate("verify", "--range", "begin..HEAD")
    assert f"2 merges, as part of the whole alone; changes of their own: {own[:10]}".encode() in ended.stdout


def test_a_commit_that_is_too_large_to_be_read_is_not_left_out(history: Repository) -> None:
    (history.root / "message").write_text("Long\n\n" + "word " * 300_000)
    history.git("commit", "--quiet", "--allow-empty", "--file", "message")
    ended = history.gate("verify", "--range", "begin..HEAD")
    assert ended.exit_code in {2, 3}
    assert b"1 commits can't be read" in ended.stderr
