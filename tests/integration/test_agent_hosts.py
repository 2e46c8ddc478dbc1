"""Agents' hosts by their documented inputs: the commands that were installed are run as the host runs them.

Real git, sh and bash; the hosts that can be had as programs are in test_agent_programs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from agent_repository import BROKEN, WORKS, call, installed_command, make, own_tasks
from gated_repository import Done, GatedRepository, processes_with
from release_tests import left_for_a_release, some_always

from verigate.domain.agent_host import SUPPORTED_HOSTS

SESSION = "5e55-10n"
FOREIGN = '{"type": "command", "command": "echo \'foreign  hook\'", "timeout": 7}'


@dataclass(frozen=True)
class Simulated:
    """A host as its documentation describes it. ``foreign`` is a settings file that somebody wrote."""

    name: str
    settings: str
    foreign: str
    prompt: Callable[[str], dict[str, Any]]
    stop: Callable[[str, bool], dict[str, Any]]
    reason: Callable[[Any], Any]
    allowed: tuple[str, ...]
    says_before: bool = False


def _claude_stop(message: str, again: bool) -> dict[str, Any]:
    told = {"stop_hook_active": again, "last_assistant_message": message}
    return {"session_id": SESSION, "hook_event_name": "Stop", "background_tasks": [], "session_crons": [], **told}


HOSTS = (
    Simulated(
        "claude",
        ".claude/settings.json",
        '{\n\t"permissions": {"allow": ["Bash(ls:*)"]},\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": ['
        + FOREIGN
        + "]}\n\t\t]\n\t}\n}\n",
        lambda text: {"session_id": SESSION, "hook_event_name": "UserPromptSubmit", "prompt": text},
        _claude_stop,
        lambda answer: answer["reason"] if answer.get("decision") == "block" else None,
        ("",),
    ),
    Simulated(
        "codex",
        ".codex/hooks.json",
        '{"description": "ours", "hooks": {"Stop": [{"hooks": [' + FOREIGN + "]}]}}",
        lambda text: {"session_id": SESSION, "turn_id": "t", "hook_event_name": "UserPromptSubmit", "prompt": text},
        _claude_stop,
        lambda answer: answer["reason"] if answer.get("decision") == "block" else None,
        ("",),
    ),
    Simulated(
        "gemini",
        ".gemini/settings.json",
        '// Our settings.\n{\n  /* keep */\n  "ui": {"theme": "Default"}, // dark\n  "hooks": {\n'
        '    "AfterAgent": [ // foreign\n      {"hooks": ['
        + FOREIGN
        + "]} // the last one\n    ]\n  } // end\n}\n// bye\n",
        lambda text: {"session_id": SESSION, "hook_event_name": "BeforeAgent", "prompt": text},
        lambda message, again: {
            "session_id": SESSION,
            "hook_event_name": "AfterAgent",
            "prompt": "x",
            "prompt_response": message,
            "stop_hook_active": again,
        },
        lambda answer: answer["reason"] if answer.get("decision") == "deny" else None,
        ("{}",),
    ),
    Simulated(
        "cursor",
        ".cursor/hooks.json",
        '{\r\n  "version": 1, // theirs\r\n'
        '  "hooks": {\r\n    "afterFileEdit": [{"command": "./format.sh"}]\r\n  }\r\n}\r\n',
        lambda text: {"conversation_id": SESSION, "hook_event_name": "beforeSubmitPrompt", "prompt": text},
        lambda _, again: {
            "conversation_id": SESSION,
            "hook_event_name": "stop",
            "status": "completed",
            "loop_count": int(again),
        },
        lambda answer: answer.get("followup_message"),
        ("{}",),
        says_before=True,
    ),
    Simulated(
        "copilot",
        ".github/hooks/verigate.json",
        '{"version": 1, "hooks": {"agentStop": []}}',
        lambda text: {"sessionId": SESSION, "timestamp": 1, "prompt": text},
        lambda _, again: {
            "sessionId": SESSION,
            "timestamp": 1,
            "stopReason": "end_turn",
            "transcriptPath": "@transcript",
            "stop_hook_active": again,
        },
        lambda answer: answer["reason"] if answer.get("decision") == "block" else None,
        ('{"decision": "allow"}',),
    ),
    Simulated(
        "qwen",
        ".qwen/settings.json",
        '{\n  "$version": 4, // theirs\n  "hooks": {"Stop": [{"hooks": [' + FOREIGN + "]}]}\n}\n",
        lambda text: {
            "session_id": SESSION,
            "hook_event_name": "UserPromptSubmit",
            "prompt": text,
            "submitted_prompt": text,
        },
        _claude_stop,
        lambda answer: answer["reason"] if answer.get("decision") == "block" else None,
        ("{}",),
    ),
    Simulated(
        "droid",
        ".factory/hooks.json",
        '{"Stop": [{"hooks": [' + FOREIGN + "]}]}",
        lambda text: {"session_id": SESSION, "hook_event_name": "UserPromptSubmit", "prompt": text},
        lambda _, again: {
            "session_id": SESSION,
            "hook_event_name": "Stop",
            "transcript_path": "@transcript",
            "stop_hook_active": again,
        },
        lambda answer: answer["reason"] if answer.get("decision") == "block" else None,
        ("",),
    ),
    Simulated(
        "goose",
        ".agents/plugins/verigate/hooks/hooks.json",
        '{"hooks": {"SessionEnd": [{"hooks": [' + FOREIGN + "]}]}}",
        lambda text: {"session_id": SESSION, "event": "UserPromptSubmit", "message": text, "matcher_context": text},
        lambda message, _: {"session_id": SESSION, "event": "Stop", "last_assistant_message": message},
        lambda answer: answer["reason"] if answer.get("decision") == "block" else None,
        ("",),
    ),
)


def test_every_supported_host_is_simulated_here_or_run_as_a_program() -> None:
    programs_only = {"opencode", "aider", "amp"}  # plug-ins that node runs, a test command: test_agent_programs, _amp
    before_tools = {host.name for host in SUPPORTED_HOSTS if not host.holds_turns}  # test_agent_tool_hosts
    assert {host.name for host in HOSTS} | programs_only | before_tools == {host.name for host in SUPPORTED_HOSTS}


class Installed:
    """A repository with one host installed and committed."""

    def __init__(self, folder: Path, host: Simulated, *options: str, **made: Any) -> None:
        self.host = host
        self.repository: GatedRepository = make(folder, **made)
        self.settings = self.repository.put(host.settings, host.foreign)
        done = self.repository.gate("install", "--agent", host.name, *options)
        assert done.code == 0, done.output
        self.repository.sample.commit("hooks")

    def event(self, event: str, document: dict[str, Any], **environ: str) -> Done:
        from verigate.formats import jsonc

        place = {"cwd": str(self.repository.root), "workspace_roots": [str(self.repository.root)]}
        settings = jsonc.read_value(self.settings.read_bytes(), "settings")
        return call(self.repository, installed_command(settings, event), {**place, **document}, **environ)

    def prompt(self, text: str) -> None:
        done = self.event("prompt", self.host.prompt(text))
        assert done.code == 0, done.output

    def stop(self, message: str, *, again: bool = False, **environ: str) -> tuple[Done, str | None]:
        """The agent ends its turn with ``message``; the answer, and the reason if it is blocked."""
        document = self.host.stop(message, again)
        if self.host.says_before:
            said = self.event("said", {"conversation_id": SESSION, "text": message})
            assert said.code == 0, said.output
        for key in {"transcriptPath", "transcript_path"} & document.keys():
            transcript = self.repository.home / "transcript.jsonl"
            # As copilot writes it, and as droid does.
            lines: list[Any] = [{"type": "user.message"}, {"type": "assistant.message", "data": {"content": message}}]
            said = {"role": "assistant", "content": [{"type": "text", "text": message}]}
            lines += [{"type": "message", "message": said}, {"type": "message", "message": {"role": "user"}}]
            transcript.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
            document[key] = str(transcript)
        done = self.event("stop", document, **environ)
        assert done.code == 0, done.output
        return done, None if done.out in self.host.allowed else self.host.reason(json.loads(done.out))


def test_a_prompt_that_no_person_sent_begins_no_turn(tmp_path: Path) -> None:
    """qwen calls its hook of prompts before each answer to a tool as well."""
    agent = Installed(tmp_path, next(host for host in HOSTS if host.name == "qwen"))
    agent.prompt("Add numbers.")
    agent.repository.put("shop.py", BROKEN)
    again = agent.event("prompt", {"session_id": SESSION, "hook_event_name": "UserPromptSubmit", "prompt": ""})
    assert again.code == 0, again.output
    _, reason = agent.stop("I added it.")
    assert reason is not None
    assert "code.tests_pass refuted (TEST_FAIL)" in reason
    assert len(own_tasks(agent.repository, "qwen")) == 1


def claude(folder: Path, *options: str, **made: Any) -> Installed:
    return Installed(folder, HOSTS[0], *options, **made)


@pytest.mark.parametrize("host", some_always(HOSTS, attrgetter("name"), lambda host: host.name == "codex", one_in=4))
def test_installed_twice_a_lie_is_blocked_the_truth_goes_and_uninstalled_the_bytes_are_back(
    host: Simulated, tmp_path: Path
) -> None:
    agent = Installed(tmp_path, host)
    repository, written = agent.repository, agent.settings.read_bytes()
    again = repository.gate("install", "--agent", host.name, "--json")
    assert again.json["agents"][0]["action"] == "unchanged"
    assert agent.settings.read_bytes() == written

    agent.prompt("Add numbers.")
    (task,) = own_tasks(repository, host.name)
    assert json.loads((task / "commitment.json").read_text()) == {
        "task_id": task.name,
        "type": "code",
        "user_instruction": "Add numbers.",
        "base": repository.sample.git("rev-parse", "HEAD"),
    }

    repository.put("shop.py", BROKEN)
    _, reason = agent.stop("I added it. All tests pass!")
    assert reason is not None
    assert "- code.tests_pass refuted (TEST_FAIL): 1 of 1 tests failed" in reason
    assert "fact: tests.json /failed = 1" in reason
    assert f"reproduce: gate verify {task.name} --only code:tests" in reason
    assert "(attempt 1 of 5)" in reason
    claim = json.loads((task / "claim.json").read_text())
    assert (claim["actor"], claim["claim"]["statements"]) == (f"hook:{host.name}", ["I added it.", "All tests pass!"])

    repository.put("shop.py", WORKS)
    done, reason = agent.stop("Mended.", again=True)
    assert reason is None, done.output
    assert repository.verdict(task.name)["status"] == "pass"
    assert repository.verdict(task.name)["policy"]["thresholds"]["statements"] == "report"

    assert repository.gate("uninstall", "--agent", host.name).code == 0
    assert agent.settings.read_bytes() == host.foreign.encode()


def test_hosts_without_the_gate_share_a_line_when_all_are_uninstalled(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    done = agent.repository.gate("uninstall", "--agent", "all")
    assert [line.split() for line in done.out.splitlines()] == [
        ["restored", "claude", ".claude/settings.json"],
        ["left", "not", "installed", "for", str(len(SUPPORTED_HOSTS) - 1), "hosts"],
    ], done.output
    few = agent.repository.gate("uninstall", "--agent", "claude", "--agent", "codex")
    assert few.out == "left       not installed for claude, codex\n"


def test_settings_that_were_changed_since_are_not_called_restored(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.settings.write_bytes(agent.settings.read_bytes().replace(b"{", b'{"model": "x",', 1))
    done = agent.repository.gate("uninstall", "--agent", "claude")
    assert done.out.split() == ["removed", "claude", "from", ".claude/settings.json"], done.output
    assert b'"model"' in agent.settings.read_bytes()


@pytest.mark.release
def test_the_cap_allows_with_a_mark_which_a_verification_of_the_commit_refuses(tmp_path: Path) -> None:
    agent = claude(tmp_path, "--attempts", "1")
    repository = agent.repository
    agent.prompt("Add numbers.")
    repository.put("shop.py", BROKEN)
    assert agent.stop("Done.")[1] is not None
    done, reason = agent.stop("Still done.", again=True)
    assert reason is None
    assert "NOT VERIFIED after 1 attempts" in done.json["systemMessage"]
    (task,) = own_tasks(repository, "claude")
    mark = json.loads((task / "UNVERIFIED").read_text())
    assert mark["why"] == "claude was allowed to stop after it was blocked 1 times"
    assert mark["refuted"] == [{"check": "code.tests_pass", "code": "TEST_FAIL", "message": "1 of 1 tests failed"}]
    assert mark["when"].endswith("Z")

    # The mark is in the index already: also who commits nothing but the work commits it.
    repository.put("shop.py", WORKS)
    repository.sample.git("add", "shop.py")
    repository.sample.git("commit", "--quiet", "-m", "in spite of the mark")
    refused = repository.gate("verify", "--ref", "HEAD", "--json")
    assert refused.code == 1, refused.output
    assert [reason["check"] for reason in refused.json["reasons"]] == ["gate.unverified"]
    assert f".artifacts/{task.name}/UNVERIFIED" in refused.json["reasons"][0]["message"]
    assert repository.gate("replay", "implicit").code == 1
    assert repository.gate("verify", "--staged", "--quiet").code == 1

    repository.sample.git("rm", "--quiet", f".artifacts/{task.name}/UNVERIFIED")
    repository.put("shop.py", WORKS + "\n")
    repository.sample.commit("looked at")
    assert repository.gate("verify", "--ref", "HEAD", "--quiet").code == 0


@pytest.mark.release
def test_what_passes_later_from_the_same_base_takes_the_mark_away(tmp_path: Path) -> None:
    agent = claude(tmp_path, "--attempts", "1")
    agent.prompt("Add numbers.")
    agent.repository.put("shop.py", BROKEN)
    agent.stop("Done.")
    agent.stop("Done.", again=True)
    (marked,) = own_tasks(agent.repository, "claude")
    assert (marked / "UNVERIFIED").exists()
    staged = f".artifacts/{marked.name}/UNVERIFIED"
    assert staged in agent.repository.sample.git("diff", "--cached", "--name-only")
    agent.prompt("Now mend it.")
    agent.repository.put("shop.py", WORKS)
    assert agent.stop("Mended.")[1] is None
    assert not (marked / "UNVERIFIED").exists()
    assert agent.repository.sample.git("diff", "--cached", "--name-only") == ""


def test_a_turn_that_changed_nothing_is_allowed_and_leaves_nothing(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.repository.put("shop.py", BROKEN)
    agent.prompt("What is this?")
    done, reason = agent.stop("It adds numbers. Shall I mend it?")
    assert (done.out, reason) == ("", None)
    assert own_tasks(agent.repository, "claude") == []


def test_what_a_turn_that_changed_nothing_claims_is_held_against_the_facts(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.repository.put("shop.py", BROKEN)
    agent.prompt("Do the tests pass?")
    assert "1 of 1 tests failed" in (agent.stop("All tests pass.")[1] or "")
    assert agent.stop("One test fails.")[1] is None
    agent.repository.sample.git("stash", "--quiet")
    agent.prompt("Mend it.")
    agent.repository.sample.git("switch", "--quiet", "--create", "side")
    agent.repository.put("other.py", "A = 1\n")
    agent.repository.sample.commit("on the side")
    agent.repository.sample.git("switch", "--quiet", "-")
    _, reason = agent.stop("I fixed the sum, all tests pass.")
    assert "no file has changed since the session began" in (reason or "")
    assert "side isn't in the working tree" in (reason or "").replace("what is on ", "")
    done, reason = agent.stop("The work is on the branch side.")
    assert reason is None
    assert "not in the working tree, and not verified: side" in done.out


def test_a_mark_that_an_agent_takes_away_comes_back(tmp_path: Path) -> None:
    agent = Installed(tmp_path, HOSTS[0], "--attempts", "1")
    agent.prompt("Add numbers.")
    agent.repository.put("shop.py", BROKEN)
    assert agent.stop("Done.")[1] is not None
    assert agent.stop("Done.")[1] is None
    (marked,) = (path.parent for path in (agent.repository.root / ".artifacts").glob("*/UNVERIFIED"))
    agent.prompt("What is left?")
    agent.repository.sample.git("rm", "--quiet", "--cached", "--force", f".artifacts/{marked.name}/UNVERIFIED")
    (marked / "UNVERIFIED").unlink()
    assert agent.stop("Nothing is left.")[1] is not None
    assert "removed during a turn" in (marked / "UNVERIFIED").read_text()


@pytest.mark.release
def test_the_gates_own_answer_as_a_prompt_begins_no_new_turn(tmp_path: Path) -> None:
    agent = Installed(tmp_path, HOSTS[2], "--attempts", "2")
    agent.prompt("Add numbers.")
    agent.repository.put("shop.py", BROKEN)
    _, first = agent.stop("Done.")
    agent.prompt(first or "")
    _, second = agent.stop("Done.\nReally done.")
    assert "(attempt 2 of 2)" in (second or "")
    (task,) = own_tasks(agent.repository, "gemini")
    # The host repeats what was said before.
    assert json.loads((task / "claim.json").read_text())["claim"]["statements"] == ["Really done."]


@pytest.mark.release
def test_what_an_agent_makes_of_the_commitment_and_the_claim_counts_for_nothing(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.prompt("Add numbers.")
    (task,) = own_tasks(agent.repository, "claude")
    before = (task / "commitment.json").read_bytes()
    (task / "commitment.json").write_text(json.dumps({"task_id": task.name, "type": "content"}))
    agent.repository.put("shop.py", BROKEN)
    _, reason = agent.stop("Done.")
    assert "code.tests_pass refuted" in (reason or "")
    assert (task / "commitment.json").read_bytes() == before
    assert agent.repository.gate("start", "easy", "--type", "content").code == 0
    _, reason = agent.stop("Done.", again=True)
    assert f"FAIL {task.name}" in (reason or "")
    agent.prompt("Go on.")
    agent.repository.put("shop.py", BROKEN + "\n")
    _, reason = agent.stop("Done.")
    assert "code.tests_pass refuted" in (reason or "")


def test_a_task_that_was_begun_by_hand_is_the_one_that_is_verified(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    assert agent.repository.gate("start", "by-hand", "--quality", "tests_min=2").code == 0
    agent.prompt("Add numbers.")
    assert own_tasks(agent.repository, "claude") == []
    agent.repository.put("shop.py", WORKS)
    _, reason = agent.stop("Done.")
    assert "code.tests_min refuted (TESTS_EMPTY)" in (reason or "")
    # A claim of the agent's own making is judged as it stands, its statements by the profile.
    assert agent.repository.gate("claim", "by-hand", "--text", "I tested it well.").code == 0
    _, reason = agent.stop("Done.", again=True)
    assert "no rule or fact decides: I tested it well." in (reason or "")


@pytest.mark.release
def test_a_subagent_answers_for_what_changed_since_it_started(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.prompt("Add numbers.")
    agent.repository.put("shop.py", BROKEN)
    own = {"session_id": SESSION, "agent_id": "a1", "agent_type": "Explore"}
    assert agent.event("subagent-start", own).code == 0
    looked = agent.event("subagent-stop", {**own, "stop_hook_active": False, "last_assistant_message": "I looked."})
    assert (looked.code, looked.out) == (0, "")
    agent.repository.put("shop.py", BROKEN + "\n")
    blocked = agent.event("subagent-stop", {**own, "stop_hook_active": False, "last_assistant_message": "Done."})
    assert "code.tests_pass refuted" in blocked.json["reason"]
    assert "attempt 1 of" in (agent.stop("Done.")[1] or "")


@pytest.mark.release
def test_an_edit_of_what_judges_is_warned_of_once(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.prompt("Add numbers.")
    assert agent.event("edit", _edit_of(agent.repository.put("shop.py", BROKEN))).out == ""
    edit = _edit_of("config/verification.profiles.json")
    assert agent.event("edit", edit).out == ""
    agent.repository.put("config/verification.profiles.json", {"code_default": {"tests_pass": False}})
    warned = agent.event("edit", edit).json["hookSpecificOutput"]
    assert warned["hookEventName"] == "PostToolUse"
    assert "config/verification.profiles.json" in warned["additionalContext"]
    assert agent.event("edit", edit).out == ""


@pytest.mark.release
def test_claudes_hook_leaves_cursor_to_cursors_own(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.repository.put("shop.py", BROKEN)
    sent = {"cursor_version": "2.0", "conversation_id": "c", "hook_event_name": "stop", "status": "completed"}
    assert agent.event("stop", sent).json["decision"] == "block"
    assert agent.repository.gate("install", "--agent", "cursor").code == 0
    assert agent.event("stop", sent).out == ""


HOSTILE: tuple[tuple[str, bytes], ...] = (
    ("nothing", b""),
    ("no JSON", b"\xff\x00{"),
    ("no object", b"[1, 2]"),
    ("deep", b"[" * 200_000),
    ("other types", b'{"session_id": 7, "cwd": [], "prompt": {}, "last_assistant_message": 3, "stop_hook_active": 0}'),
)


@pytest.mark.parametrize(("_name", "sent"), HOSTILE, ids=[name for name, _ in HOSTILE])
def test_input_that_is_no_input_is_no_pass(_name: str, sent: bytes, tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.repository.put("shop.py", BROKEN)
    command = installed_command(json.loads(agent.settings.read_text()), "stop")
    done = call(agent.repository, command, sent)
    assert done.code == 0, done.output
    assert done.json["decision"] == "block", done.output


def test_a_message_that_was_cut_inside_a_character_is_read(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.prompt("Add \x00 numbers.")
    agent.repository.put("shop.py", BROKEN)
    sent = b'{"session_id": "5e55-10n", "stop_hook_active": false, "last_assistant_message": "Done \\ud83d"}'
    done = call(agent.repository, installed_command(json.loads(agent.settings.read_text()), "stop"), sent)
    assert "code.tests_pass refuted" in done.json["reason"], done.output


@pytest.mark.release
def test_an_error_of_the_gate_is_told_as_not_verified_and_counted(tmp_path: Path) -> None:
    agent = claude(tmp_path, "--attempts", "2")
    agent.prompt("Add numbers.")
    agent.repository.put("config/verification.profiles.json", "{")
    _, reason = agent.stop("Done.")
    assert "NOT VERIFIED" in (reason or "")
    assert "attempt 1 of 2" in (reason or "")
    agent.stop("Done.", again=True)
    done, reason = agent.stop("Done.", again=True)
    assert "NOT VERIFIED after 2 attempts" in done.json["systemMessage"]
    (task,) = own_tasks(agent.repository, "claude")
    assert "NOT VERIFIED" in json.loads((task / "UNVERIFIED").read_text())["reason"]


def test_without_a_place_for_its_state_the_gate_blocks_once_and_then_says_so(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.repository.put("shop.py", BROKEN)
    # Without it the gate is the one on PATH.
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environ = {"HOME": "", "XDG_STATE_HOME": "nowhere", "PATH": path}
    _, reason = agent.stop("Done.", **environ)
    assert "NOT VERIFIED" in (reason or "")
    done = agent.event("stop", _claude_stop("Done.", again=True), **environ)
    assert "NOT VERIFIED" in done.json["systemMessage"]


@pytest.mark.release
def test_what_takes_longer_than_the_host_waits_is_ended_and_not_verified(tmp_path: Path) -> None:
    agent = claude(tmp_path, act='echo "$GATE_TASK_ID" >started; exec sleep 100')
    agent.prompt("Add numbers.")
    agent.repository.put("shop.py", WORKS)
    hurried = (
        "import sys, verigate.cli.commands.hook as hook, verigate.integrations.agents.host as host\n"
        "host.TIMEOUT_S, hook._MARGIN_S = 12, 1\n"
        "from verigate.cli import main\n"
        "main(['hook', 'claude', 'stop'])\n"
    )
    begun = time.monotonic()
    done = subprocess.run(
        (sys.executable, "-I", "-c", hurried),
        cwd=agent.repository.root,
        env=agent.repository.environ(),
        input=json.dumps(_claude_stop("Done.", again=False)),
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )
    assert time.monotonic() - begun < 60
    assert done.returncode == 0, done.stderr
    reason = json.loads(done.stdout)["reason"]
    assert "NOT VERIFIED" in reason
    assert "attempt 1 of 5" in reason
    (task,) = own_tasks(agent.repository, "claude")
    assert processes_with(task.name) == []


@pytest.mark.parametrize("shell", ["sh", "fish", *left_for_a_release("bash", "zsh")])
def test_without_a_gate_the_command_blocks_once_and_then_says_so(shell: str, tmp_path: Path) -> None:
    """In every shell that a host may use."""
    from verigate.integrations.agents.command import commands
    from verigate.integrations.agents.host import Event

    told = commands("claude", 5)
    command = told[Event.STOP]

    def run(text: str, sent: str) -> subprocess.CompletedProcess[str]:
        environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        return subprocess.run(
            (shell, "-c", text), input=sent, env=environ, capture_output=True, text=True, check=False, timeout=30
        )

    first = run(command, '{"stop_hook_active":false,"last_assistant_message":"\\"stop_hook_active\\":true"}')
    assert (first.returncode, first.stdout) == (2, "")
    assert "NOT VERIFIED" in first.stderr
    second = run(command, '{"stop_hook_active":true}')
    assert (second.returncode, second.stdout) == (1, "")
    assert "NOT VERIFIED" in second.stderr
    assert run(told[Event.PROMPT], "{}").returncode == 1


@pytest.mark.parametrize("shell", ["sh", "fish", *left_for_a_release("bash", "zsh")])
def test_the_command_finds_the_gate_of_the_machine_and_none_in_the_repository(shell: str, tmp_path: Path) -> None:
    from verigate.integrations.agents.command import commands
    from verigate.integrations.agents.host import Event
    from verigate.integrations.launchers.machine_gate import record_gate

    root, home, others = tmp_path / "repository", tmp_path / "it's home", tmp_path / "others"
    for folder in (root, home, others):
        folder.mkdir()
    gates = {}
    for folder in (root, home, others):
        gates[folder] = folder / "gate"
        gates[folder].write_text(f"#!/bin/sh\ncat >/dev/null\necho {folder.name.split()[-1]} $*\n")
        gates[folder].chmod(0o755)
    command = commands("claude", 5)[Event.STOP]

    def run(**environ: str) -> tuple[int, str]:
        done = subprocess.run(
            (shell, "-c", command), input="{}", env={"PATH": "/usr/bin:/bin", "HOME": str(home), **environ}, cwd=root,
            capture_output=True, text=True, check=False, timeout=30,
        )  # fmt: skip
        return done.returncode, done.stdout

    # A colleague, who has the settings from the repository and a gate on PATH.
    assert run(PATH=f"{others}:/usr/bin:/bin") == (0, "others hook claude stop --attempts 5\n")
    record_gate((str(gates[home]),), root, {"HOME": str(home)})
    assert run() == run(PATH=f"{others}:/usr/bin:/bin") == (0, "home hook claude stop --attempts 5\n")
    # What comes with the repository is no gate.
    (root / "verigate").mkdir()
    (root / "verigate/gate").symlink_to("../gate")
    assert run(XDG_STATE_HOME=str(root)) == run(XDG_STATE_HOME=".") == run(PATH=".:/usr/bin:/bin", HOME="/h") == (2, "")
    gates[home].unlink()
    assert run() == (2, "")


def test_history_that_was_rewritten_leaves_the_last_commit_that_is_left_as_base(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    agent.repository.put("shop.py", WORKS)
    agent.repository.sample.commit("added")
    agent.prompt("Say it better.")
    agent.repository.put("shop.py", BROKEN)
    agent.repository.sample.git("commit", "--quiet", "--all", "--amend", "-m", "broken")
    _, reason = agent.stop("Amended.")
    assert "code.tests_pass refuted" in (reason or "")


def test_before_the_first_commit_everything_is_the_turns_work(tmp_path: Path) -> None:
    from sample_repository import SampleRepository

    agent = claude(tmp_path)
    agent.repository.sample.git("update-ref", "-d", "HEAD")
    assert SampleRepository(agent.repository.root).git("status", "--porcelain")
    agent.prompt("Add numbers.")
    agent.repository.put("shop.py", BROKEN)
    agent.repository.sample.commit("first")
    _, reason = agent.stop("Committed.")
    assert "code.tests_pass refuted" in (reason or "")


TESTS = "from shop import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n"
TESTS += "def test_zero():\n    assert add(0, 0) == 0\n"


def _edit_of(path: Path | str, **more: Any) -> dict[str, Any]:
    given = {"file_path": str(path), "content": "x", **more}
    return {"session_id": SESSION, "hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": given}


@pytest.mark.release
def test_an_edit_that_weakens_a_test_is_told_of_once_while_the_turn_goes_on(tmp_path: Path) -> None:
    agent = claude(tmp_path)
    test = agent.repository.put("test_shop.py", TESTS)
    agent.repository.sample.commit("tests")
    agent.prompt("Add numbers.")
    test.write_text(TESTS + "\n\ndef test_more():\n    assert add(2, 2) == 4\n")
    assert agent.event("edit", _edit_of(test)).out == ""
    test.write_text(TESTS.replace("def test_zero", "import pytest\n\n\n@pytest.mark.skip\ndef test_zero"))
    told = agent.event("edit", _edit_of(test)).json["hookSpecificOutput"]
    assert told["hookEventName"] == "PostToolUse"
    (line,) = told["additionalContext"].splitlines()
    assert line.startswith("verigate: test_shop.py:11: this may check less than at HEAD: a test is skipped: @pytest")
    assert "Weakens:" not in line
    assert agent.event("edit", _edit_of(test)).out == ""
    # Another one is another one.
    test.write_text(TESTS.replace("    assert add(1, 2) == 3\n", "    add(1, 2)\n"))
    assert "add(1, 2) == 3" in agent.event("edit", _edit_of(test)).json["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize(
    "kind", ["new", "link", "huge", "binary", *left_for_a_release("elsewhere", "folder", "above", "no tests")]
)
def test_an_edit_of_nothing_that_checked_more_is_not_told_of(kind: str, tmp_path: Path) -> None:
    agent = claude(tmp_path)
    test = agent.repository.put("test_shop.py", TESTS)
    agent.repository.put("shop.py", WORKS)
    agent.repository.sample.commit("tests")
    agent.prompt("Add numbers.")
    outside = tmp_path / "test_outside.py"
    outside.write_text("import pytest\n")
    edited: Path | str = test
    if kind == "new":
        edited = agent.repository.put(
            "test_new.py", "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert 1\n"
        )
    elif kind == "elsewhere":
        edited = outside
    elif kind == "above":
        edited = "../test_outside.py"
    elif kind == "no tests":
        edited = agent.repository.put("shop.py", BROKEN)
    elif kind == "binary":
        test.write_bytes(TESTS.encode() + b"\0\xff\xfe")
    else:
        test.unlink()
        if kind == "link":
            test.symlink_to(outside)
        elif kind == "folder":
            test.mkdir()
        else:
            test.write_text(TESTS + "#" * (3 << 20))
    answer = agent.event("edit", _edit_of(edited))
    assert (answer.code, answer.out) == (0, ""), answer.output
