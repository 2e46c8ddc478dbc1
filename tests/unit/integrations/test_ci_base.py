"""Which base a CI job compares with: tables of what the systems say, and real clones."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sample_repository import IDENTITY, SampleRepository, clean_environ

from verigate.errors import GateError, SubjectError, UsageError
from verigate.integrations.ci.base import find_base, find_proposed
from verigate.integrations.ci.change import Change, read_change
from verigate.integrations.ci.command import run
from verigate.integrations.ci.history import History
from verigate.integrations.ci.policy import find_job_ref, find_policy

A, B, ZERO = "a" * 40, "b" * 40, "0" * 40
REPOSITORY = {"default_branch": "main"}


def request(head: str | None = "owner/shop", sha: str = A) -> dict[str, Any]:
    of_head = None if head is None else {"full_name": head}
    base = {"sha": A, "ref": "next", "repo": {"full_name": "owner/shop"}}
    return {
        "repository": REPOSITORY,
        "pull_request": {"number": 7, "head": {"repo": of_head, "sha": sha}, "base": base},
    }


@pytest.mark.parametrize(
    ("environ", "payload", "expected"),
    [
        pytest.param(
            {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/7/merge", "GITHUB_SHA": B},
            request(), Change(merged=B, onto=A, target="next", default="main"), id="github pull request",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/7/merge", "GITHUB_SHA": B},
            request(sha=B), Change(onto=A, target="next", default="main"), id="a forge that doesn't merge",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_REF": "refs/heads/main", "GITHUB_SHA": B},
            request(), Change(onto=A, target="next", default="main"), id="github pull request target",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "merge_group", "GITHUB_REF": "refs/heads/gh-readonly-queue/main/pr-7"},
            {"repository": REPOSITORY, "merge_group": {"base_sha": A, "base_ref": "refs/heads/next"}},
            Change(onto=A, target="next", default="main"),
            id="github merge queue",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/a/b"}, {"repository": REPOSITORY, "before": ZERO},
            Change(branch="a/b", before=ZERO, default="main"), id="github push",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "workflow_dispatch", "GITHUB_REF": "refs/tags/v1"}, {"before": "not looked at"},
            Change(), id="github by hand",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "schedule", "GITHUB_REF": "refs/heads/main"}, {"schedule": "0 5 * * *"},
            Change(branch="main", default="main"), id="github schedule",
        ),
        pytest.param(
            {"GITLAB_CI": "true", "CI_MERGE_REQUEST_DIFF_BASE_SHA": A, "CI_COMMIT_BEFORE_SHA": ZERO,
             "CI_DEFAULT_BRANCH": "main"},
            None, Change(onto=A, default="main"), id="gitlab merge request",
        ),
        pytest.param(
            {"GITLAB_CI": "true", "CI_MERGE_REQUEST_DIFF_BASE_SHA": A, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": B,
             "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "next"},
            None, Change(onto=B, target="next"), id="gitlab merged results",
        ),
        pytest.param(
            {"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_COMMIT_BEFORE_SHA": A, "CI_DEFAULT_BRANCH": "main"},
            None, Change(branch="main", before=A, default="main"), id="gitlab push",
        ),
        pytest.param(
            {"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_COMMIT_BEFORE_SHA": ZERO},
            None, Change(branch="main"), id="gitlab schedule",
        ),
        pytest.param(
            {"BUILDKITE": "true", "BUILDKITE_PULL_REQUEST_BASE_BRANCH": "next", "BUILDKITE_BRANCH": "topic",
             "BUILDKITE_PIPELINE_DEFAULT_BRANCH": "main"},
            None, Change(target="next", branch="topic", default="main"), id="buildkite pull request",
        ),
        pytest.param(
            {"JENKINS_URL": "https://ci", "CHANGE_TARGET": "main", "BRANCH_NAME": "PR-7"},
            None, Change(target="main", branch="PR-7"), id="jenkins pull request",
        ),
        pytest.param(
            {"JENKINS_URL": "https://ci", "BRANCH_NAME": "main", "BRANCH_IS_PRIMARY": "true",
             "GIT_PREVIOUS_SUCCESSFUL_COMMIT": A},
            None, Change(branch="main", before=A, default="main"), id="jenkins main branch",
        ),
        pytest.param({}, None, Change(), id="elsewhere"),
    ],
)  # fmt: skip
def test_what_a_system_says(environ: Mapping[str, str], payload: Any, expected: Change, tmp_path: Path) -> None:
    if payload is not None:
        (tmp_path / "event.json").write_text(json.dumps(payload))
        environ = {**environ, "GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")}
    assert read_change(environ) == expected


@pytest.mark.parametrize(
    ("environ", "error"),
    [
        ({"GITHUB_ACTIONS": "true"}, UsageError),
        ({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": "/dev/null"}, UsageError),
        ({"GITLAB_CI": "true", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "--upload-pack=x"}, SubjectError),
    ],
)
def test_what_can_t_be_believed_is_an_error(environ: Mapping[str, str], error: type[GateError]) -> None:
    with pytest.raises(error):
        read_change(environ)


class Clone:
    """An origin with main (two commits) and topic (two more), and a clone of it that stands where a job would."""

    def __init__(self, folder: Path) -> None:
        self.origin = SampleRepository.create(folder / "origin")
        self.first = self.origin.commit("first")
        self.main = self.origin.commit("second")
        self.origin.git("checkout", "--quiet", "-b", "topic")
        self.topic_before = self.origin.commit("third")
        self.topic = self.origin.commit("fourth")
        self.origin.git("checkout", "--quiet", "main")
        self.ahead = self.origin.commit("main goes on")
        self.folder = folder / "clone"

    def at(self, commit: str, *options: str) -> History:
        self.origin.git("clone", "--quiet", "--no-checkout", *options, f"file://{self.origin.path}", str(self.folder))
        clone = SampleRepository(self.folder)
        clone.git("checkout", "--quiet", "--detach", commit)
        return History(self.folder, clean_environ(**IDENTITY))

    def merged(self, history: History) -> str:
        clone = SampleRepository(self.folder)
        clone.git("merge", "--quiet", "--no-ff", "-m", "merge", self.topic)
        return history.commit("HEAD")


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_a_change_is_compared_with_what_it_lands_on(clone: Clone) -> None:
    history = clone.at(clone.topic)
    empty = history.empty_tree()
    assert find_base(Change(onto=clone.ahead), history) == clone.main
    assert find_base(Change(target="main"), history) == clone.main
    # A push to a branch is compared with the default branch, so that a bad push isn't forgotten with the next one.
    pushed = Change(branch="topic", before=clone.topic_before, default="main")
    assert find_base(pushed, history) == clone.main
    assert find_base(Change(), history) == clone.main
    # A push to the default branch is compared with what was there, as far as that is still there.
    assert find_base(Change(branch="main", before=clone.topic_before, default="main"), history) == clone.topic_before
    assert find_base(Change(branch="main", before=clone.ahead, default="main"), history) == clone.main
    assert find_base(Change(branch="main", before=ZERO, default="main"), history) == empty
    # Whoever pushes an older commit is not compared with himself.
    assert find_base(Change(branch="main", before=clone.topic, default="main"), history) == clone.topic_before
    SampleRepository(clone.folder).git("checkout", "--quiet", "--detach", clone.ahead)
    assert find_base(Change(), history) == clone.main
    SampleRepository(clone.folder).git("checkout", "--quiet", "--detach", clone.first)
    assert find_base(Change(), history) == empty


def test_the_policy_is_that_of_what_a_change_lands_on_now(clone: Clone) -> None:
    history = clone.at(clone.topic)
    now = clone.origin.commit("a policy that landed since")
    tracked = "refs/remotes/origin/main"
    for change in (
        Change(onto=clone.main, target="main"),
        Change(onto=clone.main, default="main"),
        Change(target="main", branch="topic"),
        Change(branch="topic", before=clone.topic_before, default="main"),
        Change(),
    ):
        SampleRepository(clone.folder).git("update-ref", tracked, clone.first)
        assert find_policy(change, history) == tracked
        assert history.commit(tracked) == now
    # What is on the default branch already is judged by the state before; the first commit by itself.
    pushed = Change(branch="main", before=clone.topic_before, default="main")
    assert find_policy(pushed, history) == clone.topic_before
    assert find_policy(Change(branch="main", before=ZERO, default="main"), history) == clone.topic
    SampleRepository(clone.folder).git("checkout", "--quiet", "--detach", clone.ahead)
    assert find_policy(Change(), history) == clone.main
    with pytest.raises(SubjectError, match="can't be fetched"):
        find_policy(Change(target="nowhere"), history)
    for name in ("--upload-pack=touch x", "a b", "x:y", "*"):
        with pytest.raises(SubjectError):
            find_policy(Change(target=name), history)


GITLAB = {"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_SOURCE": "push"}
BUILDKITE = {"BUILDKITE": "true", "BUILDKITE_BRANCH": "main", "BUILDKITE_PIPELINE_DEFAULT_BRANCH": "main"}
JENKINS = {"JENKINS_URL": "https://ci", "BRANCH_NAME": "main", "BRANCH_IS_PRIMARY": "true"}
TARGET = "refs/remotes/origin/main"
FIRST = "it is the first push"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        pytest.param({**GITLAB, "CI_COMMIT_BEFORE_SHA": A}, A, id="gitlab push"),
        pytest.param({**GITLAB, "CI_COMMIT_BEFORE_SHA": ZERO}, FIRST, id="gitlab first push"),
        pytest.param({**GITLAB, "CI_COMMIT_BEFORE_SHA": ZERO, "CI_PIPELINE_SOURCE": "schedule"}, None, id="schedule"),
        pytest.param({**GITLAB, "CI_COMMIT_BRANCH": "topic", "CI_COMMIT_BEFORE_SHA": A}, TARGET, id="another branch"),
        pytest.param(
            {**GITLAB, "CI_DEFAULT_BRANCH": "", "CI_COMMIT_BEFORE_SHA": A}, None, id="a default branch that isn't known"
        ),
        pytest.param(BUILDKITE, FIRST, id="buildkite push"),
        pytest.param({**BUILDKITE, "BUILDKITE_SOURCE": "ui"}, None, id="buildkite by hand"),
        pytest.param({**JENKINS, "GIT_PREVIOUS_SUCCESSFUL_COMMIT": A}, A, id="jenkins"),
        pytest.param(JENKINS, FIRST, id="jenkins first build"),
        pytest.param({"JENKINS_URL": "https://ci", "CHANGE_TARGET": "main"}, TARGET, id="jenkins pull request"),
        pytest.param({}, None, id="elsewhere"),
    ],
)
def test_a_job_names_the_ref_without_being_asked(environ: Mapping[str, str], expected: str | None) -> None:
    if expected == FIRST:
        with pytest.raises(UsageError, match=FIRST):
            find_job_ref(environ)
        return
    found = find_job_ref(environ)
    assert (None if found is None else found.name) == expected


def test_only_the_system_s_own_merge_has_a_first_parent_that_counts(clone: Clone) -> None:
    history = clone.at(clone.ahead)
    merge = clone.merged(history)
    assert find_base(Change(merged=merge, onto=clone.main), history) == clone.ahead
    assert find_base(Change(merged=B, onto=clone.main), history) == clone.main
    assert find_proposed(Change(merged=merge), history) == clone.topic
    assert find_proposed(Change(merged=B), history) is None
    message = "a\n\nGate-Task: one\nGate-Task: two\nGate-Task: one"
    SampleRepository(clone.folder).git("commit", "--quiet", "--allow-empty", "-m", message)
    assert history.tasks("HEAD") == ("one", "two")
    assert history.tasks(merge) == ()


def test_what_a_clone_lacks_is_fetched_or_said(clone: Clone) -> None:
    history = clone.at("topic", "--single-branch", "--branch=topic")
    assert find_base(Change(target="main"), history) == clone.main
    with pytest.raises(SubjectError, match="can't be fetched"):
        find_base(Change(target="nowhere"), history)


def test_a_shallow_clone_has_no_base(clone: Clone) -> None:
    history = clone.at("main", "--depth=1", "--branch=main")
    for change in (Change(onto=clone.main), Change(), Change(branch="main", before=clone.main, default="main")):
        with pytest.raises(SubjectError) as caught:
            find_base(change, history)
        assert "git fetch --unshallow (GitHub: fetch-depth: 0" in str(caught.value.hint)


@pytest.mark.parametrize("cut", [("--depth=1",), ("--single-branch",)])
def test_the_remedy_for_an_unknown_default_branch_is_one_command_that_helps(clone: Clone, cut: tuple[str, ...]) -> None:
    history = clone.at("topic", *cut, "--branch=topic")
    with pytest.raises(SubjectError, match="default branch of the remote is not known") as caught:
        find_base(Change(), history)
    command = str(caught.value.hint).partition(" with: ")[2].partition(";")[0]
    subprocess.run(("sh", "-c", command), cwd=clone.folder, env=dict(history.environ), check=True)
    assert find_base(Change(), history) == clone.main


def test_the_command_line(clone: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    history = clone.at(clone.topic)
    assert run(["base"], history.environ, clone.folder) == 0
    assert capsys.readouterr().out == f"{clone.main}\n"
    assert run(["policy"], history.environ, clone.folder) == 0
    assert capsys.readouterr().out == "refs/remotes/origin/main\n"
    environ = {**history.environ, "BUILDKITE": "true", "BUILDKITE_PULL_REQUEST_BASE_BRANCH": "nowhere"}
    assert run(["--help"], {}, clone.folder) == 0
    assert capsys.readouterr().out.startswith("Usage: gate-ci ACTION\n")
    for arguments, given in ((["base"], environ), ([], {}), (["bas"], {})):
        assert run(arguments, given, clone.folder) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith("gate-ci: ")
