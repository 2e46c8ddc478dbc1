"""The table of stages, a test for each cell, with the real gate: a weakening that isn't disclosed, and one that is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from sample_repository import SampleRepository

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
SHIPPED = json.loads((ROOT / "config/verification.profiles.json").read_text("utf-8"))
ORDER = ["code:diff", "code:integrity"]
PLAN = {"code": {"order": ORDER, "required": ORDER, "optional": []}}
TEST = "def test_total():\n    assert sum([2, 3]) == 5\n\n\ndef test_rate():\n    assert round(1.08, 1) == 1.1\n"
SKIPPED = "import pytest\n\n\n" + TEST.replace("def test_rate", "@pytest.mark.skip\ndef test_rate")
REASON = "the service is shut down"
MARK = "Co-authored-by: Claude <noreply@anthropic.com>"
LINE = re.compile(r"Weakens: test_skipped test_shop\.py::test_rate [0-9a-f]{12} \(…\)")


def only(name: str) -> dict[str, Any]:
    """What a shipped profile asks about integrity and weakenings, and nothing else of it."""
    keys = ("integrity", "weakening", "expectations")
    base = SHIPPED[name].get("extends", name)
    return {key: found[key] for found in (SHIPPED[base], SHIPPED[name]) for key in keys if key in found}


PROFILES = {"code_default": only("code"), "ci": only("code"), "ci_strict": only("code_strict")}


class Shop:
    """A repository whose last commit, or working tree, skips a test."""

    def __init__(self, folder: Path) -> None:
        self.gated = gr.GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
        self.gated.tmp.mkdir(parents=True)
        self.gated.put("config/adapter-plan.json", PLAN)
        self.gated.put("config/verification.profiles.json", PROFILES)
        self.gated.put("test_shop.py", TEST)
        self.gated.put(".gitignore", ".artifacts/*\n!.artifacts/*/\n.artifacts/*/*\n!.artifacts/*/UNVERIFIED\n")
        self.gated.sample.commit("the base")
        git = self.gated.sample.git
        git("init", "--quiet", "--bare", str(folder / "remote.git"))
        git("remote", "add", "origin", str(folder / "remote.git"))
        git("config", "user.name", "A")
        git("config", "user.email", "a@example.org")
        git("push", "--quiet", "origin", "HEAD:refs/heads/main")
        git("fetch", "--quiet", "origin")

    def weaken(self) -> None:
        self.gated.put("test_shop.py", SKIPPED)

    def commit(self, *message: str) -> None:
        words = [word for part in message for word in ("--message", part)]
        self.gated.sample.git("commit", "--quiet", "--all", "--no-verify", *words)

    def line(self) -> str:
        """The line that discloses what the last commit weakens."""
        (found,) = self.ci().json["weakenings"]["listed"]
        return str(found["line"]).replace("…", REASON)

    def ci(self, profile: str = "ci", *arguments: str, form: str = "json") -> gr.Done:
        """What a CI job runs on the last commit."""
        asked = ("--ref", "HEAD", "--base", "origin/main", "--profile", profile, "--quiet", "--format", form)
        return self.gated.gate("verify", *asked, *arguments, PATH=f"{TOOLS}:{os.environ['PATH']}")

    def git(self, *arguments: str) -> gr.Done:
        """Real git, whose hooks start the real gate."""
        environ = self.gated.environ(PATH=f"{TOOLS}:{os.environ['PATH']}")
        done = subprocess.run(
            ("git", *arguments), cwd=self.gated.root, env=environ, capture_output=True, text=True, check=False
        )
        return gr.Done(done.returncode, done.stdout, done.stderr)

    def hooks(self) -> None:
        done = self.gated.gate("install")
        assert done.code == 0, done.output

    def turn(self, event: str, **more: Any) -> gr.Done:
        return self.gated.gate("hook", "claude", event, stdin=json.dumps({"session_id": "s", **more}))


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


# --- the end of an agent's turn -------------------------------------------------------------------------------------


@pytest.mark.release
def test_an_agent_that_says_nothing_stays_at_work(shop: Shop) -> None:
    shop.turn("prompt", prompt="Tidy up.")
    shop.weaken()
    for _ in range(2):
        reason = shop.turn("stop", last_assistant_message="Tidied up.").json["reason"]
        assert "restore the check, or ask the person" in reason
        assert "Weakens" not in reason
        assert "--weakens" not in reason
    assert not list(shop.gated.root.glob(".artifacts/*/UNVERIFIED"))


def test_an_agent_that_says_it_may_stop_and_a_person_decides(shop: Shop) -> None:
    shop.turn("prompt", prompt="Tidy up.")
    shop.weaken()
    shop.commit("Skip a test")
    line = shop.line()
    shop.gated.sample.git("commit", "--quiet", "--amend", "--message", "Skip a test", "--message", line)
    ended = shop.turn("stop", last_assistant_message="Tidied up.").json
    assert "decision" not in ended
    # The person is shown it.
    assert "for you to accept: weakening: 1 disclosed" in ended["systemMessage"]
    assert REASON in ended["systemMessage"]
    (mark,) = shop.gated.root.glob(".artifacts/claude-*/UNVERIFIED")
    assert str(mark.relative_to(shop.gated.root)) in ended["systemMessage"]
    verdict = shop.gated.verdict(mark.parent.name)
    assert verdict["status"] == "inconclusive"
    assert [reason["code"] for reason in verdict["reasons"]] == ["WEAKENING_DISCLOSED"]
    # The mark travels with the next commit, whoever makes it, and is no pass in CI.
    shop.gated.sample.git("commit", "--quiet", "--amend", "--no-edit")
    landed = shop.ci()
    assert landed.code == 1
    assert [reason["check"] for reason in landed.json["reasons"]] == ["gate.unverified"]
    # A person who accepts it takes the mark away.
    shop.gated.sample.git("rm", "--quiet", "--cached", str(mark.relative_to(shop.gated.root)))
    shop.gated.sample.git("commit", "--quiet", "--amend", "--no-edit")
    assert shop.ci().code == 0


@pytest.mark.release
def test_an_agent_that_restores_the_check_after_all_passes(shop: Shop) -> None:
    shop.turn("prompt", prompt="Tidy up.")
    shop.weaken()
    shop.commit("Skip a test")
    line = shop.line()
    shop.gated.sample.git("commit", "--quiet", "--amend", "--message", "Skip a test", "--message", line)
    shop.turn("stop", last_assistant_message="Tidied up.")
    assert list(shop.gated.root.glob(".artifacts/claude-*/UNVERIFIED"))
    shop.gated.put("test_shop.py", TEST + "\n\ndef test_more():\n    assert len('ab') == 2\n")
    assert shop.turn("stop", last_assistant_message="Restored.").out == ""
    assert not list(shop.gated.root.glob(".artifacts/claude-*/UNVERIFIED"))


# --- commit-msg and pre-push ----------------------------------------------------------------------------------------


@pytest.mark.release
def test_the_hook_commit_msg_stops_and_prints_the_line(shop: Shop) -> None:
    shop.hooks()
    shop.weaken()
    done = shop.git("commit", "--all", "--message", "Skip a test")
    assert done.code == 1
    assert LINE.search(done.output)


@pytest.mark.release
def test_the_hook_commit_msg_lets_a_line_pass_visibly(shop: Shop) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    line = shop.line()
    shop.gated.sample.git("reset", "--quiet", "--soft", "HEAD~1")
    shop.hooks()
    done = shop.git("commit", "--message", "Skip a test", "--message", line)
    assert done.code == 0, done.output
    assert "PASS  weakening: 1 disclosed" in done.output
    assert REASON in done.output


@pytest.mark.release
def test_the_hook_pre_push_stops_and_prints_the_line(shop: Shop) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    shop.hooks()
    done = shop.git("push", "origin", "HEAD:refs/heads/topic")
    assert done.code == 1
    assert LINE.search(done.output)


@pytest.mark.release
def test_the_hook_pre_push_lets_a_line_pass_visibly(shop: Shop) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    # An agent's mark is for CI to refuse: who pushes may be the person that looks at it.
    shop.gated.sample.git("commit", "--quiet", "--amend", "-m", "Skip a test", "-m", f"{shop.line()}\n{MARK}")
    shop.hooks()
    done = shop.git("push", "origin", "HEAD:refs/heads/topic")
    assert done.code == 0, done.output
    assert "PASS  weakening: 1 disclosed" in done.output


# --- CI -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["ci", "ci_strict"])
def test_ci_fails_what_is_not_disclosed(profile: str, shop: Shop) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    assert shop.ci(profile).code == 1


@pytest.mark.release
def test_ci_takes_a_commit_s_line_visibly(shop: Shop) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    shop.gated.sample.git("commit", "--quiet", "--amend", "--message", "Skip a test", "--message", shop.line())
    texts = {form: shop.ci("ci", form=form) for form in ("text", "markdown", "html", "sarif", "json")}
    assert {done.code for done in texts.values()} == {0}
    assert texts["text"].out.startswith("PASS  weakening: 1 disclosed")
    assert "<summary>Weakened checks: 1 disclosed</summary>" in texts["markdown"].out
    assert '<section id="weakenings"' in texts["html"].out
    (run,) = texts["sarif"].json["runs"]
    assert {(each["ruleId"], each["level"]) for each in run["results"]} == {("WEAKENING_DISCLOSED", "note")}
    assert texts["json"].json["weakenings"]["disclosed"] == 1
    assert all(REASON in done.out for done in texts.values())


def test_ci_takes_the_pull_request_s_line_visibly(shop: Shop, tmp_path: Path) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    request = tmp_path / "request.md"
    request.write_text(f"Skip a test\n\n{shop.line()}\n")
    done = shop.ci("ci", "--pull-request", str(request), form="text")
    assert done.code == 0
    assert done.out.startswith("PASS  weakening: 1 disclosed")


@pytest.mark.release
def test_ci_takes_no_claim_and_no_chat_message_alone(shop: Shop) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    line = shop.line()
    parent = shop.gated.sample.git("rev-parse", "HEAD~1")
    shop.gated.put(".artifacts/T1/commitment.json", {"task_id": "T1", "type": "code", "base": parent})
    said = f"I skipped test_rate, since {REASON}.\n\n{line}"
    claimed = shop.gated.gate("claim", "T1", "--text", said, "--weakens", line)
    assert claimed.code == 0, claimed.output
    shop.gated.sample.git("commit", "--quiet", "--amend", "--message", "Skip a test", "--message", "Gate-Task: T1")
    done = shop.gated.gate("verify", "T1", "--ref", "HEAD", "--quiet", "--json")
    assert done.code == 1
    assert "claim.json alone doesn't count here" in done.json["weakenings"]["listed"][0]["note"]


def test_ci_with_the_strict_profile_takes_no_line(shop: Shop, tmp_path: Path) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    line = shop.line()
    request = tmp_path / "request.md"
    request.write_text(f"Skip a test\n\n{line}\n")
    shop.gated.sample.git("commit", "--quiet", "--amend", "--message", "Skip a test", "--message", line)
    done = shop.ci("ci_strict", "--pull-request", str(request))
    assert done.code == 1
    assert "line" not in done.json["weakenings"]["listed"][0]


@pytest.mark.release
@pytest.mark.parametrize(("profile", "mark"), [pytest.param("ci_strict", "", marks=pytest.mark.release), ("ci", MARK)])
def test_ci_takes_evidence_where_it_takes_no_line(profile: str, mark: str, shop: Shop) -> None:
    order = ["code:diff", "code:tests", "code:integrity"]
    shop.gated.put("config/adapter-plan.json", {"code": {"order": order, "required": order, "optional": []}})
    shop.gated.put("shop.py", "def total(numbers):\n    return sum(numbers)\n")
    twice = "    assert shop.total([2, 3]) == 5\n    assert shop.total([1]) == 1\n"
    shop.gated.put("test_shop.py", f"import shop\n\n\ndef test_total():\n{twice}")
    shop.gated.sample.commit("A shop")
    shop.gated.sample.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    shop.gated.sample.git("fetch", "--quiet", "origin")
    shop.gated.put("shop.py", "def total(numbers):\n    return sum(number or 0 for number in numbers)\n")
    once = "    assert shop.total([2, None, 3]) == 5\n"
    shop.gated.put("test_shop.py", f"import shop\n\n\ndef test_total():\n{once}")
    shop.commit("Take gaps for nothing", mark)
    done = shop.ci(profile)
    assert done.code == 0, done.output
    found = done.json["weakenings"]
    assert (found["by_evidence"], found["unaccounted"]) == (2, 0)


@pytest.mark.parametrize("disclosed", [False, True])
def test_ci_takes_no_line_of_an_agent(disclosed: bool, shop: Shop, tmp_path: Path) -> None:
    shop.weaken()
    shop.commit("Skip a test")
    line = shop.line()
    shop.gated.sample.git(
        "commit", "--quiet", "--amend", "-m", "Skip a test", "-m", f"{line if disclosed else ''}\n{MARK}"
    )
    request = tmp_path / "request.md"
    request.write_text(f"Skip a test\n\n{line if disclosed else ''}\n")
    done = shop.ci("ci", "--pull-request", str(request))
    assert done.code == 1
    assert done.json["weakenings"]["agent_marks"]
