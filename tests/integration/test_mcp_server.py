"""``gate mcp`` as a host sees it: the SDK's own client, over stdio, on a real repository."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import anyio
import gated_repository as gr
import literal_facts as lf
import processes_alive
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult, ElicitResult

from verigate.cli import app

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
CHECKS = ["code:diff", "code:tests"]
SLEEPS = f"9{os.getpid()}.25"
"""Seconds, and how the sleeping process is found among those of other tests."""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    """T1 is what it says, LIE claims a file that nobody touched, SLOW never ends."""
    plan = {
        "facts": {"order": CHECKS, "required": CHECKS, "optional": []},
        "slow": {"order": ["my:slow"], "required": ["my:slow"], "optional": []},
    }
    found = gr.make(
        tmp_path_factory.mktemp("mcp"),
        CODE,
        {"tests_pass": True},
        acts={"my:slow": f"sleep {SLEEPS}\n"},
        files={
            "config/adapter-plan.json": plan,
            "config/verification.profiles.json": {
                "facts": {"tests_pass": True},
                "slow": {},
                "code_default": {"tests_pass": True},
            },
        },
        timeout=600,
    )
    found.put("a.py", "answer = 42\n")
    for task_id, unit in (("T1", "file:a.py"), ("LIE", "file:adapters/facts/manifest.json")):
        found.begin(task_id)
        found.claim(unit, task_id=task_id)
    found.begin("SLOW", "slow")
    return found


def server(repository: gr.GatedRepository) -> StdioServerParameters:
    """What a host starts."""
    return StdioServerParameters(
        command=sys.executable,
        args=[*gr.GATE[1:], "mcp", "--root", str(repository.root)],
        env=repository.environ(),
        cwd=repository.home,
    )


def text(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


def decided(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict without what is known of it only once it is published, and without what reports say on top of it."""
    checks = [{name: member for name, member in check.items() if name != "reproduce"} for check in verdict["checks"]]
    return {name: member for name, member in verdict.items() if name != "metadata"} | {"checks": checks}


def wait_until(holds: Callable[[], object]) -> None:
    until = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def asleep() -> bool:
    """Whether the adapter of SLOW is at work."""
    return bool(processes_alive.with_marker(SLEEPS))


def alone(repository: gr.GatedRepository, servers: int) -> bool:
    """Whether of all processes in the environment of ``repository`` only the servers are left."""
    return not asleep() and len(gr.processes_with(str(repository.home))) == servers


