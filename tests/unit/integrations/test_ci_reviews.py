"""The reviews of a pull request as the API has them, and what a job makes of answers that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from comments_server import TOKEN, Comments, comments_server
from sample_repository import SampleRepository, clean_environ

from verigate.domain.review import Reviews
from verigate.errors import GateError, UsageError
from verigate.integrations.ci.command import run
from verigate.integrations.ci.github_reviews import read_reviews, write_reviews


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> SampleRepository:
    """A clone at the merge that GitHub makes of a pull request."""
    made = SampleRepository.create(tmp_path_factory.mktemp("clone") / "shop")
    made.write("a", "1")
    made.commit("the base")
    made.git("checkout", "--quiet", "-b", "topic")
    made.write("b", "1")
    made.commit("the change")
    made.git("checkout", "--quiet", "--detach", "main")
    made.git("merge", "--quiet", "--no-ff", "-m", "Merge", "topic")
    return made


@pytest.fixture
def api() -> Iterator[Comments]:
    with comments_server() as comments:
        yield comments


def environ(clone: SampleRepository, api: Comments, folder: Path, **more: str) -> dict[str, str]:
    own, base = {"full_name": "owner/shop"}, clone.git("rev-parse", "main")
    event = folder / "event.json"
    pull_request = {"number": 7, "head": {"repo": own}, "base": {"sha": base, "repo": own}}
    event.write_text(json.dumps({"pull_request": pull_request}))
    known = clean_environ(
        GITHUB_ACTIONS="true", GITHUB_EVENT_NAME="pull_request", GITHUB_EVENT_PATH=str(event),
        GITHUB_REF="refs/pull/7/merge", GITHUB_SHA=clone.git("rev-parse", "HEAD"), GITHUB_API_URL=api.url,
        GITHUB_SERVER_URL="https://github.example", GITHUB_REPOSITORY="owner/shop", GITHUB_TOKEN=TOKEN,
        GITHUB_WORKSPACE=str(clone.path), GITHUB_OUTPUT=str(folder / "output"), RUNNER_TEMP=str(folder),
    )  # fmt: skip
    return {**known, **more}


def review(login: str, state: str = "APPROVED", commit: str = "a" * 40, kind: str = "User") -> dict[str, Any]:
    user = {"login": login, "type": kind}
    return {"user": user, "state": state, "commit_id": commit, "submitted_at": "2026-03-10T12:00:00Z", "body": "ok"}


def test_the_reviews_of_the_change_that_is_judged(clone: SampleRepository, api: Comments, tmp_path: Path) -> None:
    api.reviews += [review("someone", "COMMENTED")] * 100
    api.reviews += [
        review("bob"), review("robot[bot]", kind="Bot"), review("Bob", "CHANGES_REQUESTED"), review("carol"),
        {**review("dave"), "user": None}, {**review("erin"), "commit_id": None}, "no review",
        review("frank", "PENDING"),
    ]  # fmt: skip
    found = msgspec.json.decode(read_reviews(environ(clone, api, tmp_path), clone.path), type=Reviews)
    assert (found.forge, found.pull_request, found.author) == ("github.example", 7, "somebody")
    assert (found.commit, found.head) == (clone.git("rev-parse", "HEAD"), clone.git("rev-parse", "topic"))
    assert [each.login for each in found.list_approving()] == ["carol"]
    assert api.calls == ["GET", "GET", "GET"]


@pytest.mark.parametrize(("status", "said"), [(401, "token is not valid"), (403, "pull-requests: read"), (500, "500")])
def test_a_refusal_is_a_warning_and_approves_nothing(
    clone: SampleRepository, api: Comments, tmp_path: Path, status: int, said: str
) -> None:
    api.refuse = status
    lines: list[str] = []
    assert write_reviews(environ(clone, api, tmp_path, INPUT_REVIEWS="true"), lines.append) == 0
    (line,) = lines
    assert line.startswith("::warning title=gate::no review approves")
    assert said in line
    assert (tmp_path / "output").read_text() == "file=\n"


def test_an_answer_that_is_no_list_is_refused(clone: SampleRepository, api: Comments, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="reviews can't be read"):
        read_reviews(environ(clone, api, tmp_path, GITHUB_REPOSITORY="owner/none"), clone.path)
    api.reviews += [review("bob")] * 2000
    with pytest.raises(UsageError, match="more than 2000 reviews"):
        read_reviews(environ(clone, api, tmp_path), clone.path)


def test_the_step_of_the_action(clone: SampleRepository, api: Comments, tmp_path: Path) -> None:
    api.reviews.append(review("bob", commit=clone.git("rev-parse", "topic")))
    lines: list[str] = []
    for wanted in ("false", "true"):
        assert write_reviews(environ(clone, api, tmp_path, INPUT_REVIEWS=wanted), lines.append) == 0
    without, made = [line.removeprefix("file=") for line in (tmp_path / "output").read_text().splitlines()]
    assert (without, lines) == ("", [])
    assert TOKEN not in Path(made).read_text()
    assert [each["login"] for each in json.loads(Path(made).read_text())["reviews"]] == ["bob"]
    with pytest.raises(GateError, match="neither true nor false"):
        write_reviews(environ(clone, api, tmp_path, INPUT_REVIEWS="yes"), lines.append)


def test_a_job_without_a_pull_request(clone: SampleRepository, api: Comments, tmp_path: Path) -> None:
    known = environ(clone, api, tmp_path)
    Path(known["GITHUB_EVENT_PATH"]).write_text("{}")
    assert read_reviews(known, clone.path) == ""
    with pytest.raises(UsageError, match="only jobs of GitHub Actions"):
        read_reviews({}, clone.path)


def test_the_command_prints_them(
    clone: SampleRepository, api: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["reviews"], environ(clone, api, tmp_path), clone.path) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "verigate:reviews.v1"
