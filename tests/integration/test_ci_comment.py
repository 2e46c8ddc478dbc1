"""The comment on a pull request: whose it is, when it is written, and what becomes of answers that are none.

Starts servers that speak the APIs of GitHub (held against its own description, from npm), Gitea and GitLab.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import npm_tools
import pytest
from comments_server import LOGIN, TOKEN, Comments, comments_server
from github_description import GithubDescription

from verigate.errors import UsageError
from verigate.integrations.ci.command import run
from verigate.integrations.ci.comment_step import put_comment, write_comment
from verigate.integrations.ci.comment_text import compose, is_ours, say_the_same
from verigate.integrations.ci.github_verify import MARK
from verigate.integrations.ci.rest_api import Refused
from verigate.reporting.markdown import spans

FORGES = ("github", "gitea", "gitlab")
OLD = f"{MARK}\nan older version wrote this"


@pytest.fixture(scope="module")
def description() -> GithubDescription:
    return GithubDescription(npm_tools.github_api())


@pytest.fixture(params=FORGES)
def comments(request: pytest.FixtureRequest, description: GithubDescription) -> Iterator[Comments]:
    """A forge. Of what is written on GitHub's, all fits GitHub's description."""
    with comments_server(request.param, description) as made:
        made.login = {"github": LOGIN, "gitea": "gitea-actions", "gitlab": "project_42_bot"}[request.param]
        yield made
        assert made.faults == []


@pytest.fixture
def github(description: GithubDescription) -> Iterator[Comments]:
    with comments_server("github", description) as made:
        yield made
        assert made.faults == []


class Job:
    """A job for a pull request of this forge."""

    def __init__(self, comments: Comments, folder: Path, number: int = 5) -> None:
        self.comments, self.report, self.number = comments, folder / "gate.md", number
        folder.mkdir(exist_ok=True)
        event = {"pull_request": {"number": 7, "head": {"sha": "a" * 40}}}
        (folder / "event.json").write_text(json.dumps(event))
        self.event = folder / "event.json"

    @property
    def environ(self) -> Mapping[str, str]:
        if self.comments.forge == "gitlab":
            return {
                "GITLAB_CI": "true", "CI_API_V4_URL": f"{self.comments.url}/api/v4", "CI_PROJECT_ID": "42",
                "CI_MERGE_REQUEST_IID": "7", "CI_PIPELINE_ID": str(self.number), "GITLAB_TOKEN": TOKEN,
                "CI_PIPELINE_URL": f"https://gitlab.example/-/pipelines/{self.number}", "CI_COMMIT_SHA": "a" * 40,
            }  # fmt: skip
        gitea = self.comments.forge == "gitea"
        return {
            "GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(self.event), "GITHUB_REPOSITORY": "owner/shop",
            "GITHUB_API_URL": f"{self.comments.url}{'/api/v1' if gitea else ''}", "GITHUB_TOKEN": TOKEN,
            "GITHUB_RUN_ID": str(self.number), "GITHUB_RUN_NUMBER": "3", "GITHUB_SERVER_URL": "https://forge.example",
            **({"GITEA_ACTIONS": "true"} if gitea else {}),
        }  # fmt: skip

    def put(self, text: str, **environ: str) -> str:
        self.report.write_text(f"{MARK}\n{text}\n")
        done = put_comment(self.report, {**self.environ, **environ}, [self.comments.url], "")
        return done.removeprefix("the comment is ")


def test_the_mark_is_the_report_s() -> None:
    assert MARK == spans.MARK


def test_it_is_written_once_updated_in_place_and_left_alone_while_it_says_the_same(
    comments: Comments, tmp_path: Path
) -> None:
    job = Job(comments, tmp_path)
    assert job.put("### FAIL") == "created"
    (body,) = comments.by(comments.login)
    assert "\n### FAIL\n\n[" in body
    assert body.endswith(f") {'a' * 40}\n")
    comments.calls.clear()
    # Another run, whose link is another one.
    assert Job(comments, tmp_path, 6).put("### FAIL") == "unchanged"
    assert comments.writes == []
    assert comments.by(comments.login) == [body]
    assert job.put("### PASS") == "updated"
    (body,) = comments.by(comments.login)
    assert "### PASS" in body


def test_a_deleted_comment_comes_back(comments: Comments, tmp_path: Path) -> None:
    job = Job(comments, tmp_path)
    job.put("### FAIL")
    comments.stored.clear()
    assert job.put("### FAIL") == "created"
    # Also if it is deleted between the two requests.
    comments.before = lambda method: comments.stored.clear() if method in {"PATCH", "PUT"} else None
    assert job.put("### PASS") == "created"
    assert len(comments.by(comments.login)) == 1


def test_it_is_found_among_many_by_its_mark_and_its_author(comments: Comments, tmp_path: Path) -> None:
    comments.add("mallory", compose(f"{MARK}\n### PASS", "[Run 1](x) y"))
    for number in range(250):
        comments.add("somebody", f"number {number}\n{MARK}")
    for body in (f"other\n{MARK}", f"> {MARK}", "", MARK[:-1]):
        comments.add(comments.login, body)
    if comments.forge == "gitlab":
        comments.add(comments.login, OLD, system=True)
    number = len(comments.stored)
    assert Job(comments, tmp_path).put("### FAIL") == "created"
    assert Job(comments, tmp_path).put("### PASS") == "updated"
    assert len(comments.stored) == number + 1
    assert "### PASS" in comments.stored[-1]["body"]
    assert len(comments.by("mallory")) == 1


def test_one_of_an_older_version_and_one_that_somebody_edited_are_written_again(
    comments: Comments, tmp_path: Path
) -> None:
    comments.add(comments.login, OLD)
    job = Job(comments, tmp_path)
    assert job.put("### FAIL") == "updated"
    assert len(comments.stored) == 1
    comments.stored[0]["body"] = comments.stored[0]["body"].replace("FAIL", "PASS")
    assert job.put("### FAIL") == "updated"
    # Forges and editors change blanks at ends, which is no change.
    comments.stored[0]["body"] = comments.stored[0]["body"].strip().replace("\n", "\r\n")
    assert job.put("### FAIL") == "unchanged"


def test_two_jobs_at_once_leave_one_comment(comments: Comments, tmp_path: Path) -> None:
    # Both have listed before either writes.
    gate = threading.Barrier(2)
    first = {"POST"}

    def wait(method: str) -> None:
        if method in first:
            gate.wait(10)

    comments.before = wait
    done: list[str] = []
    jobs = [Job(comments, tmp_path / str(number), number) for number in (5, 6)]
    threads = [threading.Thread(target=lambda job=job: done.append(job.put(f"run {job.number}"))) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert done == ["created", "created"]
    assert len(comments.stored) == 1
    assert is_ours(comments.stored[0]["body"])
    assert comments.stored[0]["id"] == 1
    comments.before = len
    # A job that was killed between its two steps leaves two; the next one leaves one.
    comments.add(comments.login, comments.stored[0]["body"])
    assert jobs[0].put("the end") == "updated"
    assert len(comments.stored) == 1
    assert "the end" in comments.stored[0]["body"]


def test_a_job_without_a_pull_request_asks_nothing(comments: Comments, tmp_path: Path) -> None:
    job = Job(comments, tmp_path)
    job.event.write_text("{}")
    assert job.put("### PASS", CI_MERGE_REQUEST_IID="") == "this job has no pull request to comment on"
    assert comments.calls == []


def test_an_answer_that_is_none_is_a_refusal(github: Comments, tmp_path: Path) -> None:
    job = Job(github, tmp_path)
    with comments_server() as other:
        with pytest.raises(Refused, match="401"):
            job.put("x", GITHUB_TOKEN="stolen")
        github.refuse, github.elsewhere = 307, f"{other.url}/repos/owner/shop/issues/7/comments"
        with pytest.raises(Refused, match="307"):
            job.put("x")
        # The token is sent to nobody else.
        assert other.calls == []
        github.refuse, github.elsewhere = 200, ""
        with pytest.raises(Refused, match="list of comments"):
            job.put("x")
        github.instead = b"[" * 100_000
        with pytest.raises(Refused, match="RecursionError"):
            job.put("x")
    github.refuse, github.instead = None, b""
    with pytest.raises(Refused, match="there is no token in GATE_COMMENT_TOKEN, GITHUB_TOKEN"):
        job.put("x", GITHUB_TOKEN="")
    with pytest.raises(Refused, match="reach the API"):
        put_comment(job.report, {**job.environ, "GITHUB_API_URL": "http://127.0.0.1:9"}, ["http://127.0.0.1:9"], "")


def test_without_tls_the_token_goes_to_no_proxy(
    github: Comments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with comments_server() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        Job(github, tmp_path).put("### PASS")
        assert proxy.calls == []
    assert len(github.stored) == 1


@pytest.mark.parametrize("allowed", [[], ["127.0.0.1"], ["https://127.0.0.1"], ["http://127.0.0.1"], ["forge.example"]])
def test_the_token_goes_to_no_host_that_nobody_named(
    comments: Comments, tmp_path: Path, allowed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    job = Job(comments, tmp_path)
    job.report.write_text(f"{MARK}\n### PASS\n")
    options = [word for host in allowed for word in ("--host", host)]
    assert run(["comment", str(job.report), *options], job.environ, tmp_path) == 2
    said = capsys.readouterr()
    assert f"the token isn't sent to '{comments.url}', which isn't known" in said.err
    assert f"--host {comments.url}" in said.err
    assert comments.calls == []
    assert TOKEN not in said.out + said.err


def test_a_host_in_the_user_s_part_of_an_address_is_not_that_host(github: Comments, tmp_path: Path) -> None:
    job = Job(github, tmp_path)
    with pytest.raises(UsageError, match="isn't known"):
        job.put("x", GITHUB_API_URL="https://api.github.com@evil.example")


def test_the_command_says_what_it_did(comments: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = Job(comments, tmp_path)
    job.report.write_text(f"{MARK}\n### PASS\n")
    command = ["comment", str(job.report), "--host", comments.url]
    assert run(command, job.environ, tmp_path) == 0
    assert capsys.readouterr().out == "gate: the comment is created\n"
    comments.refuse = 403
    assert run(command, job.environ, tmp_path) == 3
    said = capsys.readouterr()
    assert said.out.startswith("gate: no comment: the API answered 403 to GET; ")
    assert TOKEN not in said.out + said.err
    assert run(["comment"], job.environ, tmp_path) == 2
    assert "the following arguments are required: file" in capsys.readouterr().err
    assert run(["comment", str(tmp_path / "none"), *command[2:]], job.environ, tmp_path) == (
        3 if comments.forge == "gitlab" else 2
    )
    comments.refuse = None
    job.report.write_text("x" * 70_000)
    assert run(command, job.environ, tmp_path) == 2
    assert "longer than 65,300 bytes" in capsys.readouterr().err
    assert run(command, {}, tmp_path) == 2
    assert "this is no job of a forge that is known" in capsys.readouterr().err


def test_the_step_of_the_action_ends_well_also_where_it_may_not_write(github: Comments, tmp_path: Path) -> None:
    job = Job(github, tmp_path)
    job.report.write_text(f"{MARK}\n### PASS\n")
    own = {"INPUT_REPORTS": str(tmp_path), "INPUT_TOKEN": TOKEN, "INPUT_API_URL": github.url, "GITHUB_TOKEN": "another"}
    said: list[str] = []
    assert write_comment({**job.environ, **own}, said.append) == 0
    github.refuse = 403
    assert write_comment({**job.environ, **own}, said.append) == 0
    assert said[0] == "gate: the comment is created"
    assert said[1].startswith("::notice title=gate::no comment: the API answered 403 to GET; give the job ")


def test_the_digest_covers_all_but_the_link_to_the_run() -> None:
    one = compose(f"{MARK}\n### FAIL\n", "[Run 5](https://forge.example/5) abc")
    assert say_the_same(one, compose(f"{MARK}\n### FAIL\n", "[Run 6](https://forge.example/6) abc"))
    assert not say_the_same(one, compose(f"{MARK}\n### FAIL\n", "[Run 5](https://forge.example/5) abd"))
    assert not say_the_same(one.replace("FAIL", "PASS"), one)
    assert not say_the_same(one, one.replace("FAIL", "PASS"))
