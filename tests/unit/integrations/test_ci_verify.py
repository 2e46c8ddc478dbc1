"""What the gate is called with by a job of GitHub: nothing that a commit or an input says is a word of its own."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from sample_repository import IDENTITY, SampleRepository, clean_environ

from verigate.integrations.ci.github_fetch import fetch
from verigate.integrations.ci.github_verify import GATE, verify
from verigate.integrations.ci.pull_request import read_pull_request


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A job for a pull request whose one commit names a task that reads like an option."""
    repository = SampleRepository.create(tmp_path / "repository")
    base = repository.commit("base")
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "remote"))
    repository.git("remote", "add", "origin", str(tmp_path / "remote"))
    repository.git("checkout", "--quiet", "-b", "topic")
    repository.commit("work\n\nGate-Task: --advisory")
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "topic")
    own = {"full_name": "o/r"}
    event = {"pull_request": {"number": 1, "head": {"repo": own}, "base": {"sha": base, "ref": "main", "repo": own}}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    return clean_environ(
        **IDENTITY,
        GITHUB_ACTIONS="true", GITHUB_EVENT_NAME="pull_request", GITHUB_EVENT_PATH=str(tmp_path / "event.json"),
        GITHUB_REF="refs/pull/1/merge", GITHUB_SHA=repository.git("rev-parse", "HEAD"),
        GITHUB_WORKSPACE=str(repository.path), RUNNER_TEMP=str(tmp_path), GITHUB_OUTPUT=str(tmp_path / "output"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"), INPUT_COMMENT="true", INPUT_SARIF="true",
        INPUT_EACH_COMMIT="false", BASE=base,
    )  # fmt: skip


def ended(environ: Mapping[str, str]) -> tuple[int, Sequence[str], Mapping[str, str], str, Mapping[str, str]]:
    """Exit code, arguments and variables of the gate, what was said, and the outputs."""
    called: list[tuple[Sequence[str], Mapping[str, str]]] = []
    said: list[str] = []

    def run(argv: Sequence[str], folder: Path, more: Mapping[str, str]) -> int:
        assert folder == Path(environ["GITHUB_WORKSPACE"])
        called.append((argv, more))
        return 2

    code = verify(environ, run, said.append)
    lines = Path(environ["GITHUB_OUTPUT"]).read_text("utf-8").splitlines()
    argv, more = called[0] if called else ((), {})
    return code, argv, more, "\n".join(said), dict(line.split("=", 1) for line in lines)


def test_the_gate_reads_title_and_body_from_the_event(environ: dict[str, str]) -> None:
    event = json.loads(Path(environ["GITHUB_EVENT_PATH"]).read_bytes())
    event["pull_request"] |= {"title": "Skip \ud800 a test", "body": "Weakens: --advisory\r\n"}
    Path(environ["GITHUB_EVENT_PATH"]).write_text(json.dumps(event))
    _, argv, _, _, _ = ended(environ)
    (file,) = Path(environ["RUNNER_TEMP"]).glob("verigate-request-*/request.md")
    assert f"--pull-request={file}" in argv
    assert file.read_bytes() == b"Skip ? a test\n\nWeakens: --advisory\r\n"


@pytest.mark.parametrize(
    ("variables", "text"),
    [
        ({}, ""),
        ({"GITLAB_CI": "true"}, ""),
        ({"GITLAB_CI": "true", "CI_MERGE_REQUEST_TITLE": "Skip"}, "Skip"),
        (
            {"GITLAB_CI": "true", "CI_MERGE_REQUEST_TITLE": "Skip", "CI_MERGE_REQUEST_DESCRIPTION": "Why\nnot"},
            "Skip\n\nWhy\nnot",
        ),
        ({"CI_MERGE_REQUEST_TITLE": "not of a job of GitLab"}, ""),
    ],
)
def test_a_job_of_another_system_has_a_pull_request_where_it_tells_one(variables: Mapping[str, str], text: str) -> None:
    assert read_pull_request(variables) == text


def test_a_task_and_inputs_that_read_like_options_are_none(environ: dict[str, str]) -> None:
    code, argv, more, _, outputs = ended({**environ, "INPUT_PROFILE": "--advisory"})
    (request,) = Path(environ["RUNNER_TEMP"]).glob("verigate-request-*/request.md")
    assert argv[: len(GATE) + 1] == (*GATE, "verify")
    assert [word for word in argv if word.startswith("--") and word != "--format"] == [
        "--ref=HEAD", f"--base={environ['BASE']}", "--policy-ref=refs/remotes/origin/main", "--stage=ci",
        f"--pull-request={request}", "--profile=--advisory",
    ]  # fmt: skip
    assert "--" not in argv
    assert more == {"GATE_TASK_ID": "--advisory"}
    assert (code, outputs["status"], outputs["comment"], outputs["sarif"]) == (2, "none", "true", "false")


@pytest.mark.parametrize(
    ("more", "named", "told"),
    [
        ({"INPUT_TASK": "mine", "GATE_TASK_ID": "other"}, {"GATE_TASK_ID": "mine"}, ""),
        ({"GATE_TASK_ID": "other"}, {"GATE_TASK_ID": "other"}, ""),
        ({"INPUT_BASE": "x\n::warning::y"}, {"GATE_TASK_ID": "--advisory"}, "compared with 'x\\n::warning::y'"),
        ({"INPUT_POLICY_REF": "--advisory"}, {"GATE_TASK_ID": "--advisory"}, "by the policy of '--advisory'"),
        ({"INPUT_COMMENT": "yes"}, {}, "comment: 'yes' is neither true nor false"),
        ({"GITHUB_EVENT_PATH": "/dev/null"}, {}, "GITHUB_EVENT_PATH: the event can't be read"),
        ({"INPUT_WORKING_DIRECTORY": "nowhere"}, {}, "can't be run"),
    ],
)
def test_what_the_job_says(
    more: Mapping[str, str], named: Mapping[str, str], told: str, environ: dict[str, str]
) -> None:
    code, _, given, said, outputs = ended({**environ, **more})
    assert (code, outputs["exit-code"], given) == (2, "2", named)
    assert told in said
    assert [line for line in said.splitlines() if line.startswith("::")] == [said.splitlines()[-1]]
    assert said.splitlines()[-1].startswith("::error title=gate%3A no verdict::")
    assert "exit code 2" in Path(environ["GITHUB_STEP_SUMMARY"]).read_text("utf-8")


def test_the_target_branch_is_fetched_as_it_is_now(environ: dict[str, str], tmp_path: Path) -> None:
    """The event's commit is old by the time that a job runs, and the clone holds what it held at its start."""
    other = SampleRepository(tmp_path / "other")
    other.path.mkdir()
    other.git("clone", "--quiet", str(tmp_path / "remote"), ".")
    new = other.commit("a policy that landed since")
    other.git("push", "--quiet", "origin", "HEAD:main")
    clone = SampleRepository(Path(environ["GITHUB_WORKSPACE"]))
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    ended(environ)
    assert clone.git("rev-parse", "refs/remotes/origin/main") == new


def test_a_target_branch_that_can_t_be_fetched_is_no_verdict(environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "remote").rename(tmp_path / "gone")
    code, argv, _, said, outputs = ended(environ)
    assert (code, argv, outputs["status"]) == (2, (), "none")
    assert "the branch 'main' can't be fetched" in said
    assert "git fetch origin 'main'" in said
    # Nor does the step that has the token decide anything; what it fetched is taken.
    assert fetch(environ, [].append) == 0
    (tmp_path / "gone").rename(tmp_path / "remote")
    assert fetch(environ, [].append) == 0
    assert Path(environ["GITHUB_OUTPUT"]).read_text("utf-8").splitlines()[-1] == "fetched=refs/remotes/origin/main"
    (tmp_path / "remote").rename(tmp_path / "gone")
    assert ended({**environ, "INPUT_FETCHED": "refs/remotes/origin/main"})[1]
    assert not ended({**environ, "INPUT_FETCHED": "refs/remotes/origin/other"})[1]


def test_the_token_is_sent_to_the_server_of_the_job_alone(environ: dict[str, str], tmp_path: Path) -> None:
    """git itself says what it would send, and to whom; nothing of it stands in the configuration of the clone."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    real = shutil.which("git", path=environ["PATH"])
    ask = f"{real} config --get-urlmatch http.extraheader"
    program.write_text(
        f"#!/bin/sh\n{ask} https://github.example/o/r >{tmp_path}/own\n{ask} https://elsewhere/o/r >{tmp_path}/other\n"
        f'echo "$@" >{tmp_path}/argv\nexec {real} "$@"\n'
    )
    program.chmod(0o755)
    given = {"INPUT_TOKEN": "s3cret", "GITHUB_SERVER_URL": "https://github.example"}
    assert fetch({**environ, **given, "PATH": f"{program.parent}:{environ['PATH']}"}, [].append) == 0
    secret = base64.b64encode(b"x-access-token:s3cret").decode()
    assert (tmp_path / "own").read_text() == f"AUTHORIZATION: basic {secret}\n"
    assert (tmp_path / "other").read_text() == ""
    assert secret not in (tmp_path / "argv").read_text()
    assert secret not in Path(environ["GITHUB_WORKSPACE"], ".git/config").read_text()
