"""A change of policy lands in a commit of its own, as the message says, and older tasks don't stay refuted by it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from gated_repository import Done, GatedRepository

from verigate.composition.agent_gate import RepositoryGate

PROFILES = "config/verification.profiles.json"
ENTRY = {"order": ["code:tests"], "required": ["code:tests"], "optional": []}
FILES = {".gitignore": ".artifacts/\n", "config/adapter-plan.json": {"code": ENTRY, "facts": ENTRY}}
STRICT = {"tests_pass": True, "tests_min": 1}


def rules(**more: object) -> str:
    wanted = {"tests_pass": True, **more}
    return json.dumps({"facts": wanted, "code_default": wanted})


@pytest.fixture
def repository(tmp_path: Path) -> GatedRepository:
    """The task T1 was started and has a commit of its own."""
    made = gr.make(tmp_path, {"tests.json": lf.GOOD["tests.json"]}, {"tests_pass": True}, files=FILES)
    assert made.gate("install").code == 0
    assert made.gate("start", "T1", "--type", "facts").code == 0
    made.claim(statements=["All tests pass."])
    assert commit(made, {"work.py": "work = 1\n"}).code == 0
    return made


def commit(repository: GatedRepository, files: dict[str, str], *options: str) -> Done:
    """`git commit` of these files alone, through the installed hooks."""
    for path, content in files.items():
        repository.put(path, content)
    repository.sample.git("add", "--force", "--", *files)
    done = subprocess.run(
        ("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "-m", "A change", *options),
        cwd=repository.root, env=repository.environ(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def judges(done: Done) -> str:
    (found,) = [check for check in done.json["checks"] if check["id"] == "gate.judges"]
    return str(found["outcome"])


def verify(repository: GatedRepository, *arguments: str) -> Done:
    return repository.gate("verify", *arguments, "--json", "--quiet")


def test_the_whole_way_as_the_messages_say(repository: GatedRepository) -> None:
    mixed = commit(repository, {PROFILES: rules(tests_min=1), "work.py": "work = 2\n"})
    assert mixed.code == 1
    lands = "a person who has reviewed these files approves them with `gate approve T1 --reason …`"
    assert lands in " ".join(mixed.output.split())
    repository.sample.git("reset", "--quiet")
    alone = commit(repository, {PROFILES: rules(tests_min=1)})
    assert alone.code == 1
    assert lands in " ".join(alone.output.split())
    assert commit(repository, {PROFILES: rules(tests_min=1)}, "--no-verify").code == 0
    policy = repository.sample.git("rev-parse", "HEAD")

    # The task is older than that commit: it goes on, and what is new in the policy counts.
    done = commit(repository, {"work.py": "work = 3\n"})
    assert done.code == 0, done.output
    said = f"the policy has changed since the task's base, in commits of its own ({policy[:12]}): {PROFILES}"
    assert done.output.count(said) == 1
    assert "tests_min" in repository.verdict("T1")["policy"]["thresholds"]
    assert said in repository.published("run.json")["warnings"]
    # And so does a second one.
    assert repository.gate("start", "T2", "--type", "facts").code == 0
    repository.claim(task_id="T2", statements=["All tests pass."])
    assert "the policy has changed" not in commit(repository, {"work.py": "work = 4\n"}).output


@pytest.mark.release
def test_a_policy_that_came_by_a_merge_has_landed(repository: GatedRepository) -> None:
    repository.sample.git("switch", "--quiet", "-c", "policy", "HEAD~1")
    assert commit(repository, {PROFILES: rules(tests_min=1)}, "--no-verify").code == 0
    repository.sample.git("switch", "--quiet", "main")
    repository.sample.git("merge", "--quiet", "--no-ff", "--no-edit", "--no-verify", "policy")
    assert judges(verify(repository)) == "holds"


@pytest.mark.release
def test_a_change_of_policy_with_other_changes_has_not_landed(repository: GatedRepository) -> None:
    commit(repository, {PROFILES: rules(tests_min=1), "other.py": "other = 1\n"}, "--no-verify")
    done = verify(repository)
    assert (done.code, judges(done)) == (1, "refuted")
    # Nor has one that was made twice, once with other changes.
    commit(repository, {PROFILES: rules(tests_min=0)}, "--no-verify")
    assert judges(verify(repository)) == "refuted"


@pytest.mark.release
def test_a_merge_that_changes_policy_by_itself_has_not_landed_it(repository: GatedRepository) -> None:
    repository.sample.git("switch", "--quiet", "-c", "side", "HEAD~1")
    commit(repository, {"side.py": "side = 1\n"}, "--no-verify")
    repository.sample.git("switch", "--quiet", "main")
    repository.sample.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    commit(repository, {PROFILES: rules(tests_min=1), "work.py": "work = 9\n"}, "--no-verify")
    assert judges(verify(repository)) == "refuted"


def test_the_task_s_own_commit_lands_nothing(repository: GatedRepository) -> None:
    commit(repository, {PROFILES: rules(tests_min=1)}, "--no-verify", "--trailer", "Gate-Task: T1")
    assert judges(verify(repository)) == "refuted"


@pytest.mark.release
def test_what_isn_t_committed_has_not_landed(repository: GatedRepository) -> None:
    commit(repository, {PROFILES: rules(tests_min=1)}, "--no-verify")
    repository.put(PROFILES, rules(tests_min=0))
    assert judges(verify(repository)) == "refuted"
    repository.sample.git("checkout", "--quiet", "--", PROFILES)
    assert judges(verify(repository)) == "holds"


@pytest.mark.release
def test_a_push_and_ci_compare_with_the_base_that_they_name(repository: GatedRepository) -> None:
    base = repository.sample.git("rev-parse", "HEAD")
    commit(repository, {PROFILES: rules(tests_min=1)}, "--no-verify")
    commit(repository, {"work.py": "work = 3\n"})
    for arguments in (("--ref", "HEAD", "--base", base), ("T1", "--base", base), ("--ref", "HEAD")):
        assert judges(verify(repository, *arguments)) == "refuted", arguments
    alone = verify(repository, "--ref", "HEAD~1", "--base", base)
    assert "approves them with `gate approve T1 --reason" in alone.output


def test_an_agent_that_commits_a_policy_during_its_turn_is_refuted(repository: GatedRepository) -> None:
    commit(repository, {PROFILES: rules(tests_min=1)}, "--no-verify")
    repository.put("work.py", "work = 3\n")
    judged = RepositoryGate(repository.root, repository.environ()).verify("T1", None, reported=False)
    assert not judged.passed
    assert "gate.judges" in judged.reason


@pytest.mark.release
def test_a_push_of_a_rebased_branch_isn_t_blamed_for_the_policy_that_it_was_rebased_on(
    repository: GatedRepository,
) -> None:
    remote = repository.home / "remote.git"
    repository.sample.git("init", "--quiet", "--bare", str(remote))
    repository.sample.git("remote", "add", "origin", str(remote))
    repository.sample.git("switch", "--quiet", "-c", "feature")
    repository.sample.git("push", "--quiet", "--no-verify", "origin", "main", "feature")
    repository.gate("end", "T1")
    assert commit(repository, {"feature.py": "one = 1\n"}).code == 0
    repository.sample.git("push", "--quiet", "--no-verify", "origin", "feature")
    repository.sample.git("switch", "--quiet", "main")
    commit(repository, {PROFILES: rules(tests_min=1)}, "--no-verify")
    repository.sample.git("push", "--quiet", "--no-verify", "origin", "main")
    repository.sample.git("switch", "--quiet", "feature")
    repository.sample.git("rebase", "--quiet", "main")
    repository.sample.git("push", "--quiet", "--force", "origin", "feature")
    # The same for a merge, where the remote's default branch is known.
    repository.sample.git("remote", "set-head", "origin", "main")
    repository.sample.git("switch", "--quiet", "main")
    commit(repository, {PROFILES: rules(tests_min=2)}, "--no-verify")
    repository.sample.git("push", "--quiet", "--no-verify", "origin", "main")
    repository.sample.git("switch", "--quiet", "feature")
    repository.sample.git("merge", "--quiet", "--no-ff", "--no-edit", "main")
    repository.sample.git("push", "--quiet", "origin", "feature")


@pytest.mark.release
def test_a_merge_of_a_branch_that_only_this_repository_has_lands_no_policy(repository: GatedRepository) -> None:
    """A commit past the hooks loosens the policy on a branch beside, and a merge would bring it as if it had landed."""
    repository.gate("end", "T1")
    repository.sample.git("switch", "--quiet", "-c", "side")
    assert commit(repository, {PROFILES: rules(tests_min=0)}, "--no-verify").code == 0
    repository.sample.git("switch", "--quiet", "-")
    head = repository.sample.git("rev-parse", "HEAD")
    with pytest.raises(AssertionError, match="touches policy files"):
        repository.sample.git("merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert repository.sample.git("rev-parse", "HEAD") == head


def test_the_settings_of_an_agent_land_as_the_note_says(repository: GatedRepository) -> None:
    """Also where the git hooks are there already, and without an option that passes by them."""
    remote = repository.home / "remote.git"
    repository.sample.git("init", "--quiet", "--bare", str(remote))
    repository.sample.git("remote", "add", "origin", str(remote))
    assert repository.gate("end").code == 0
    assert push(repository, "--no-verify").code == 0
    installed = repository.gate("install", "--agent", "claude")
    assert "`gate uninstall`, commit, push, `gate install`" in installed.out, installed.output
    settings = {".claude/settings.json": (repository.root / ".claude/settings.json").read_text()}
    refused = commit(repository, settings)
    assert (refused.code, "policy files" in refused.err) == (1, True), refused.output
    for step in (
        lambda: repository.gate("uninstall"),
        lambda: commit(repository, settings),
        lambda: push(repository),
        lambda: repository.gate("install"),
        lambda: commit(repository, {"more.py": "more = 1\n"}),
        lambda: push(repository),
    ):
        done = step()
        assert done.code == 0, done.output


def push(repository: GatedRepository, *options: str) -> Done:
    """`git push` through the installed hooks."""
    done = subprocess.run(
        ("git", "push", "--quiet", *options, "origin", "HEAD:main"),
        cwd=repository.root, env=repository.environ(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)
