"""A commitment's profile and type ask no less than would be asked without it, in every command that reads them."""

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
    "code_default": {"required_artifacts": ["tests.json"]},
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
        assert done.code == 2, done.output
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
    assert (refused.code, "asks less than 'facts_default'" in told(refused.err)) == (2, True), refused.output
    assert not (repository.root / ".artifacts").exists()
    assert repository.gate("start", "T1", "--type", "facts", "--profile", "harder").code == 0


def test_a_type_without_a_profile_gives_nothing_to_measure_against(repository: gr.GatedRepository) -> None:
    own = {name: PROFILES[name] for name in ("sketch", "code_default")}
    repository.put("config/verification.profiles.json", own)
    repository.sample.git("commit", "--quiet", "--all", "-m", "no profile of the type")
    begun(repository, profile="sketch")
    done = repository.verify()
    assert (done.code, "'facts' has no profile of its own" in told(done.err)) == (2, True), done.output
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
        assert ".artifacts/T1/commitment.json differs from the version that `gate start` fixed" in check["message"]
        assert repository.gate("replay", "T1").code == 1
    repository.put(".artifacts/T1/commitment.json", json.dumps(agreed, indent=7))
    assert repository.verify().code == 0, "what it says counts, not how it is laid out"


ASKED = {"facts": {"required_artifacts": ["diff.json"]}, "code_default": {"tests_pass": True}}
MUST_MEET = "must meet the profile code_default too: tests_pass"
TOGETHER = f"counts as code, as all but documents does, and {MUST_MEET}"


@pytest.fixture
def lax(tmp_path: Path) -> gr.GatedRepository:
    """The type ``facts`` asks for no tests; its code is asked for them, and they fail."""
    return gr.make(tmp_path, FAILING, files={"config/verification.profiles.json": ASKED, "README.md": "one\n"})


def test_a_laxer_type_is_no_way_past_failing_tests(lax: gr.GatedRepository) -> None:
    lax.begin()
    lax.put("a.py", "answer = 42\n")
    lax.claim("file:a.py")
    planned = lax.gate("plan", "T1")
    assert f"a.py {TOGETHER}" in told(planned.err), planned.output
    done = lax.verify()
    assert (done.code, "TEST_FAIL" in done.out) == (1, True), done.output
    assert f"a.py {TOGETHER}" in told(done.err)
    policy = lax.verdict()["policy"]
    assert (policy["profile"], policy["thresholds"]["tests_pass"]) == ("facts", True)
    replayed = lax.gate("replay", "T1")
    assert (replayed.code, "the recomputed verdict is the recorded one" in replayed.out) == (1, True), replayed.output
    assert lax.verify("T1", "--profile", "facts").code == 0, "the caller may name what he likes"
    lax.sample.git("add", "--force", "a.py", ".artifacts/T1/commitment.json")
    lax.sample.git("commit", "--quiet", "-m", "all of it")
    for where in ((), ("--staged",), ("--ref", "HEAD")):
        assert lax.verify("T1", *where).code == 1, "who commits the commitment chooses no more"


def test_what_is_only_read_is_judged_by_the_type_alone(lax: gr.GatedRepository) -> None:
    lax.begin()
    lax.put("README.md", "two\n")
    lax.claim()
    done = lax.verify()
    assert (done.code, done.err) == (0, ""), done.output
    (lax.root / "README.md").unlink()
    (lax.root / "README.md").symlink_to("adapters")
    assert lax.verify().code == 1
    changes = lax.published("run.json")["subject"]["changes"]
    assert changes == [{"path": "README.md", "kind": "modified", "plain": False}]
    assert lax.gate("replay", "T1").code == 1, "and decided again alike"


def test_a_link_is_code_without_a_commitment_too(lax: gr.GatedRepository) -> None:
    lax.put("README.md", "two\n")
    plan = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
    lax.put("config/adapter-plan.json", {**json.loads((lax.root / "config/adapter-plan.json").read_text()), **plan})
    lax.put("config/verification.profiles.json", {**ASKED, "code_default": {"tests_min": 99}})
    lax.sample.git("commit", "--quiet", "--all", "-m", "a smaller plan")
    lax.put("README.md", "three\n")
    assert lax.gate("verify", "--quiet").code == 4, "nothing was looked at"
    (lax.root / "README.md").chmod(0o755)
    assert lax.gate("verify", "--quiet").code == 1
    assert lax.gate("replay", "implicit").code == 1


def test_start_says_what_will_count(lax: gr.GatedRepository) -> None:
    done = lax.gate("start", "T1", "--type", "facts")
    assert (done.code, f"code in the change {MUST_MEET}" in told(done.err)) == (0, True), done.output
    assert lax.gate("start", "T2", "--type", "code").err == ""
