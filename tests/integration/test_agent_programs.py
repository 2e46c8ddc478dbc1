"""The real aider, claude, cline, codex, copilot, droid, gemini, opencode and qwen, driven by a scripted model.

A lie, blocked with our reason, the work, let go.

Each takes a few seconds: starting the program, two verifications and five hooks.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import npm_tools
import pytest
from agent_programs import CLINE, PROGRAMS, SHELLS, Program, aider_program, patch, run_program
from agent_repository import BROKEN, WORKS, make, own_tasks
from gated_repository import GatedRepository
from release_tests import some_always
from scripted_models import Calls, Says, Script, anthropic, completions, serving

pytestmark = pytest.mark.slow

LIE = "I added add(). All tests pass."
TRUTH = "add() adds now."


def _last_part(body: Any) -> str:
    """What the program sent last, as text."""
    told = body.get("messages") or body.get("input") or body.get("contents")
    return json.dumps(told[-1], ensure_ascii=False)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_lie_is_blocked_with_our_reason_and_the_work_is_let_go(program: Program, tmp_path: Path) -> None:
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", program.name).code == 0
    repository.sample.commit("hooks")
    shop = repository.root / "shop.py"
    steps = [program.write(shop, "", BROKEN), Says(LIE), program.write(shop, BROKEN, WORKS), Says(TRUTH)]
    with serving(program.protocol, steps) as (address, script):
        done = run_program(program, repository, address)
    told = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    assert len(script.requests) == 4, told
    assert script.steps == [], told
    assert done.returncode == 0, told

    (task,) = own_tasks(repository, program.name)
    reason = _last_part(script.requests[2])
    assert f"verigate: FAIL {task.name}: facts refute that this is done." in reason
    assert "code.tests_pass refuted (TEST_FAIL): 1 of 1 tests failed" in reason
    assert "fact: tests.json /failed = 1" in reason
    assert f"reproduce: gate verify {task.name} --only code:tests" in reason

    assert shop.read_text() == WORKS
    assert repository.verdict(task.name)["status"] == "pass"
    assert not (task / "UNVERIFIED").exists()
    commitment = json.loads((task / "commitment.json").read_text())
    assert commitment.get("user_instruction") == ("Add add() to shop.py." if program.prompts else None)
    claim = json.loads((task / "claim.json").read_text())
    assert claim["claim"]["statements"] == [TRUTH]


@pytest.mark.release
def test_claude_writes_nothing_while_the_gate_cant_be_started(tmp_path: Path) -> None:
    program = PROGRAMS[0]
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", program.name).code == 0
    repository.sample.commit("hooks")
    link = repository.home / ".local" / "state" / "verigate" / "gate"
    link.unlink()
    link.symlink_to("/bin/false")
    shop = repository.root / "shop.py"
    with serving(program.protocol, [program.write(shop, "", WORKS), Says("Done."), Says("Still.")]) as (
        address,
        script,
    ):
        run_program(program, repository, address)
    assert not shop.exists()
    assert "the gate could not be run" in _last_part(script.requests[1])


@pytest.mark.release
def test_a_subagent_of_claude_is_held_to_its_own_work(tmp_path: Path) -> None:
    program = PROGRAMS[0]
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", program.name).code == 0
    repository.sample.commit("hooks")
    shop = repository.root / "shop.py"
    asked = {"description": "Add add()", "prompt": "Add add() to shop.py.", "subagent_type": "general-purpose"}
    # In the background either may ask the model first.
    ask: dict[str, Any] = {**asked, "run_in_background": False}
    steps = [Calls("Agent", ask), program.write(shop, "", BROKEN), Says(LIE), program.write(shop, BROKEN, WORKS)]
    with serving(program.protocol, [*steps, Says(TRUTH), Says("The subagent added it.")]) as (address, script):
        done = run_program(program, repository, address)
    told = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    assert len(script.requests) == 6, told
    assert "code.tests_pass refuted (TEST_FAIL)" in _last_part(script.requests[3])
    tasks = own_tasks(repository, program.name)
    claimed = [json.loads((task / "claim.json").read_text())["claim"]["statements"] for task in tasks]
    assert sorted(claimed) == [["The subagent added it."], [TRUTH]]
    assert [repository.verdict(task.name)["status"] for task in tasks] == ["pass", "pass"]


@pytest.mark.release
def test_an_agent_that_does_nothing_about_it_is_let_go_with_a_mark(tmp_path: Path) -> None:
    """With codex, which has no cap of its own."""
    program = PROGRAMS[1]
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", program.name, "--attempts", "2").code == 0
    repository.sample.commit("hooks")
    shop = repository.root / "shop.py"
    with serving(program.protocol, [program.write(shop, "", BROKEN), *(Says(LIE),) * 9]) as (address, script):
        done = run_program(program, repository, address)
    told = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    assert len(script.requests) == 4, told
    # An answer with a key that codex doesn't know would have failed.
    assert "hook: Stop Completed" in told
    assert "Failed" not in told
    (task,) = own_tasks(repository, program.name)
    assert json.loads((task / "UNVERIFIED").read_text())["refuted"][0]["code"] == "TEST_FAIL"


@contextmanager
def _opencode(repository: GatedRepository, address: str) -> Iterator[Callable[[str, Any], Any]]:
    """``opencode serve`` in the repository: what sends it a request and returns its answer."""
    program, plugin = npm_tools.opencode()
    for place in (repository.root / ".opencode", repository.home / ".config/opencode"):
        place.mkdir(parents=True, exist_ok=True)
        (place / ".gitignore").write_text("node_modules\npackage.json\npackage-lock.json\n.gitignore\n")
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(plugin / name, place / name)
        (place / "node_modules").symlink_to(plugin / "node_modules")
    model = {"name": "m", "tool_call": True, "limit": {"context": 100000, "output": 8000}}
    provider = {"npm": "@ai-sdk/anthropic", "options": {"baseURL": f"{address}/v1", "apiKey": "none"}}
    settings = {"model": "scripted/m", "small_model": "scripted/m", "permission": "allow", "share": "disabled"}
    settings |= {"provider": {"scripted": {**provider, "models": {"m": model}}}}
    off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    environ = {f"OPENCODE_DISABLE_{name}": "true" for name in off} | {"OPENCODE_CONFIG_CONTENT": json.dumps(settings)}
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    with subprocess.Popen(
        (program, "serve", "--port", "0"),
        cwd=repository.root,
        env={**keep, **environ, "HOME": str(repository.home), "TMPDIR": str(repository.tmp)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            base = next(line.split()[-1] for line in process.stdout if "listening on" in line)

            def ask(path: str, body: Any) -> Any:
                headers = {"content-type": "application/json"}
                # The address is what the program on this machine has just printed.
                request = urllib.request.Request(base + path, json.dumps(body).encode(), headers)  # noqa: S310
                with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - as above
                    return json.loads(answer.read())

            yield ask
        finally:
            process.terminate()


def _has_passed(repository: GatedRepository) -> bool:
    # Between two verdicts there is none for a moment.
    found = [task / "verdict.json" for task in own_tasks(repository, "opencode")]
    return any(path.exists() and b'"status": "pass"' in path.read_bytes() for path in found)


@pytest.mark.release
def test_opencode_is_sent_the_reason_as_the_next_prompt(tmp_path: Path) -> None:
    repository = make(tmp_path)
    theirs = repository.put(".opencode/plugins/theirs.js", "// keep\nexport const Theirs = async () => ({});\n")
    before = theirs.read_bytes()
    assert repository.gate("install", "--agent", "opencode").code == 0
    assert "unchanged" in repository.gate("install", "--agent", "opencode").out
    repository.sample.commit("hooks")
    shop, plan = repository.root / "shop.py", repository.root / "config/adapter-plan.json"

    def write(path: Path, content: str) -> Calls:
        return Calls("write", {"filePath": str(path), "content": content})

    judges = plan.read_text()
    steps = [write(shop, BROKEN), Says(LIE), Calls("read", {"filePath": str(plan)}), write(plan, f"{judges} ")]
    steps += [
        Calls("bash", {"command": "git commit -n -m x", "description": "Commit"}),
        write(shop, WORKS),
        Says(TRUTH),
    ]
    with serving(anthropic, steps) as (address, script), _opencode(repository, address) as ask:
        session = ask("/session", {})["id"]
        ask(f"/session/{session}/message", {"parts": [{"type": "text", "text": "Add add() to shop.py."}]})
        until = time.monotonic() + 120
        while time.monotonic() < until and not _has_passed(repository):
            time.sleep(0.1)
    assert "code.tests_pass refuted (TEST_FAIL): 1 of 1 tests failed" in _last_part(script.requests[2])
    assert "adapter-plan.json is a policy file" in _last_part(script.requests[4])
    assert plan.read_text() == judges
    assert "git commit -n goes past the hooks" in _last_part(script.requests[5])
    (task,) = own_tasks(repository, "opencode")
    assert repository.verdict(task.name)["status"] == "pass"
    assert json.loads((task / "commitment.json").read_text())["user_instruction"] == "Add add() to shop.py."
    assert json.loads((task / "claim.json").read_text())["claim"]["statements"] == [TRUTH]
    assert repository.gate("uninstall", "--agent", "opencode").code == 0
    assert [(path, path.read_bytes()) for path in theirs.parent.iterdir()] == [(theirs, before)]


@pytest.mark.parametrize("program", some_always(PROGRAMS, lambda program: program.name, one_in=4))
def test_a_commit_past_the_hooks_and_an_edit_of_the_policy_are_refused(program: Program, tmp_path: Path) -> None:
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", program.name).code == 0
    head = repository.sample.commit("hooks")
    policy = repository.root / "config/verification.profiles.json"
    before = policy.read_text()
    commit = "git -c user.name=A -c user.email=a@b.c commit -n --allow-empty -m 'Past the hooks'"
    added = program.write(policy.with_name("policy.json"), "", "{}")
    if program.name == "codex":
        added = patch(Path("policy.json"), "", "{}")
        added = Calls("apply_patch", added.arguments.replace("policy.json", "config/policy.json"))
    steps = [SHELLS[program.name](commit), added, Says("I was refused.")]
    with serving(program.protocol, steps) as (address, script):
        done = run_program(program, repository, address)
    told = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    assert script.steps == [], told
    assert "git commit -n goes past the hooks. Let the hooks run." in _last_part(script.requests[1]), told
    edited = _last_part(script.requests[2])
    assert "policy.json is a policy file. Leave the file as it is." in edited, edited
    assert repository.sample.git("rev-parse", "HEAD") == head
    assert policy.read_text() == before
    assert not policy.with_name("policy.json").exists()


@pytest.mark.release
@pytest.mark.parametrize("kind", ["a commit past the hooks", "an edit of the policy"])
def test_cline_ends_its_run_where_a_tool_call_is_refused(kind: str, tmp_path: Path) -> None:
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", "cline").code == 0
    hook = repository.root / ".clinerules/hooks/PreToolUse"
    assert os.access(hook, os.X_OK)
    head = repository.sample.commit("hooks")
    plan = repository.root / "config/adapter-plan.json"
    before = plan.read_text()
    commit = SHELLS["cline"]("git -c user.name=A -c user.email=a@b.c commit -n --allow-empty -m 'Past the hooks'")
    refused = commit if kind.startswith("a commit") else CLINE.write(plan.with_name("policy.json"), "", "{}")
    shop = repository.root / "shop.py"
    steps = [Calls("read_files", {"files": [{"path": str(plan)}]}), CLINE.write(shop, "", WORKS), refused, Says("On.")]
    with serving(CLINE.protocol, steps) as (address, script):
        done = run_program(CLINE, repository, address)
    told = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    # It may read the policy and write its work; what follows the refused call is never asked for.
    assert script.steps == [Says("On.")], told
    assert shop.read_text() == WORKS
    assert repository.sample.git("rev-parse", "HEAD") == head
    assert plan.read_text() == before
    assert not plan.with_name("policy.json").exists()
    assert repository.gate("uninstall", "--agent", "cline").code == 0
    assert not hook.exists()


def _edit(now: str, then: str) -> Says:
    """What aider reads as an edit of shop.py."""
    return Says(f"shop.py\n```\n<<<<<<< SEARCH\n{now}=======\n{then}>>>>>>> REPLACE\n```\n")


@pytest.mark.release
def test_aider_is_sent_the_reason_as_a_test_that_failed(tmp_path: Path) -> None:
    repository = make(tmp_path)
    assert repository.gate("install", "--agent", "aider").code == 0
    assert "unchanged" in repository.gate("install", "--agent", "aider").out
    repository.sample.commit("hooks")
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    # Nothing but the model on this machine is reached.
    keep |= {"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1", "OPENAI_API_KEY": "none"}
    quiet = ("--no-show-model-warnings", "--no-check-update", "--analytics-disable", "--no-gitignore", "--yes-always")
    steps = [_edit("", BROKEN), _edit(BROKEN, WORKS)]
    with serving(_without_tools, steps) as (address, script):
        done = subprocess.run(
            (aider_program(), *quiet, "--model=openai/m", "--edit-format=diff", "--message=Add add()", "shop.py"),
            cwd=repository.root,
            env={**keep, "OPENAI_API_BASE": f"{address}/v1", "HOME": str(repository.home), "SHELL": "/bin/sh"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    told = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    assert script.steps == [], told
    assert len(script.requests) == 2, told
    sent = json.dumps(script.requests[1]["messages"])
    assert "code.tests_pass refuted (TEST_FAIL): 1 of 1 tests failed" in sent, told
    assert (repository.root / "shop.py").read_text() == WORKS
    (task,) = own_tasks(repository, "aider")
    assert repository.verdict(task.name)["status"] == "pass"
    # The next message is another turn, compared with what the person committed in between.
    repository.sample.commit("add")
    assert repository.sample.git("log", "--format=%s", "-1") == "add"


def _without_tools(path: str, body: Any, script: Script) -> Any:
    """Chat Completions for a program that gives the model no tools."""
    return completions(path, {**body, "tools": ["none"]}, script)
