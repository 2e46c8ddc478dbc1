"""The profile that a commitment names is measured against the one of its type, in every command that reads it."""

from __future__ import annotations

import json
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest

FAILING = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch")} | {
    "tests.json": lf.BAD["tests.json"]
}
PROFILES = {
    "facts_default": {"tests_pass": True},
    "sketch": {"required_artifacts": ["tests.json"]},
    "harder": {"extends": "facts_default", "tests_min": 3},
}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    return gr.make(tmp_path, FAILING, files={"config/verification.profiles.json": PROFILES})


def begun(repository: gr.GatedRepository, **document: str) -> None:
    """A task whose tests fail."""
    repository.begin(**document)
    repository.put("a.py", "answer = 42\n")
    repository.claim("file:a.py")


def told(text: str) -> str:
    """An error as one line, however it was broken."""
    return " ".join(text.split())


def test_a_laxer_profile_is_no_way_past_failing_tests(repository: gr.GatedRepository) -> None:
    begun(repository)
    assert repository.verify().code == 1
    begun(repository, profile="sketch")
    for command in ("verify", "plan"):
        done = repository.gate(command, "T1")
        assert done.code == 2, done.told
        said = told(done.err)
        assert "the profile 'sketch' asks less than 'facts_default'" in said
        assert "the type 'facts': tests_pass; a commitment can only ask for more" in said
        assert ".artifacts/T1/commitment.json /profile" in said
        assert 'name it with `gate verify --profile`, or make it the type\'s profile: "facts_default"' in said
    assert repository.verdict()["status"] == "fail", "the verdict that was there is left as it was"
    assert repository.verify("T1", "--profile", "sketch").code == 0, "the caller may name what he likes"
    assert repository.gate("replay", "T1").code == 0
    begun(repository, profile="harder")
    assert repository.verify().code == 1
    assert repository.verdict()["policy"]["profile"] == "harder"


def test_an_implicit_task_has_no_say(repository: gr.GatedRepository) -> None:
    repository.begin("implicit", "code", profile="sketch")
    repository.put("a.py", "answer = 42\n")
    assert "type code · profile code" in repository.gate("plan").out


def test_start_refuses_it_before_anything_is_written(repository: gr.GatedRepository) -> None:
    refused = repository.gate("start", "T1", "--type", "facts", "--profile", "sketch")
    assert (refused.code, "asks less than 'facts_default'" in told(refused.err)) == (2, True), refused.told
    assert not (repository.root / ".artifacts").exists()
    assert repository.gate("start", "T1", "--type", "facts", "--profile", "harder").code == 0


def test_a_type_without_a_profile_gives_nothing_to_measure_against(repository: gr.GatedRepository) -> None:
    repository.put("config/verification.profiles.json", {"sketch": PROFILES["sketch"]})
    repository.sample.git("commit", "--quiet", "--all", "-m", "no profile of the type")
    begun(repository, profile="sketch")
    done = repository.verify()
    assert (done.code, "'facts' has no profile of its own" in told(done.err)) == (2, True), done.told
    assert repository.gate("start", "T2", "--type", "facts", "--profile", "sketch").code == 2
    assert repository.verify("T1", "--profile", "sketch").code == 0


def test_a_commitment_that_was_committed_stands(tmp_path: Path) -> None:
    passing = {**FAILING, "tests.json": lf.GOOD["tests.json"]}
    repository = gr.make(tmp_path, passing, files={"config/verification.profiles.json": PROFILES})
    begun(repository, profile="harder")
    repository.sample.git("add", "--force", ".artifacts/T1/commitment.json")
    repository.sample.git("commit", "--quiet", "-m", "what was agreed")
    assert repository.verify().code == 0
    agreed = repository.published("commitment.json")
    for edited in (
        {**agreed, "profile": "facts_default"},
        {**agreed, "base": repository.sample.git("rev-parse", "HEAD")},
    ):
        repository.put(".artifacts/T1/commitment.json", edited)
        assert repository.verify("T1").code == 1
        (check,) = [item for item in repository.verdict()["checks"] if item["id"] == "gate.judges"]
        assert check["reason"] == "INTEGRITY_FAIL"
        assert ".artifacts/T1/commitment.json isn't the one that was committed" in check["message"]
        assert repository.gate("replay", "T1").code == 1
    repository.put(".artifacts/T1/commitment.json", json.dumps(agreed, indent=7))
    assert repository.verify().code == 0, "what it says counts, not how it is laid out"
