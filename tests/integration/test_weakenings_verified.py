"""Weakenings on a real repository: where a line stands, who calls, and that a replay decides the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from sample_repository import SampleRepository

REASON = "the service is shut down"
TEST = """\
import pytest


def test_total():
    assert sum([2, 3]) == 5


def test_rate():
    assert round(1.08, 1) == 1.1
"""
SKIPPED = TEST.replace("def test_rate", "@pytest.mark.skip\ndef test_rate")
HOOK = "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"
MARK = "Co-authored-by: Claude <noreply@anthropic.com>"
ORDER = ["code:diff", "code:integrity"]
PLAN = {name: {"order": ORDER, "required": ORDER, "optional": []} for name in ("code", "facts")}
ASKS = {"integrity": True, "weakening": "disclose"}
PROFILES = {"code_default": ASKS, "facts": ASKS, "strict": {**ASKS, "weakening": "refuse"}}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A repository whose policy and test are the base."""
    found = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    found.put("config/adapter-plan.json", PLAN)
    found.put("config/verification.profiles.json", PROFILES)
    found.put("test_shop.py", TEST)
    found.sample.commit("the base")
    return found


def verify(repository: gr.GatedRepository, *arguments: str, task_id: str | None = None) -> Any:
    """Verify, check that a replay decides the same from the evidence alone, and return the verdict."""
    named = () if task_id is None else (task_id,)
    done = repository.gate("verify", *named, "--quiet", "--json", *arguments)
    again = repository.gate("replay", task_id or "implicit", "--json")
    assert again.json["agrees"], again.output
    assert again.code == done.code
    return done.json


def commit(repository: gr.GatedRepository, message: str) -> None:
    repository.put("test_shop.py", SKIPPED)
    repository.sample.git("commit", "--quiet", "--all", "--message", message)


def line(repository: gr.GatedRepository) -> str:
    """The line that the gate prints, with a reason."""
    (found,) = verify(repository, "--ref", "HEAD")["weakenings"]["listed"]
    return str(found["line"]).replace("…", REASON)


def account(verdict: Any) -> tuple[str, Any]:
    """The status, and what accounts for the weakening."""
    (found,) = verdict["weakenings"]["listed"]
    return verdict["status"], found["accounted"]


def test_a_weakening_in_ci(repository: gr.GatedRepository, tmp_path: Path) -> None:
    commit(repository, "Skip a test")
    said, request = line(repository), tmp_path / "request.md"

    assert account(verify(repository, "--ref", "HEAD")) == ("fail", None)

    request.write_text(f"Skip\n\n{said}\n")
    by_request = verify(repository, "--ref", "HEAD", "--pull-request", str(request))
    assert account(by_request) == ("pass", {"by": "disclosure", "reference": "pull request"})
    assert by_request["weakenings"]["listed"][0]["reason"] == REASON

    request.write_text(f"Skip\n\n<!--\n{said}\n-->\n")
    assert account(verify(repository, "--ref", "HEAD", "--pull-request", str(request))) == ("fail", None)

    repository.sample.git("commit", "--quiet", "--amend", "--message", f"Skip a test\n\n{said}")
    tip = repository.sample.git("rev-parse", "HEAD")
    by_commit = verify(repository, "--ref", "HEAD")
    assert account(by_commit) == ("pass", {"by": "disclosure", "reference": f"commit {tip}"})
    check = next(each for each in by_commit["checks"] if each["id"].startswith("weakening:"))
    assert check["accounted"] == {"by": "disclosure", "reference": f"commit {tip}"}

    assert account(verify(repository, "--ref", "HEAD", "--profile", "strict")) == ("fail", None)

    repository.put("notes.txt", "more\n")
    repository.sample.commit(f"More\n\n{MARK}")
    marked = verify(repository, "--ref", "HEAD", "--base", "HEAD~2")
    assert account(marked) == ("fail", None)
    assert len(marked["weakenings"]["agent_marks"]) == 1
    pushed = verify(repository, "--ref", "HEAD", "--base", "HEAD~2", "--stage", "push")
    assert account(pushed)[0] == "pass"


def test_an_exact_revert_discloses_what_comes_back_with_it(repository: gr.GatedRepository) -> None:
    git = repository.sample.git
    commit(repository, "Skip a test")
    repository.put("test_shop.py", TEST)
    git("commit", "--quiet", "--all", "--message", "Run the test again")
    git("revert", "--no-edit", "HEAD")
    tip = git("rev-parse", "HEAD")
    found = verify(repository, "--ref", "HEAD")
    assert account(found) == ("pass", {"by": "disclosure", "reference": f"commit {tip}"})
    assert found["weakenings"]["listed"][0]["reason"].startswith("This reverts commit ")
    assert account(verify(repository, "--ref", "HEAD", "--profile", "strict")) == ("fail", None)

    repository.put("notes.txt", "more\n")
    git("add", "notes.txt")
    git("commit", "--quiet", "--amend", "--no-edit")
    assert account(verify(repository, "--ref", "HEAD")) == ("fail", None)  # it does more than that


