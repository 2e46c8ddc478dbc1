"""Which edits of a pipeline change the job that calls the gate."""

from __future__ import annotations

import pytest

from verigate.subject.gate_jobs import find_changed_gate_jobs, read_judging_part

WORKFLOW = """\
on: pull_request
jobs:
  tests:
    runs-on: ubuntu-latest
    steps:
      - run: make test
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: verigate/verigate@v1
        with:
          profile: code_strict
      - run: gate verify --ref HEAD --base origin/main
"""
GITLAB = "stages: [check]\ntests:\n  script: [make test]\ngate:\n  script: [gate verify --ref HEAD]\n"
JENKINS = "pipeline { stages { stage('gate') { steps { sh 'gate verify --ref HEAD' } } } }\n"
GITHUB_FILE = ".github/workflows/ci.yml"


def changed(path: str, before: str | None, after: str | None) -> bool:
    sides = [None if text is None else text.encode() for text in (before, after)]
    return find_changed_gate_jobs([path], lambda _: sides[0], lambda _: sides[1]) == (path,)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("      - uses: verigate", "      - continue-on-error: true\n        uses: verigate"),
        ("code_strict", "code"),
        ("origin/main", "HEAD~1"),
        ("      - run: gate verify --ref HEAD --base origin/main\n", ""),
        ("on: pull_request", "on: workflow_dispatch"),
        ("  gate:\n", "  gate:\n    if: false\n"),
        ("      - uses: actions/checkout@v4\n", "      - uses: actions/checkout@v4\n      - run: rm -rf config\n"),
        ("verigate@v1", "verigate@main"),
        ("jobs:", "jobs: {"),
    ],
)
def test_an_edit_of_the_gates_job_is_found(old: str, new: str) -> None:
    assert old in WORKFLOW
    assert changed(GITHUB_FILE, WORKFLOW, WORKFLOW.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("make test", "make check"),
        ("checkout@v4", "checkout@v5"),
        ("on: pull_request", "# gate verify was here\non: pull_request"),
        ("jobs:\n", "jobs:\n  docs:\n    steps: [{ run: make docs }]\n"),
    ],
)
def test_an_edit_of_another_job_is_none(old: str, new: str) -> None:
    assert old in WORKFLOW
    assert not changed(GITHUB_FILE, WORKFLOW, WORKFLOW.replace(old, new))


def test_other_pipelines_are_read_too() -> None:
    assert changed(".gitlab-ci.yml", GITLAB, GITLAB.replace("HEAD]", "HEAD]\n  allow_failure: true"))
    assert changed(".gitlab-ci.yml", GITLAB, None)
    assert not changed(".gitlab-ci.yml", GITLAB, GITLAB.replace("make test", "make check"))
    assert changed("Jenkinsfile", JENKINS, JENKINS.replace("HEAD'", "HEAD || true'"))
    assert not changed("src/ci.yml", GITLAB, None)


def test_a_job_that_is_new_and_a_comment_call_no_judge() -> None:
    assert not changed(GITHUB_FILE, None, WORKFLOW)
    assert read_judging_part(b"on: push\n# gate verify\njobs: {}\n") is None
    assert read_judging_part(b"on: push\njobs:\n  a:\n    steps: [{ run: make investigate }]\n") is None


def test_a_deep_document_ends() -> None:
    deep = f"on: push\njobs:\n  a: {'[' * 200}gate verify{']' * 200}\n"
    assert read_judging_part(deep.encode()) is not None
