"""Weakened checks on a real repository, approved by a signature or by a review of the pull request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from sample_repository import SampleRepository
from ssh_keys import FileKey, make_key, signers

TEST = """\
import pytest


def test_total():
    assert sum([2, 3]) == 5


def test_rate():
    assert round(1.08, 1) == 1.1
"""
SKIPPED = TEST.replace("def test_rate", "@pytest.mark.skip\ndef test_rate")
HOOK = "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"
MARK = "Co-authored-by: Claude <noreply@anthropic.com>"
ORDER = ["code:diff", "code:integrity"]
PLAN = {"code": {"order": ORDER, "required": ORDER, "optional": []}}
STRICT = {"code_default": {"integrity": True, "weakening": "refuse"}}
REASON = "the service is shut down"


@pytest.fixture
def key(tmp_path: Path) -> FileKey:
    return make_key(tmp_path / "keys")


@pytest.fixture
def repository(tmp_path: Path, key: FileKey) -> gr.GatedRepository:
    """A repository whose base allows a plain key and a reviewer; its last commit skips a test, made by an agent."""
    found = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    found.put("config/adapter-plan.json", PLAN)
    found.put("config/verification.profiles.json", STRICT)
    found.put("config/approvals.json", {"repository": "example.com/shop", "keys": "any", "reviewers": ["Rev-Iewer"]})
    found.put("config/allowed-signers", signers(key))
    found.put("test_shop.py", TEST)
    found.sample.commit("the base")
    found.put("test_shop.py", SKIPPED)
    found.sample.commit(f"Skip a test\n\n{MARK}")
    return found


def verify(repository: gr.GatedRepository, *arguments: str) -> Any:
    done = repository.gate("verify", "--ref", "HEAD", "--quiet", "--json", *arguments)
    again = repository.gate("replay", "implicit", "--json")
    assert again.json["agrees"], again.output
    return done.json


def approve(repository: gr.GatedRepository, key: FileKey) -> gr.Done:
    return repository.gate("approve", "HEAD", "--reason", REASON, "--key", str(key.path), "--yes")


def test_what_an_agent_weakened_is_approved_also_in_ci_and_by_a_strict_profile(
    repository: gr.GatedRepository, key: FileKey
) -> None:
    refused = verify(repository)
    assert refused["status"] == "fail"
    assert any("or a person approves it with `gate approve`" in reason["message"] for reason in refused["reasons"])
    done = approve(repository, key)
    assert done.code == 0, done.output
    assert "weakening@verigate" in done.out
    verdict = verify(repository)
    assert verdict["status"] == "pass", verdict["reasons"]
    (item,) = verdict["weakenings"]["listed"]
    assert item["accounted"]["by"] == "approval"
    assert item["reason"] == REASON
    assert (verdict["weakenings"]["approved"], verdict["approvals"]["weakenings"]) == (1, 1)
    text = repository.gate("verify", "--ref", "HEAD", "--quiet").out
    assert text.startswith("PASS  approved: 1 weakening · implicit")
    sarif = json.loads(repository.gate("verify", "--ref", "HEAD", "--quiet", "--format", "sarif").out)
    assert {(each["ruleId"], each["level"]) for each in sarif["runs"][0]["results"]} == {("APPROVED", "note")}


@pytest.mark.release
def test_tampering_is_neither_signed_nor_approved(repository: gr.GatedRepository, key: FileKey) -> None:
    repository.put("conftest.py", HOOK)
    repository.sample.commit("A hook")
    repository.sample.git("reset", "--quiet", "--soft", "HEAD~2")
    repository.sample.git("commit", "--quiet", "-m", "Both")
    done = approve(repository, key)
    assert done.code == 0, done.output
    assert "not approved: 1 changes of what checks report" in done.out
    verdict = verify(repository)
    assert verdict["status"] == "fail"
    assert verdict["weakenings"]["unaccounted"] == 0


def reviews(repository: gr.GatedRepository, file: Path, **more: Any) -> str:
    """Write what ``gate-ci reviews`` would print for HEAD."""
    tip = repository.sample.git("rev-parse", "HEAD")
    review = {"login": "rev-iewer", "state": "APPROVED", "commit": tip, "submitted": "2026-03-10T12:00:00Z"}
    document = {
        "schema": "verigate:reviews.v1", "forge": "github.com", "pull_request": 7, "commit": tip, "head": tip,
        "author": "somebody", **{name: value for name, value in more.items() if name not in review},
        "reviews": [{**review, **{name: value for name, value in more.items() if name in review}}],
    }  # fmt: skip
    document["commit"], document["head"] = more.get("judged", tip), more.get("head", tip)
    document.pop("judged", None)
    document["reviews"] += document.pop("then", [])
    file.write_text(json.dumps(document))
    return str(file)


@pytest.mark.release
def test_a_review_of_the_pull_request_approves_its_commit(repository: gr.GatedRepository, tmp_path: Path) -> None:
    file = tmp_path / "reviews.json"
    verdict = verify(repository, "--stage", "ci", "--reviews", reviews(repository, file))
    assert verdict["status"] == "pass", verdict["reasons"]
    (listed,) = verdict["approvals"]["listed"]
    assert (listed["reference"], listed["by"]) == ("review by rev-iewer of pull request 7", "rev-iewer")
    assert (listed["how"], listed["expires"]) == ("review at github.com", None)


@pytest.mark.release
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"login": "stranger"}, "config/approvals.json doesn't name the login"),
        ({"author": "REV-IEWER"}, "they opened the pull request"),
        ({"commit": "a" * 40}, "it is of aaaaaaaaaaaa, and the pull request is at"),
        ({"judged": "b" * 40}, "the reviews are of the commit bbbbbbbbbbbb, which isn't the one that is verified"),
        ({"state": "COMMENTED"}, ""),
        ({"then": [{"login": "Rev-Iewer", "state": "CHANGES_REQUESTED", "commit": "", "submitted": ""}]}, ""),
        ({"then": [{"login": "Rev-Iewer", "state": "DISMISSED", "commit": "", "submitted": ""}]}, ""),
        ({"login": "rev\u202eiewer\n"}, "the review by rev\\u202eiewer\\n doesn't count"),
    ],
)  # fmt: skip
def test_other_reviews_approve_nothing(
    repository: gr.GatedRepository, tmp_path: Path, more: dict[str, Any], said: str
) -> None:
    verdict = verify(repository, "--stage", "ci", "--reviews", reviews(repository, tmp_path / "reviews.json", **more))
    assert verdict["status"] == "fail"
    assert said in "\n".join(verdict.get("approvals", {}).get("faults", ()))


def test_a_review_counts_in_ci_alone(repository: gr.GatedRepository, tmp_path: Path) -> None:
    file = reviews(repository, tmp_path / "reviews.json")
    verdict = verify(repository, "--stage", "push", "--reviews", file)
    assert "only count in CI" in "\n".join(verdict["approvals"]["faults"])


@pytest.mark.parametrize("content", ["{", "[]", '{"schema": "x"}', "\xff"])
def test_a_file_without_reviews_is_a_usage_error(repository: gr.GatedRepository, tmp_path: Path, content: str) -> None:
    file = tmp_path / "reviews.json"
    file.write_text(content)
    done = repository.gate("verify", "--ref", "HEAD", "--reviews", str(file))
    assert done.code == 2
    assert "gate-ci reviews" in done.err
    assert repository.gate("verify", "--ref", "HEAD", "--reviews", str(tmp_path / "none")).code == 2


@pytest.mark.release
def test_a_job_without_a_pull_request_has_no_reviews(repository: gr.GatedRepository, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    assert verify(repository, "--reviews", str(tmp_path / "empty"))["status"] == "fail"