@pytest.mark.release
@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("Skip test_rate: the service is shut down", 0),
        ("Tidy\n\nSkips the rate test, as the service is shut down.", 0),
        ("Skip tests", 1),
        ("Some cleanup of test_rate", 1),
        ("Do not skip test_rate", 1),
        ("Skip 2 rate tests", 1),
        ("Tidy\n\n> Skip test_rate", 1),
        ("Tidy\n\n```\nSkip test_rate\n```", 1),
        (f"Skip test_rate\n\n{MARK}", 1),
    ],
)
def test_prose_discloses_what_it_names(repository: gr.GatedRepository, message: str, code: int) -> None:
    commit(repository, message)
    found = verify(repository, "--ref", "HEAD", "--base", "HEAD~1", "--stage", "ci")
    assert (found["status"] == "pass") is (code == 0), found["reasons"]
    accounted = [check["accounted"]["by"] for check in found["checks"] if check.get("accounted")]
    assert ("disclosure" in accounted) is (code == 0)


@pytest.mark.release
def test_prose_is_refused_where_the_profile_refuses(repository: gr.GatedRepository) -> None:
    commit(repository, "Skip test_rate: the service is shut down")
    found = verify(repository, "--ref", "HEAD", "--base", "HEAD~1", "--stage", "ci", "--profile", "strict")
    assert found["status"] == "fail"


@pytest.mark.release
def test_a_line_survives_a_rebase_and_is_void_once_the_test_changes(repository: gr.GatedRepository) -> None:
    commit(repository, "Skip a test")
    said = line(repository)
    repository.sample.git("commit", "--quiet", "--amend", "--message", f"Skip a test\n\n{said}")
    repository.sample.git("branch", "topic")
    repository.sample.git("reset", "--quiet", "--hard", "HEAD~1")
    repository.put("test_shop.py", f'"""Another first line."""\n\n{TEST}')
    repository.sample.commit("Something else")
    repository.sample.git("rebase", "--quiet", "HEAD", "topic")
    assert account(verify(repository, "--ref", "HEAD"))[0] == "pass"

    repository.put("test_shop.py", repository.root.joinpath("test_shop.py").read_text().replace("1.08", "1.09"))
    repository.sample.commit("Change it again")
    after = verify(repository, "--ref", "HEAD", "--base", "HEAD~2")
    assert after["status"] == "fail"
    assert "it changed since" in after["weakenings"]["listed"][0]["note"]


def test_a_claim_counts_before_the_commit_and_not_in_ci(repository: gr.GatedRepository) -> None:
    repository.begin(task_type="facts")
    repository.put("test_shop.py", SKIPPED)
    repository.claim("file:test_shop.py")
    (found,) = verify(repository, task_id="T1")["weakenings"]["listed"]
    said = found["line"].removeprefix("Weakens: ").replace("…", REASON)
    refused = repository.gate("claim", "T1", "file:test_shop.py", "--weakens", said.replace(REASON, "-"))
    assert refused.code == 2
    assert "it gives no reason" in refused.err

    claimed = repository.gate("claim", "T1", "file:test_shop.py", "--weakens", said)
    assert claimed.code == 0, claimed.output
    assert account(verify(repository, task_id="T1")) == ("pass", {"by": "disclosure", "reference": "claim.json"})

    agents = verify(repository, "--stage", "agent", task_id="T1")
    assert account(agents)[0] == "inconclusive"
    assert [reason["code"] for reason in agents["reasons"]] == ["WEAKENING_DISCLOSED"]

    repository.sample.git("add", "--all")
    repository.sample.git("add", "--force", ".artifacts/T1/claim.json", ".artifacts/T1/commitment.json")
    repository.sample.git("commit", "--quiet", "--message", "Skip a test\n\nGate-Task: T1")
    landed = verify(repository, "--ref", "HEAD", task_id="T1")
    assert account(landed) == ("fail", None)
    assert "claim.json alone doesn't count here" in landed["weakenings"]["listed"][0]["note"]
    assert account(verify(repository, "--ref", "HEAD", "--stage", "push", task_id="T1"))[0] == "pass"


@pytest.mark.release
def test_an_agent_s_turn_reads_no_line_to_paste(repository: gr.GatedRepository) -> None:
    begun = repository.gate("hook", "claude", "prompt", stdin=json.dumps({"session_id": "s", "prompt": "Tidy up."}))
    assert begun.code == 0, begun.output
    repository.put("test_shop.py", SKIPPED)
    stop = {"session_id": "s", "last_assistant_message": "Tidied up."}
    blocked = repository.gate("hook", "claude", "stop", stdin=json.dumps(stop))
    reason = blocked.json["reason"]
    assert "restore the check, or ask the person" in reason
    assert "Weakens" not in reason


