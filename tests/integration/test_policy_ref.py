"""The policy of a trusted ref judges: what a change does to its own policy decides nothing about that change."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest
from gated_repository import Done, GatedRepository
from release_tests import left_for_a_release
from sample_repository import SampleRepository

from verigate.domain.policy_source import POLICY_VARIABLE

PLAN, PROFILES, POLICY = "config/adapter-plan.json", "config/verification.profiles.json", "config/policy.json"
ENTRY = {"order": ["code:tests", "code:lint"], "required": ["code:tests", "code:lint"], "optional": []}
FILES = {".gitignore": ".artifacts/\n", PLAN: {"code": ENTRY}}
STRICT = {"tests_pass": True, "tests_min": 1, "lint_clean": True}
FAILED = [{"id": "t::one", "message": "no"}]
BROKEN_TESTS = {"passed": 1, "failed": 1, "skipped": 0, "total": 2, "duration": 1.0, "failures": FAILED}
FACTS = {"tests.json": lf.GOOD["tests.json"], "lint.json": lf.GOOD["lint.json"]}
SUBJECTS = [(), ("--staged",), ("--ref", "HEAD"), ("--ref", "HEAD", "--base", "main~0")]


def make(folder: Path, facts: dict[str, Any] | None = None, **files: Any) -> GatedRepository:
    """A clone on a branch ``topic`` of a remote ``origin``, whose ``main`` has the policy."""
    made = gr.make(folder, facts or FACTS, STRICT, files={**FILES, **files})
    remote = folder / "remote.git"
    made.sample.git("init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    made.sample.git("remote", "add", "origin", str(remote))
    made.sample.git("push", "--quiet", "origin", "main")
    made.sample.git("remote", "set-head", "origin", "main")
    made.sample.git("switch", "--quiet", "-c", "topic")
    return made


@pytest.fixture
def repository(tmp_path: Path) -> GatedRepository:
    return make(tmp_path)


@pytest.fixture
def failing(tmp_path: Path) -> GatedRepository:
    """One whose tests fail, as the adapter of its policy says."""
    return make(tmp_path, {**FACTS, "tests.json": BROKEN_TESTS})


def verify(repository: GatedRepository, *arguments: str, **environ: str) -> Done:
    return repository.gate("verify", *arguments, "--json", "--quiet", **environ)


def outcome(done: Done, check: str) -> str:
    (found,) = [item for item in done.json["checks"] if item["id"] == check]
    return str(found["outcome"])


def rules(**more: object) -> dict[str, object]:
    return {"facts": more, "code_default": more}


def stage(repository: GatedRepository, arguments: tuple[str, ...]) -> None:
    """Bring what the working tree has to where this form of subject is read from."""
    repository.sample.git("add", "--all")
    if "--ref" in arguments:
        repository.sample.git("commit", "--quiet", "-m", "A change")


@pytest.mark.parametrize("arguments", SUBJECTS, ids=" ".join)
def test_every_form_of_subject_is_judged_by_the_ref(failing: GatedRepository, arguments: tuple[str, ...]) -> None:
    failing.put(PROFILES, rules(lint_clean=True))
    failing.put("work.py", "work = 1\n")
    stage(failing, arguments)
    own = verify(failing, *arguments)
    assert {item["id"] for item in own.json["checks"] if item["outcome"] == "refuted"} == {"gate.judges"}
    assert "ref" not in own.json["policy"]
    done = verify(failing, *arguments, "--policy-ref", "origin/main")
    assert done.code == 1, done.output
    assert outcome(done, "code.tests_pass") == "refuted"
    assert outcome(done, "gate.judges") == "refuted"
    commit = failing.sample.git("rev-parse", "main")
    ref = done.json["policy"]["ref"]
    assert (ref["name"], ref["commit"], ref["by"]) == ("origin/main", commit, "--policy-ref")
    assert len(ref["digest"]) == 64
    # What the change would like to be judged by is only reported.
    tried = done.json["policy"]["tried"]
    assert tried["status"] == "fail"
    assert tried["digest"] != ref["digest"]
    assert failing.published("run.json", "implicit")["policy"]["tried"] == tried
    # The record is enough to decide again, and it is part of what is decided.
    replayed = failing.gate("replay", "implicit", "--json")
    assert (replayed.code, replayed.json["agrees"]) == (1, True)
    shown = " ".join(failing.gate("show", "implicit").out.split())
    assert f"policy of origin/main ({commit[:12]}), named by --policy-ref" in shown
    assert "the change's own policy, tried as well: fail; it decides nothing" in shown


@pytest.mark.release
def test_a_range_is_judged_by_the_ref(failing: GatedRepository) -> None:
    failing.put("work.py", "work = 1\n")
    failing.sample.commit("one")
    failing.put(PROFILES, rules(lint_clean=True))
    failing.sample.commit("two")
    failing.put("work.py", "work = 2\n")
    failing.sample.commit("three")
    done = failing.gate("verify", "--range", "origin/main..HEAD", "--policy-ref", "origin/main", "--json")
    assert done.code == 1, done.output
    assert [item["status"] for item in done.json["commits"]] == ["fail", "fail", "fail"]
    assert done.json["whole"]["policy"]["ref"]["name"] == "origin/main"
    # Without it the third would have passed by the policy that the second brought.
    without = failing.gate("verify", "--range", "origin/main..HEAD", "--json")
    assert [item["status"] for item in without.json["commits"]] == ["fail", "fail", "pass"]


def test_a_change_of_policy_alone_passes_nothing_and_its_outcome_is_shown(repository: GatedRepository) -> None:
    repository.put(PROFILES, rules(tests_pass=True, tests_min=9))
    done = verify(repository, "--policy-ref", "origin/main")
    assert outcome(done, "code.tests_min") == "holds"  # by the old policy
    assert done.json["policy"]["thresholds"] == STRICT
    assert [item["check"] for item in done.json["policy"]["tried"]["reasons"]] == ["code.tests_min"]
    assert repository.published("run.json", "implicit")["policy"]["rules"] == STRICT


def test_a_broken_policy_is_reported_and_is_no_error_of_the_run(repository: GatedRepository) -> None:
    repository.put(PROFILES, '{"code_default": {"no_such_rule": 1}}')
    done = verify(repository, "--policy-ref", "origin/main")
    assert done.code == 1, done.output
    tried = done.json["policy"]["tried"]
    assert tried["status"] is None
    assert "no_such_rule" in tried["problem"]
    assert verify(repository).code == 2


def test_a_policy_that_lies_elsewhere_is_no_error_of_the_run_either(repository: GatedRepository) -> None:
    (repository.root / "config").rename(repository.root / "elsewhere")
    (repository.root / "config").symlink_to("elsewhere")
    done = verify(repository, "--policy-ref", "origin/main")
    assert (done.code, outcome(done, "gate.judges")) == (1, "refuted"), done.output
    assert "config is a symbolic link there" in done.json["policy"]["tried"]["problem"]


def test_a_plan_that_leaves_out_what_fails(failing: GatedRepository) -> None:
    failing.put(PLAN, {"code": {"order": ["code:lint"], "required": ["code:lint"], "optional": []}})
    done = verify(failing, "--policy-ref", "origin/main")
    assert outcome(done, "capability:code:tests") == "holds"
    assert outcome(done, "code.tests_pass") == "refuted"


@pytest.mark.parametrize("name", ["facts", "aaa"], ids=["the same name", "an earlier name"])
def test_an_adapter_that_says_what_the_change_likes(failing: GatedRepository, name: str) -> None:
    gr.adapter_files(failing, name, ["code:tests", "code:lint"], FACTS, {})
    own = verify(failing)
    assert outcome(own, "code.tests_pass") == "holds"
    done = verify(failing, "--policy-ref", "origin/main")
    assert outcome(done, "code.tests_pass") == "refuted"
    runs = failing.published("run.json", "implicit")["invocations"]
    assert {run["capability"]: run["adapter"] for run in runs}["code:tests"] == "facts"


@pytest.mark.release
def test_a_schema_that_is_loosened(tmp_path: Path) -> None:
    made = make(tmp_path)
    manifest = json.loads((made.root / "adapters/facts/manifest.json").read_text())
    strict = {"type": "object", "properties": {"total": {"minimum": 100}}, "required": ["total"]}
    made.sample.git("switch", "--quiet", "main")
    manifest["media_specs"] = {"my:score.v1": {"media_type": "application/json", "schema": strict}}
    output = {"path": "score.json", "media_spec": "my:score.v1"}
    manifest["capabilities"].append({"name": "my:score", "outputs": [output]})
    made.put("adapters/facts/manifest.json", manifest)
    made.put("adapters/facts/out/my:score/score.json", {"total": 1})
    order = [*ENTRY["order"], "my:score"]
    made.put(PLAN, {"code": {"order": order, "required": order, "optional": []}})
    made.sample.commit("a schema that the score doesn't meet")
    made.sample.git("push", "--quiet", "origin", "main")
    made.sample.git("switch", "--quiet", "topic")
    made.sample.git("merge", "--quiet", "--ff-only", "main")
    manifest["media_specs"]["my:score.v1"]["schema"] = {"type": "object"}
    made.put("adapters/facts/manifest.json", manifest)
    assert outcome(verify(made), "capability:my:score") == "holds"
    done = verify(made, "--policy-ref", "origin/main")
    assert (done.code, outcome(done, "capability:my:score")) == (3, "error")


def test_a_verifier_and_its_prompt_come_from_the_ref(failing: GatedRepository) -> None:
    failing.put(PROFILES, rules(tests_pass=True, verifier={"engine": "claude", "model": "mine"}))
    done = verify(failing, "--policy-ref", "origin/main")
    assert "verifier" not in done.json["policy"]["thresholds"]


def test_a_baseline_and_a_sandbox_of_the_change_open_nothing(repository: GatedRepository) -> None:
    repository.put("config/sandbox.json", {"facts": {"network": {"access": "hosts", "reason": "to look around"}}})
    done = verify(repository, "--policy-ref", "origin/main")
    assert "sandbox" not in done.json["policy"], done.output
    assert outcome(done, "gate.judges") == "refuted"


def test_a_policy_that_has_landed_is_no_change(repository: GatedRepository) -> None:
    repository.sample.git("switch", "--quiet", "main")
    repository.put(PROFILES, rules(tests_pass=True))
    repository.sample.commit("laxer, reviewed")
    repository.sample.git("push", "--quiet", "origin", "main")
    repository.sample.git("switch", "--quiet", "topic")
    repository.put("work.py", "work = 1\n")
    repository.sample.commit("work")
    repository.sample.git("merge", "--quiet", "--no-edit", "origin/main")
    base = repository.sample.git("merge-base", "topic", "main~1")
    done = verify(repository, "--ref", "HEAD", "--base", base, "--policy-ref", "origin/main")
    assert (done.code, outcome(done, "gate.judges")) == (0, "holds"), done.output
    assert "tried" not in done.json["policy"]
    # Compared with the same base, but judged by its own policy, it is blamed for what others have landed.
    assert outcome(verify(repository, "--ref", "HEAD", "--base", base), "gate.judges") == "refuted"


def test_a_branch_that_is_behind_is_judged_by_the_ref_as_it_is_now(repository: GatedRepository) -> None:
    repository.put("work.py", "work = 1\n")
    repository.sample.commit("work")
    repository.sample.git("switch", "--quiet", "main")
    repository.put(PROFILES, rules(**{**STRICT, "tests_min": 99}))
    repository.sample.commit("stricter")
    repository.sample.git("push", "--quiet", "origin", "main")
    repository.sample.git("switch", "--quiet", "topic")
    assert verify(repository, "--ref", "HEAD").code == 0
    done = verify(repository, "--ref", "HEAD", "--policy-ref", "origin/main")
    assert (outcome(done, "code.tests_min"), outcome(done, "gate.judges")) == ("refuted", "holds")
    assert "tried" not in done.json["policy"]


def test_a_loosened_policy_one_commit_before_is_not_in_force(failing: GatedRepository) -> None:
    failing.put(PROFILES, rules(lint_clean=True))
    failing.sample.commit("loosened, past the hooks")
    failing.put("work.py", "work = 1\n")
    assert verify(failing).code == 0
    assert verify(failing, "--policy-ref", "origin/main").code == 1


@pytest.mark.release
def test_the_ref_alone_says_whether_a_change_of_policy_is_allowed(repository: GatedRepository) -> None:
    repository.put(PROFILES, rules(**STRICT, allow_policy_change=True))
    repository.sample.commit("allowed itself")
    repository.put(PROFILES, rules(tests_pass=True, allow_policy_change=True))
    assert outcome(verify(repository), "gate.judges") == "holds"
    assert outcome(verify(repository, "--policy-ref", "origin/main"), "gate.judges") == "refuted"
    repository.sample.git("push", "--quiet", "origin", "HEAD:main")
    assert outcome(verify(repository, "--policy-ref", "origin/main"), "gate.judges") == "holds"


def test_the_setting_of_the_repository_can_t_be_taken_away(failing: GatedRepository) -> None:
    failing.sample.git("switch", "--quiet", "main")
    failing.put(POLICY, {"policy_ref": "origin/main"})
    failing.sample.commit("a policy ref")
    failing.sample.git("push", "--quiet", "origin", "main")
    failing.sample.git("switch", "--quiet", "topic")
    failing.sample.git("merge", "--quiet", "--ff-only", "main")
    failing.put(PROFILES, rules(lint_clean=True))
    # Removed in the change, named otherwise in the change, removed in a commit before.
    (failing.root / POLICY).unlink()
    removed = verify(failing)
    failing.put(POLICY, {"policy_ref": "topic"})
    turned = verify(failing)
    (failing.root / POLICY).unlink()
    failing.sample.commit("all of it, past the hooks")
    failing.put("work.py", "work = 1\n")
    before = verify(failing)
    for done in (removed, turned, before):
        assert outcome(done, "code.tests_pass") == "refuted", done.output
        assert done.json["policy"]["ref"]["by"] == f"{POLICY} of origin/HEAD"
    # Where the remote's default branch isn't known, the base still has it.
    failing.sample.git("remote", "set-head", "origin", "--delete")
    failing.sample.git("reset", "--quiet", "--hard", "HEAD~1")
    (failing.root / POLICY).unlink()
    done = verify(failing)
    assert (outcome(done, "code.tests_pass"), done.json["policy"]["ref"]["by"]) == ("refuted", f"{POLICY} of the base")


@pytest.mark.parametrize("named", ["topic", "origin/main", *left_for_a_release("HEAD", "refs/tags/mine")])
@pytest.mark.parametrize("arguments", SUBJECTS[:3], ids=" ".join)
def test_a_setting_that_the_change_brings_doesn_t_count(
    failing: GatedRepository, arguments: tuple[str, ...], named: str
) -> None:
    failing.put(POLICY, {"policy_ref": named})
    failing.put(PROFILES, rules(lint_clean=True))
    failing.put("work.py", "work = 1\n")
    stage(failing, arguments)
    failing.sample.git("tag", "mine")
    done = verify(failing, *arguments, "--base", "main")
    assert "ref" not in done.json["policy"]
    assert (done.code, outcome(done, "gate.judges")) == (1, "refuted"), done.output


def test_a_branch_that_is_called_head_names_no_policy(failing: GatedRepository) -> None:
    """A job that fetches ``refs/heads/*`` into an empty repository gets a pushed branch HEAD as origin/HEAD."""
    main = failing.sample.git("rev-parse", "main")
    failing.put(POLICY, {"policy_ref": "refs/remotes/origin/HEAD"})
    failing.put(PROFILES, rules(lint_clean=True))
    failing.sample.commit("loosened")
    failing.sample.git("remote", "set-head", "origin", "--delete")
    failing.sample.git("update-ref", "refs/remotes/origin/HEAD", "HEAD")
    done = verify(failing, "--ref", "HEAD", "--base", main)
    assert "ref" not in done.json["policy"]
    assert (done.code, outcome(done, "gate.judges")) == (1, "refuted"), done.output


@pytest.mark.release
@pytest.mark.parametrize("content", ["{", "[]", '{"policy_ref": 1}', '{"policy_ref": "a", "policy_ref": "b"}'])
def test_a_setting_that_can_t_be_read_ends_the_run(repository: GatedRepository, content: str) -> None:
    repository.put(POLICY, content)
    done = repository.gate("verify", "--quiet")
    assert done.code == 2
    assert f"{POLICY} of the subject can't be read" in done.err
    assert verify(repository, "--policy-ref", "origin/main").code == 1  # and a person gets out of it


def test_the_order_of_the_places(failing: GatedRepository) -> None:
    """The option, the environment, the user's own file, the repository."""
    failing.put(POLICY, {"policy_ref": "refs/remotes/origin/main"})
    failing.sample.commit("a policy ref")
    failing.sample.git("push", "--quiet", "origin", "HEAD:main")
    commit = failing.sample.git("rev-parse", "HEAD")
    failing.sample.git("tag", "policy-1", commit)
    failing.put("work.py", "work = 1\n")
    user = failing.home / ".config/verigate/policy.json"
    user.parent.mkdir(parents=True)
    user.write_text(json.dumps({"policy_refs": {str(failing.root.parent): "policy-1", "/": "nothing"}}))
    environ = {POLICY_VARIABLE: "origin/main"}
    asked = [
        verify(failing, "--policy-ref", commit, **environ),
        verify(failing, **environ),
        verify(failing),
    ]
    assert [done.json["policy"]["ref"]["by"] for done in asked] == ["--policy-ref", POLICY_VARIABLE, str(user)]
    assert {done.json["policy"]["ref"]["commit"] for done in asked} == {commit}
    # A worktree of the repository is one of its places, wherever it stands.
    apart = failing.home.parent / "elsewhere"
    user.write_text(json.dumps({"policy_refs": {str(failing.root): "policy-1"}}))
    failing.sample.git("worktree", "add", "--quiet", "--detach", str(apart))
    (apart / "work.py").write_text("work = 1\n")
    done = failing.gate("verify", "--json", "--quiet", cwd=apart)
    assert done.json["policy"]["ref"]["by"] == str(user), done.output
    user.unlink()
    assert verify(failing).json["policy"]["ref"]["name"] == "refs/remotes/origin/main"


@pytest.mark.parametrize("content", ["{", '{"policy_refs": {"relative": "main"}}', '{"policy_ref": "main"}'])
def test_a_user_s_file_that_can_t_be_used_ends_the_run(repository: GatedRepository, content: str) -> None:
    user = repository.home / ".config/verigate/policy.json"
    user.parent.mkdir(parents=True)
    user.write_text(content)
    assert repository.gate("verify").code == 2
    assert repository.gate("verify", **{POLICY_VARIABLE: ""}).code == 2


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("tag", "origin/main"),
        ("branch", "origin/main"),
        ("file", "origin/main"),
        ("tag", "main~0"),
        ("branch", "HASH"),
        ("tag", "main@{0}"),
    ],
)
def test_a_base_that_could_mean_two_commits_is_refused(repository: GatedRepository, kind: str, named: str) -> None:
    repository.put("work.py", "work = 1\n")
    repository.sample.commit("work")
    named = named.replace("HASH", repository.sample.git("rev-parse", "--short=8", "HEAD~1"))
    if kind == "file":
        (repository.root / ".git/origin").mkdir()
        (repository.root / ".git/origin/main").write_text(repository.sample.git("rev-parse", "HEAD") + "\n")
    else:
        repository.sample.git(kind, named.partition("~")[0].partition("@")[0], "HEAD")
    asked = [("--ref", "HEAD", "--base", named), ("--range", f"{named}..HEAD"), ("--ref", named), ("--base", named)]
    for arguments in asked:
        done = repository.gate("verify", "--quiet", *arguments)
        assert (done.code, "is ambiguous" in done.err) == (2, True), (arguments, done.output)
    assert repository.gate("verify", "--quiet", "--range", "refs/remotes/origin/main..HEAD").code == 0
    refused = repository.gate("start", "t1", "--base", named)
    assert (refused.code, "is ambiguous" in refused.err) == (2, True), refused.output


def test_what_runs_in_a_trial_has_no_network(repository: GatedRepository) -> None:
    """The adapter that the change brings asks for the network; it says by a file whether it has one."""
    manifest = json.loads((repository.root / "adapters/facts/manifest.json").read_text())
    manifest["sandbox"]["network"] = True
    repository.put("adapters/facts/manifest.json", manifest)
    script = (
        "python3 - <<'END'\nimport socket\nnames = [name for _, name in socket.if_nameindex()]\n"
        "raise SystemExit(0 if names == ['lo'] else 9)\nEND\n"
    )
    repository.put("adapters/facts/acts/code:tests", script)
    done = verify(repository, "--policy-ref", "origin/main")
    assert done.json["policy"]["tried"]["status"] == "fail", done.output
    # "gate.judges" alone: every capability ran, and none saw a network.
    assert done.json["policy"]["tried"]["reasons"] == []
    own = verify(repository)
    assert outcome(own, "capability:code:tests") == "error", own.output


def test_a_trial_opens_nothing_even_where_the_ref_allows_a_change_of_policy(repository: GatedRepository) -> None:
    repository.put(PROFILES, rules(**STRICT, allow_policy_change=True))
    repository.sample.commit("changes of policy are allowed")
    repository.sample.git("push", "--quiet", "origin", "HEAD:main")
    (repository.home / "secret").write_text("s3cret")
    bind = {"path": str(repository.home / "secret"), "reason": "to look around"}
    repository.put("config/sandbox.json", {"facts": {"bind": [bind]}})
    repository.put("adapters/facts/acts/code:tests", f"[ ! -e {repository.home}/secret ]\n")
    done = verify(repository, "--policy-ref", "origin/main")
    # Its act sees no file that the grant would have opened, so it ends well.
    assert done.json["policy"]["tried"]["status"] == "pass", done.output
    assert outcome(done, "gate.judges") == "holds"


def test_it_is_planned_and_explained_by_the_ref(failing: GatedRepository) -> None:
    failing.put(PLAN, {"code": {"order": ["code:lint"], "required": ["code:lint"], "optional": []}})
    planned = failing.gate("plan", "--json", "--policy-ref", "origin/main")
    assert [item["name"] for item in planned.json["capabilities"]] == ["code:tests", "code:lint"]
    assert planned.json["policy_ref"]["name"] == "origin/main"


def test_a_run_by_another_policy_is_not_reused(repository: GatedRepository) -> None:
    repository.put("work.py", "work = 1\n")
    repository.sample.git("add", "--all")
    hook = ("git-hook", "pre-commit")
    assert repository.gate(*hook, **{POLICY_VARIABLE: "origin/main"}).code == 0
    again = verify(repository, "--staged", "--touched", **{POLICY_VARIABLE: "origin/main"})
    assert all(run["cached"] for run in repository.published("run.json", "implicit")["invocations"]), again.output
    other = verify(repository, "--staged", "--touched", **{POLICY_VARIABLE: repository.sample.git("rev-parse", "HEAD")})
    assert other.code == 0


@pytest.mark.release
def test_git_hooks_judge_by_the_ref(failing: GatedRepository) -> None:
    """pre-commit and pre-push pass nothing on: the setting is found by the gate itself."""
    assert failing.gate("install").code == 0
    failing.put(PROFILES, rules(lint_clean=True))
    failing.sample.git("add", "--all")
    failing.sample.git("commit", "--quiet", "--no-verify", "-m", "loosened")
    failing.put("work.py", "work = 1\n")
    failing.sample.git("add", "--all")
    environ = failing.environ(**{POLICY_VARIABLE: "origin/main"})
    committed = subprocess.run(
        ("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "-m", "A change"),
        cwd=failing.root, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert committed.returncode == 1, committed.stderr
    failing.sample.git("commit", "--quiet", "--no-verify", "-m", "A change")
    pushed = subprocess.run(
        ("git", "push", "origin", "topic"), cwd=failing.root, env=environ, capture_output=True, text=True, check=False
    )
    assert pushed.returncode == 1, pushed.stderr
    assert "tests_pass" in pushed.stdout + pushed.stderr


def test_a_plain_folder_has_no_ref(tmp_path: Path) -> None:
    made = gr.GatedRepository(SampleRepository(tmp_path / "plain"), tmp_path / "home")
    made.tmp.mkdir(parents=True)
    made.put(PROFILES, rules(lint_clean=True))
    done = made.gate("verify", "--policy-ref", "origin/main")
    assert (done.code, "this is not a git repository" in done.err) == (2, True), done.output


@pytest.mark.release
def test_doctor_names_the_ref_and_its_hooks_are_still_tried(repository: GatedRepository) -> None:
    """The private clone in which the doctor tries hooks has a policy of its own, whatever is named."""
    repository.sample.git("switch", "--quiet", "main")
    repository.put(POLICY, {"policy_ref": "origin/main"})
    repository.sample.commit("a policy ref")
    repository.sample.git("push", "--quiet", "origin", "main")
    assert repository.gate("install").code == 0
    found = {item["code"]: item for item in repository.gate("doctor", "--json").json["checks"]}
    commit = repository.sample.git("rev-parse", "main")[:12]
    assert found["policy"]["message"] == f"policy is read from origin/main ({commit}), named by {POLICY} of origin/HEAD"
    blocking = [found[f"blocks.{hook}"]["level"] for hook in ("pre-commit", "commit-msg", "pre-push")]
    assert blocking == ["info"] * 3, found
    missing = repository.gate("doctor", "--json", **{POLICY_VARIABLE: "origin/gone"})
    (problem,) = [item for item in missing.json["checks"] if item["code"] == "policy"]
    assert (problem["level"], problem["hint"]) == ("error", "git fetch origin gone")


def event_of(repository: GatedRepository, target: str | None, ref: str, **payload: str) -> dict[str, str]:
    """The variables of a job of GitHub in the checkout of this repository."""
    event = repository.home / "event.json"
    request = {} if target is None else {"pull_request": {"base": {"sha": "a" * 40, "ref": target}}}
    event.write_text(json.dumps({"repository": {"default_branch": "main"}, **request, **payload}))
    return {
        "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(repository.root), "GITHUB_EVENT_PATH": str(event),
        "GITHUB_EVENT_NAME": "push" if target is None else "pull_request", "GITHUB_REF": ref, "GITHUB_SHA": "b" * 40,
    }  # fmt: skip


def test_a_job_of_ci_is_judged_by_its_target_branch_without_being_asked(failing: GatedRepository) -> None:
    failing.put(PROFILES, rules(lint_clean=True))
    commit = failing.sample.commit("loosened")
    for target, ref in (("main", "refs/pull/7/merge"), (None, "refs/heads/topic")):
        done = verify(failing, "--ref", commit, **event_of(failing, target, ref))
        named = done.json["policy"]["ref"]
        assert (named["name"], named["by"]) == ("refs/remotes/origin/main", "the target branch of the CI job")
        assert outcome(done, "code.tests_pass") == "refuted"
    # Elsewhere on the machine it is another repository.
    elsewhere = {**event_of(failing, "main", "refs/pull/7/merge"), "GITHUB_WORKSPACE": str(failing.home)}
    assert "ref" not in verify(failing, "--ref", commit, **elsewhere).json["policy"]
    # A checkout without that branch gets no verdict, and no neutral end: exit code 2, with what to try.
    missing = failing.gate("verify", "--ref", commit, "--quiet", **event_of(failing, "next", "refs/pull/7/merge"))
    assert missing.code == 2
    assert "try: git fetch origin next" in missing.err


def test_a_push_to_the_default_branch_is_judged_by_the_commit_before_it(failing: GatedRepository) -> None:
    before = failing.sample.git("rev-parse", "main")
    failing.put(PROFILES, rules(lint_clean=True))
    failing.sample.commit("loosened")
    failing.put("work.py", "work = 1\n")
    commit = failing.sample.commit("and used")
    pushed = event_of(failing, None, "refs/heads/main", before=before)
    done = verify(failing, "--ref", commit, **pushed)
    named = done.json["policy"]["ref"]
    assert (named["commit"], named["by"]) == (before, "the CI job, as the commit before the push")
    assert (outcome(done, "code.tests_pass"), outcome(done, "gate.judges")) == ("refuted", "refuted")
    # The whole push is looked at, not its last commit alone.
    assert (done.json["subject"]["base"], done.json["subject"]["base_by"]) == (
        before,
        "where the work left the policy ref",
    )
    # The first push has nothing before it, and a forced push a commit that the clone may not have.
    first = failing.gate(
        "verify", "--ref", commit, "--quiet", **event_of(failing, None, "refs/heads/main", before="0" * 40)
    )
    said = " ".join(first.err.split())
    assert (first.code, "it is the first push" in said, "--policy-ref HEAD" in said) == (2, True, True), said
    gone = "c" * 40
    forced = failing.gate(
        "verify", "--ref", commit, "--quiet", **event_of(failing, None, "refs/heads/main", before=gone)
    )
    assert (forced.code, f"try: git fetch origin {gone}" in forced.err) == (2, True), forced.err
    # A schedule lands nothing: there the repository's own setting counts, as anywhere.
    scheduled = {**event_of(failing, None, "refs/heads/main"), "GITHUB_EVENT_NAME": "schedule"}
    assert "ref" not in verify(failing, "--ref", commit, **scheduled).json["policy"]


def test_a_forced_push_is_judged_by_what_it_replaced(failing: GatedRepository) -> None:
    first = failing.sample.git("rev-parse", "main")
    failing.put("kept.py", "kept = 1\n")
    before = failing.sample.commit("was on main, and is replaced")
    failing.sample.git("reset", "--quiet", "--hard", first)
    failing.put("work.py", "work = 1\n")
    commit = failing.sample.commit("takes its place")
    done = verify(failing, "--ref", commit, **event_of(failing, None, "refs/heads/main", before=before))
    assert done.json["policy"]["ref"]["commit"] == before
    assert done.json["subject"]["base"] == first
    assert outcome(done, "code.tests_pass") == "refuted"


def test_a_task_begins_by_the_policy_of_the_ref(repository: GatedRepository) -> None:
    """What the working tree says of types and profiles counts neither there nor in the verdict."""
    repository.put(PLAN, {"code": ENTRY, "mine": ENTRY})
    repository.put(PROFILES, {**rules(**STRICT), "mine": {"lint_clean": True}})
    own = repository.gate("start", "T1", "--type", "mine", "--profile", "mine")
    assert own.code == 0, own.output
    refused = repository.gate("start", "T2", "--type", "mine", **{POLICY_VARIABLE: "origin/main"})
    assert (refused.code, "mine" in refused.err) == (2, True), refused.output
    # A setting of the repository counts once it has landed.
    repository.sample.git("stash", "--quiet", "--include-untracked")
    repository.put(POLICY, {"policy_ref": "origin/main"})
    repository.sample.commit("a policy ref")
    repository.sample.git("push", "--quiet", "origin", "HEAD:main")
    repository.sample.git("fetch", "--quiet", "origin")
    repository.sample.git("stash", "pop", "--quiet")
    assert repository.gate("start", "T2", "--profile", "mine").code == 2
    begun = repository.gate("start", "T2", "--json")
    assert begun.code == 0, begun.output
    assert begun.json["policy_ref"]["commit"] == repository.sample.git("rev-parse", "origin/main")
    missing = repository.gate("start", "T3", **{POLICY_VARIABLE: "origin/gone"})
    assert (missing.code, "git fetch origin gone" in missing.err) == (2, True), missing.output
    assert not (repository.root / ".artifacts/T3").exists()
