"""``action.yml``: valid, without what audits know of, and its steps run as the shell they are on a real repository."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from comments_server import LOGIN, TOKEN, comments_server
from composite_action import Job
from gated_repository import GatedRepository, make
from schema_checks import schema_of_a_service

from verigate.integrations.ci.github_verify import MARK

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"


def few(limit: int) -> dict[str, Any]:
    expression = f'artifacts["diff.json"].total_changes <= {limit}'
    return {"rules": [{"id": "few", "expr": expression, "message": "too many files"}]}


@pytest.fixture
def repository(tmp_path: Path) -> GatedRepository:
    plan = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
    profiles = {"code_default": few(1), "broken": {**few(9), "required_artifacts": ["my:check"]}}
    files = {"config/adapter-plan.json": plan, "config/verification.profiles.json": profiles}
    found = make(tmp_path / "made", acts={"my:check": "exit 7"}, files=files)
    found.sample.git("clone", "--quiet", "--bare", ".", str(tmp_path / "remote"))
    found.sample.git("remote", "add", "origin", str(tmp_path / "remote"))
    found.sample.git("checkout", "--quiet", "-b", "topic")
    return found


def merge(repository: GatedRepository, name: str, trailer: str = "") -> str:
    """One more file on the branch, and the merge commit that GitHub makes and checks out for it."""
    repository.sample.git("checkout", "--quiet", "topic")
    repository.put(name, name)
    repository.sample.commit(f"add {name}{trailer}")
    repository.sample.git("checkout", "--quiet", "--detach", "main")
    repository.sample.git("merge", "--quiet", "--no-ff", "-m", "Merge topic into main", "topic")
    return repository.sample.git("rev-parse", "HEAD")


def pull_request(base: str, head_repository: str = "owner/shop") -> Mapping[str, Any]:
    head, own = {"sha": "a" * 40, "repo": {"full_name": head_repository}}, {"full_name": "owner/shop"}
    return {"pull_request": {"number": 7, "head": head, "base": {"sha": base, "ref": "main", "repo": own}}}


def test_a_pull_request_from_its_first_run_to_its_last(repository: GatedRepository, tmp_path: Path) -> None:
    base, commit = repository.sample.git("rev-parse", "main"), merge(repository, "one.txt")
    with comments_server() as comments:
        environ = {
            "GITHUB_API_URL": comments.url, "GITHUB_SERVER_URL": "https://github.example", "GITHUB_RUN_ID": "5",
            "GITHUB_REPOSITORY": "owner/shop", "GITHUB_WORKSPACE": str(repository.root), "GITHUB_ACTOR": "somebody",
            "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/7/merge",
        }  # fmt: skip

        def run(name: str, event: Mapping[str, Any], commit: str, **inputs: str) -> Any:
            github = {"token": TOKEN, "workspace": str(repository.root), "api_url": comments.url}
            job = Job(ACTION, tmp_path / name, repository.environ(**environ, GITHUB_SHA=commit), github)
            ended = job.run(event, **inputs)
            assert "Traceback" not in ended.log, ended.log
            return ended

        # Somebody else's comment that looks like ours, and so many that ours is on the second page.
        comments.add("mallory", f"{MARK}\n### Gate: PASS")
        for number in range(99):
            comments.add("somebody", f"number {number}\n{MARK}")
        first = run("first", pull_request(base), commit)
        assert (first.failed, first.codes["verify"]) == (False, 0), first.log
        assert f"HEAD is compared with '{base}'" in first.log
        assert "::notice title=gate%3A PASS::implicit: " in first.log
        assert first.outputs["status"] == "pass"
        assert first.outputs["exit-code"] == "0"
        assert first.summary.startswith(f"{MARK}\n### ✅ Gate: PASS")
        # Once more, for the comment of another job at the same moment.
        assert comments.calls == ["GET", "GET", "POST", "GET", "GET"]
        (body,) = comments.by(LOGIN)
        assert body.startswith("<!-- verigate sha256:")
        assert body.split("\n")[1].startswith("### ✅ Gate: PASS")
        assert body.endswith(f"[Run 5](https://github.example/owner/shop/actions/runs/5) {'a' * 40}\n")
        reports = Path(first.outputs["reports"])
        assert sorted(file.name for file in reports.iterdir()) == [
            "gate.html", "gate.json", "gate.md", "gate.sarif", "gate.txt", "gate.xml",
        ]  # fmt: skip
        (upload,) = first.used.values()
        assert json.loads(Path(upload["sarif_file"]).read_bytes())["version"] == "2.1.0"
        assert upload["category"] == "verigate"

        comments.calls.clear()
        again = run("again", pull_request(base), commit)
        assert "gate: the comment is unchanged" in again.log
        assert comments.calls == ["GET", "GET"]

        comments.calls.clear()
        commit = merge(repository, "two.txt")
        second = run("second", pull_request(base), commit)
        assert (second.failed, second.codes["verify"]) == (True, 1), second.log
        assert second.outputs["status"] == "fail"
        assert "::error title=gate%3A FAIL::" in second.log
        assert "too many files" in second.summary
        assert comments.calls == ["GET", "GET", "PATCH"]
        (body,) = comments.by(LOGIN)
        assert body.split("\n")[1].startswith("### ❌ Gate: FAIL")
        assert comments.by("mallory") == [f"{MARK}\n### Gate: PASS"]
        assert second.used

        comments.calls.clear()
        fork = run("fork", pull_request(base, "stranger/shop"), commit)
        assert (fork.failed, fork.codes["verify"]) == (True, 1)
        assert fork.summary == second.summary
        assert (comments.calls, fork.used) == ([], {})
        assert fork.log.count("::notice") == 1
        assert "comes from a fork" in fork.log

        # The merge names no task, its second parent does.
        repository.sample.git("checkout", "--quiet", "topic")
        repository.put(".artifacts/T9/commitment.json", {"task_id": "T9", "type": "code"})
        commit = merge(repository, "three.txt", "\n\nGate-Task: T9")
        comments.refuse = 403
        forbidden = run("forbidden", pull_request(base), commit, profile="broken")
        assert (forbidden.failed, forbidden.codes["verify"]) == (True, 3), forbidden.log
        assert forbidden.codes["Comment on the pull request"] == 0
        assert forbidden.outputs["status"] == "error"
        assert "::error title=gate%3A ERROR::T9: " in forbidden.log
        assert "::notice title=gate::no comment: the API answered 403 to GET; give the job" in forbidden.log

        comments.refuse = None
        unknown = run("unknown", pull_request("b" * 40), "c" * 40)
        assert (unknown.failed, unknown.codes["verify"], unknown.outputs["status"]) == (True, 2, "none")
        (body,) = comments.by(LOGIN)
        assert "exit code 2\n\nNothing was decided, and that is not a pass.\n\n`base: the commit" in body
        assert unknown.summary.startswith(f"{MARK}\n### Gate: no verdict")
        assert "::error title=gate%3A no verdict::base: the commit " in unknown.log
        assert unknown.used == {}


@pytest.mark.release
def test_each_commit_by_itself(repository: GatedRepository, tmp_path: Path) -> None:
    """One that went past the hooks is undone by the next: the change as a whole is fine, that commit isn't."""
    base = repository.sample.git("rev-parse", "main")
    for name in ("a", "b", "c"):
        repository.put(f"{name}.txt", name)
    repository.sample.commit("three files, past the hooks")
    repository.sample.git("rm", "--quiet", "b.txt", "c.txt")
    repository.sample.git("commit", "--quiet", "-m", "two of them gone again")
    repository.sample.git("checkout", "--quiet", "--detach", "main")
    repository.sample.git("merge", "--quiet", "--no-ff", "-m", "Merge topic into main", "topic")
    environ = {
        "GITHUB_API_URL": "http://127.0.0.1:9", "GITHUB_SERVER_URL": "https://github.example", "GITHUB_RUN_ID": "5",
        "GITHUB_REPOSITORY": "owner/shop", "GITHUB_WORKSPACE": str(repository.root), "GITHUB_ACTOR": "somebody",
        "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/7/merge",
        "GITHUB_SHA": repository.sample.git("rev-parse", "HEAD"),
    }  # fmt: skip
    for asked, code, status in (("false", 0, "pass"), ("true", 1, "fail")):
        github = {"token": TOKEN, "workspace": str(repository.root)}
        job = Job(ACTION, tmp_path / asked, repository.environ(**environ), github)
        ended = job.run(pull_request(base), each_commit=asked, comment="false", sarif="false")
        assert (ended.codes["verify"], ended.outputs["status"]) == (code, status), ended.log