def test_tampering_is_refuted_whatever_is_said(repository: gr.GatedRepository) -> None:
    repository.put("conftest.py", HOOK)
    repository.sample.commit("Hook")
    (refuted,) = (check for check in verify(repository, "--ref", "HEAD")["checks"] if check["id"] == "code.integrity")
    finding = refuted["evidence"][0]["value"]
    assert finding["weight"] == "tampering"
    target = finding["path"] if finding["test"] is None else f"{finding['path']}::{finding['test']}"
    said = f"Weakens: {finding['kind']} {target} {finding['id']} ({REASON})"
    repository.sample.git("commit", "--quiet", "--amend", "--message", f"Hook\n\n{said}")
    assert verify(repository, "--ref", "HEAD")["status"] == "fail"


def test_a_change_that_weakens_nothing_has_no_account_of_it(repository: gr.GatedRepository) -> None:
    repository.put("test_shop.py", TEST + "\n\ndef test_more():\n    assert len('ab') == 2\n")
    repository.sample.commit("Weakens: test_skipped test_shop.py 0123456789ab (nothing)")
    verdict = verify(repository, "--ref", "HEAD")
    assert verdict["status"] == "pass"
    assert "weakenings" not in verdict
    assert "disclosed" not in repository.published("run.json", "implicit")


@pytest.mark.release
def test_each_other_outcome_of_the_rule_is_decided_again(repository: gr.GatedRepository) -> None:
    def rule(verdict: Any) -> str:
        return str(next(check["outcome"] for check in verdict["checks"] if check["id"] == "code.integrity"))

    repository.begin(task_type="facts")
    repository.claim(statements=["It is done."])
    assert rule(verify(repository, task_id="T1")) == "not_applicable"

    repository.put("test_shop.py", SKIPPED)
    only = repository.gate("verify", "T1", "--quiet", "--json", "--only", "code:diff").json
    assert (only["status"], rule(only)) == ("inconclusive", "unknown")

    crashing = ["my:check"]
    gr.adapter_files(repository, "mine", crashing, {}, {"my:check": "exit 1"})
    planned = [*ORDER, *crashing]
    repository.put(
        "config/adapter-plan.json", {**PLAN, "facts": {"order": planned, "required": planned, "optional": []}}
    )
    repository.sample.git("stash", "--quiet", "--", "test_shop.py")
    repository.sample.commit("A capability that crashes")
    repository.sample.git("stash", "pop", "--quiet")
    repository.begin(task_type="facts")
    crashed = verify(repository, task_id="T1")
    assert (crashed["status"], rule(crashed)) == ("error", "refuted")
    assert crashed["weakenings"]["unaccounted"] == 1


@pytest.mark.parametrize("stage", ["", "CI", "production"])
def test_a_stage_that_is_none_is_a_usage_error(repository: gr.GatedRepository, stage: str) -> None:
    assert repository.gate("verify", f"--stage={stage}").code == 2


def test_a_text_that_is_not_there_is_a_usage_error(repository: gr.GatedRepository) -> None:
    assert repository.gate("verify", "--pull-request", "nowhere.md").code == 2


SHOP = "def total(n):\n    return n + 1\n\n\ndef half(n):\n    return n // 2\n"
TWO = "import shop\n\n\ndef test_total():\n    assert shop.total(1) == 2\n"
HALF = "from shop import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
HALVED = SHOP.replace("def half", "def halve") + "\n\nFORMER = 'half'\n"
MEASURED = ["code:diff", "code:integrity", "code:tests", "code:counterfactual"]


@pytest.mark.parametrize(
    ("message", "code", "passes"),
    [
        ("Remove half, which nobody calls", SHOP[: SHOP.index("\n\n\ndef half")] + "\n", True),
        ("Tidy up", SHOP[: SHOP.index("\n\n\ndef half")] + "\n", False),
        ("> Remove half", SHOP[: SHOP.index("\n\n\ndef half")] + "\n", False),
        pytest.param("Remove half", SHOP, False, marks=pytest.mark.release),
        pytest.param("Remove half", HALVED, False, marks=pytest.mark.release),
    ],
)
def test_a_test_may_go_with_what_it_tests(
    repository: gr.GatedRepository, message: str, code: str, passes: bool
) -> None:
    plan = {"order": MEASURED, "required": MEASURED, "optional": []}
    repository.put("config/adapter-plan.json", {"code": plan, "facts": plan})
    repository.put("pyproject.toml", "[tool.pytest.ini_options]\n")
    repository.put("shop.py", SHOP)
    repository.put("test_half.py", HALF)
    repository.put("test_total.py", TWO)
    repository.sample.commit("more")
    repository.put("shop.py", code)
    (repository.root / "test_half.py").unlink()
    repository.sample.git("commit", "--quiet", "--all", "--message", message)
    found = verify(repository, "--ref", "HEAD", "--base", "HEAD^")
    assert (found["status"] == "pass") == passes, json.dumps(found, indent=1)