@pytest.mark.slow
def test_the_tools_of_a_session(repository: gr.GatedRepository, caplog: pytest.LogCaptureFixture) -> None:
    async def session() -> None:
        with anyio.fail_after(60):
            async with Client(server(repository)) as client:
                for scene in (lists, verifies, tells, refuses, reads, proves, asks_nobody, cancels):
                    await scene(client)

    async def lists(client: Client) -> None:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(listed) == ["verify", "plan", "show", "explain", "list", "adapters", "prove", "ask_person"]
        for name, tool in listed.items():
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is (name not in {"verify", "prove"})
            assert tool.annotations.destructive_hint is False
            assert tool.output_schema is not None
        assert set(listed["verify"].input_schema["properties"]) >= {"task_id", "staged", "ref", "base", "profile"}

    async def verifies(client: Client) -> None:
        heard: list[tuple[float, str | None]] = []

        async def progress(done: float, _total: float | None, message: str | None) -> None:
            heard.append((done, message))

        # The client holds every answer that isn't an error against the tool's output schema.
        honest = await client.call_tool("verify", {"task_id": "T1"}, progress_callback=progress)
        assert not honest.is_error, text(honest)
        assert honest.structured_content is not None
        assert decided(honest.structured_content["verdict"]) == decided(repository.verdict("T1"))
        assert (honest.structured_content["passed"], honest.structured_content["status"]) == (True, "pass")
        assert text(honest) == "verigate: PASS T1: passed."
        assert [number for number, _ in heard] == list(range(1, len(heard) + 1))
        assert all(any(name in (line or "") for _, line in heard) for name in CHECKS)

        lie = await client.call_tool("verify", {"task_id": "LIE"})
        assert not lie.is_error
        assert lie.structured_content is not None
        assert (lie.structured_content["passed"], lie.structured_content["status"]) == (False, "fail")
        assert decided(lie.structured_content["verdict"]) == decided(repository.verdict("LIE"))
        assert text(lie).startswith("verigate: FAIL LIE: facts refute that this is done.\n- unit:file:adapters/")
        assert "\n  reproduce: gate verify LIE" in text(lie)

        part = await client.call_tool("verify", {"task_id": "T1", "only": ["code:tests"]})
        assert part.structured_content is not None
        assert (part.structured_content["passed"], part.structured_content["status"]) == (False, "inconclusive")
        empty = await client.call_tool("verify", {"ref": "HEAD", "base": "HEAD"})
        assert empty.structured_content == {"passed": False, "status": "nothing", "verdict": None}

    async def tells(client: Client) -> None:
        shown = await client.call_tool("show", {"task_id": "LIE"})
        assert shown.structured_content is not None
        found = shown.structured_content["verdict"]
        assert decided(found) == decided(repository.verdict("LIE"))
        assert found["metadata"] == repository.verdict("LIE")["metadata"]
        commands = {check["id"]: check["reproduce"][0] for check in found["checks"] if "reproduce" in check}
        assert commands["unit:file:adapters/facts/manifest.json"] == (
            "gate explain LIE unit:file:adapters/facts/manifest.json"
        )

        plan = await client.call_tool("plan", {"task_id": "T1"})
        assert plan.structured_content is not None
        assert [item["name"] for item in plan.structured_content["capabilities"]] == CHECKS
        assert text(plan).startswith("verigate: plan of T1: type facts, profile facts\n- code:diff: required, ")

        check = await client.call_tool("explain", {"task_id": "T1", "check": "tests_pass"})
        assert check.structured_content is not None
        (explained,) = check.structured_content["checks"]
        assert (explained["id"], explained["outcome"]) == ("code.tests_pass", "holds")
        assert "\n  fact: tests.json /" in text(check)

        tasks = await client.call_tool("list")
        assert tasks.structured_content is not None
        verdicts = {task["task_id"]: task["status"] for task in tasks.structured_content["tasks"]}
        assert verdicts == {"T1": "pass", "LIE": "fail", "SLOW": None}
        assert "- SLOW (slow) not verified: no verdict yet" in text(tasks)

        adapters = await client.call_tool("adapters")
        assert adapters.structured_content is not None
        assert adapters.structured_content["capabilities"]["code:tests"]["served_by"] == "facts"

    async def refuses(client: Client) -> None:
        for tool, arguments, told in (
            ("verify", {"task_id": "../T1"}, "verify /task_id: '../T1' is not of the form"),
            ("verify", {"taskid": "T1"}, "did you mean 'task_id'?"),
            ("verify", {"task_id": "--help"}, "--help"),
            ("verify", {"task_id": "T1", "profile": "fact"}, "'facts'"),
            ("verify", {"task_id": "T1", "staged": True, "ref": "HEAD"}, "use one of them"),
            ("plan", {"ref": "--output=/x"}, "--output=/x"),
            ("show", {"task_id": "T2"}, "gate start T2"),
            ("explain", {"task_id": "T1", "check": "test_pass"}, "tests_pass"),
        ):
            wrong = await client.call_tool(tool, arguments)
            assert wrong.is_error, arguments
            assert wrong.structured_content is None
            how = "NOT VERIFIED" if tool in {"verify", "show"} else "no answer"
            assert text(wrong).startswith(f"verigate: {how}: ")
            assert told in text(wrong)
        with pytest.raises(MCPError, match="did you mean 'verify'"):
            await client.call_tool("verfy")

    async def reads(client: Client) -> None:
        listed = {str(each.uri): each for each in (await client.list_resources()).resources}
        assert {"verigate://tasks/T1", "verigate://tasks/LIE"} <= set(listed)
        assert "verigate://tasks/SLOW" not in listed
        assert listed["verigate://tasks/T1/artifacts/tests.json"].mime_type == "application/json"
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == [
            "verigate://tasks/{task_id}",
            "verigate://tasks/{task_id}/artifacts/{+path}",
        ]
        (verdict,) = (await client.read_resource("verigate://tasks/T1")).contents
        assert json.loads(getattr(verdict, "text", "")) == repository.verdict("T1")
        (tests,) = (await client.read_resource("verigate://tasks/T1/artifacts/tests.json")).contents
        path = repository.root / ".artifacts/T1/tests.json"
        assert getattr(tests, "text", "") == path.read_text()
        for wrong in (
            "T2",
            "SLOW",
            "..",
            "T1/artifacts/../LIE/tests.json",
            "T1/artifacts/",
            "T1/verdict.json",
            "T1/../x",
        ):
            with pytest.raises(MCPError):
                await client.read_resource(f"verigate://tasks/{wrong}")
        for wrong in ("file:///etc/passwd", "verigate://tasks", "verigate://tasks/T1/artifacts/%2e%2e/%2e%2e/a.py"):
            with pytest.raises(MCPError):
                await client.read_resource(wrong)
        # What was changed since is no evidence.
        before = path.read_bytes()
        path.write_bytes(before + b" ")
        with pytest.raises(MCPError, match="NOT VERIFIED"):
            await client.read_resource("verigate://tasks/T1/artifacts/tests.json")
        assert "verigate://tasks/T1" not in {str(each.uri) for each in (await client.list_resources()).resources}
        path.write_bytes(before)

    async def proves(client: Client) -> None:
        found = await client.call_tool("prove", {"type": "slow"})
        assert found.structured_content is not None
        proven = {each["rule"]: each["state"] for each in found.structured_content["proofs"]}
        assert proven["gate.unverified"] == "stopped"
        stopped = list(proven.values()).count("stopped")
        assert text(found).startswith(f"verigate: {stopped} of {len(proven)} rules stopped the violation")

    async def asks_nobody(client: Client) -> None:
        nobody = await client.call_tool("ask_person", {"question": "May I skip it?"})
        assert nobody.structured_content is not None
        assert (nobody.structured_content["action"], nobody.structured_content["approves"]) == ("unavailable", False)
        assert "End your turn with the question" in text(nobody)

    async def cancels(client: Client) -> None:
        async with anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, "verify", {"task_id": "SLOW"})
            await anyio.to_thread.run_sync(wait_until, asleep)
            # One call that takes long keeps no other waiting.
            assert not (await client.call_tool("list")).is_error
            calls.cancel_scope.cancel()
        await anyio.to_thread.run_sync(wait_until, lambda: alone(repository, servers=1))
        assert not repository.has_verdict("SLOW")
        assert not list(repository.tmp.iterdir())
        again = await client.call_tool("show", {"task_id": "T1"})
        assert again.structured_content is not None
        assert again.structured_content["passed"] is True

    anyio.run(session)
    # The client logs what isn't the protocol.
    assert not [record for record in caplog.records if "parse" in record.getMessage()]


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_person_is_asked_with_what_the_gate_says_next_to_it(repository: gr.GatedRepository, mode: str) -> None:
    asked: list[str] = []
    answers = [
        ElicitResult(action="accept", content={"answer": "Yes, skip it."}),
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept", content={"other": "x"}),
    ]

    async def answer(_context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return answers[len(asked) - 1]

    async def session() -> None:
        with anyio.fail_after(60):
            async with Client(server(repository), mode=mode, elicitation_callback=answer) as client:
                assert not (await client.call_tool("verify", {"task_id": "LIE"})).is_error
                ask = {"question": "May I skip \x1b[2J it?", "task_id": "LIE"}
                said = [await client.call_tool("ask_person", ask) for _ in answers]
                found = [each.structured_content for each in said if each.structured_content is not None]
                assert [each["action"] for each in found] == ["accept", "decline", "cancel", "cancel"]
                assert [each["answer"] for each in found] == ["Yes, skip it.", None, None, None]
                assert not any(each["approves"] for each in found)
                assert text(said[0]).endswith("It approves nothing: the gate decides as before.")
                assert "don't take it for a yes" in text(said[1])
                shown = await client.call_tool("show", {"task_id": "LIE"})
                assert shown.structured_content is not None
                assert shown.structured_content["status"] == "fail"

    anyio.run(session)
    assert len(asked) == len(answers)
    assert asked[0].startswith("The agent asks:\nMay I skip \\x1b[2J it?\n\nThe gate says:\nverigate: FAIL LIE: ")
    assert "It approves nothing" in asked[0]
    assert "\x1b" not in asked[0]


@pytest.mark.release
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_takes_its_calls_along(repository: gr.GatedRepository, number: int | None) -> None:
    async def lost(client: Client) -> None:
        with pytest.raises(MCPError):
            await client.call_tool("verify", {"task_id": "SLOW"})

    async def session() -> None:
        with anyio.fail_after(60):
            async with anyio.create_task_group() as calls, Client(server(repository)) as client:
                calls.start_soon(lost, client)
                await anyio.to_thread.run_sync(wait_until, asleep)
                if number is not None:
                    named = processes_alive.with_marker(str(repository.root))
                    (pid,) = {*processes_alive.with_marker("mcp")} & {*named}
                    os.kill(pid, number)

    anyio.run(session)
    wait_until(lambda: alone(repository, servers=0))
    assert not repository.has_verdict("SLOW")


@pytest.mark.release
def test_a_client_that_reads_no_answer_leaves_no_fault_behind(repository: gr.GatedRepository) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a host", "version": "1"}}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    with subprocess.Popen(
        (*gr.GATE, "mcp"), cwd=repository.root, env=repository.environ(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as done:  # fmt: skip
        assert done.stdout is not None
        done.stdout.close()
        done.stdout = None
        _, told = done.communicate(f"{line}\n".encode(), timeout=30)
    assert (done.returncode, told) == (3, b"")


def test_without_the_sdk_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.context", None)
    monkeypatch.delitem(sys.modules, "verigate.integrations.mcp.server", raising=False)
    assert app.run(["mcp"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "/bin/setup --extra mcp" in " ".join(told.err.split())