def test_no_condition_stands_before_the_verdict() -> None:
    steps = yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"]
    until = [step.get("id") for step in steps].index("verify")
    for step in steps[: until + 1]:
        assert not {"if", "continue-on-error"} & set(step)
    # The token is in no step that runs what the change brings, nor in one after which something of it may still run.
    assert [step["name"] for step in steps if "inputs.token" in json.dumps(step)] == [
        "Read the reviews", "Fetch the target branch", "Comment on the pull request", "Upload the findings",
    ]  # fmt: skip


def examples() -> list[Any]:
    """The YAML of the page about CI, each as its system reads it: there `on` is a word and not a truth."""
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    read = [yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    return [{"on" if key is True else key: value for key, value in document.items()} for document in read]


def test_files_and_examples_are_valid_for_the_systems_that_read_them() -> None:
    workflow, included, pipeline, shards = examples()
    for name, document in (
        ("github-actions", yaml.safe_load(ACTION.read_text("utf-8"))),
        ("github-workflows", workflow),
        ("github-workflows", shards),
        ("gitlab-ci", yaml.safe_load((ROOT / "templates" / "gitlab-ci.yml").read_text("utf-8"))),
        ("gitlab-ci", yaml.safe_load((ROOT / "templates" / "gitlab-comment.yml").read_text("utf-8"))),
        ("gitlab-ci", included),
        ("buildkite", pipeline),
    ):
        schema = schema_of_a_service(name)
        assert [str(error) for error in jsonschema_rs.validator_for(schema).iter_errors(document)] == [], name


def test_an_audit_of_the_jobs_for_shards_finds_nothing(tmp_path: Path) -> None:
    *_, shards = re.findall(
        r"^```yaml\n(.*?)^```", (ROOT / "docs" / "ci.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    workflow = tmp_path / ".github" / "workflows" / "each-commit.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text(shards)
    # A page names actions by their version, for people to read.
    config = tmp_path / "zizmor.yml"
    config.write_text('rules: {unpinned-uses: {config: {policies: {"*": ref-pin}}}}\n')
    argv = (Path(sys.executable).with_name("zizmor"), "--offline", "--no-progress", "--config", config, workflow)
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_audit_of_the_action_finds_nothing() -> None:
    options = ("--offline", "--no-progress", "--persona", "pedantic", "--strict-collection")
    done = subprocess.run(
        (Path(sys.executable).with_name("zizmor"), *options, ACTION), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_tells_inputs_and_outputs_as_they_are() -> None:
    page, action = (ROOT / "docs" / "ci.md").read_text("utf-8"), yaml.safe_load(ACTION.read_text("utf-8"))
    for head, named in (("input", action["inputs"]), ("output", action["outputs"])):
        rows = re.search(rf"^\| {head} \|.*?\n\n", page, re.MULTILINE | re.DOTALL)
        assert rows
        cells = [line.split("|")[1] for line in rows[0].strip().splitlines()[2:]]
        assert [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)] == list(named)
