"""What a tool answers to what the gate says: in doubt an error. And what a tool's arguments become."""

from __future__ import annotations

import json
from typing import Any

import pytest

from verigate.config import schemas
from verigate.errors import GateError
from verigate.integrations.mcp.tool_answer import EndedCall, ToolAnswer, answer_call
from verigate.integrations.mcp.tools import Tool, make_tools
from verigate.reporting.mcp_text import render_tool_text

TOOLS = make_tools(schemas.bundle_schema("verdict"))
VERDICT = {
    "schema": "verigate:verdict.v1",
    "task_id": "T1",
    "type": "code",
    "status": "pass",
    "decided_by": "facts",
    "checks": [],
    "reasons": [],
    "units": {"expected": None, "supported": 0, "refuted": 0, "undecided": 0, "per_unit": []},
    "metrics": {},
    "policy": {"profile": "code", "digest": "sha256:0", "thresholds": {}},
    "subject": {"kind": "worktree", "base": None, "tree": None},
    "verifier": None,
    "metadata": {},
}
NOTHING = {"schema": "verigate:no-verdict.v1", "message": "nothing to verify"}
FAULT = {"message": "there is no task T2", "file": ".artifacts/T2", "pointer": None, "line": None, "hint": "gate list"}
ERROR = {"schema": "verigate:error.v1", "code": "USAGE", "exit_code": 2, "faults": [FAULT]}


def said(tool: str, code: int, out: Any, *err: str, **arguments: Any) -> ToolAnswer:
    content = out if isinstance(out, bytes) else json.dumps(out).encode()
    return answer_call(TOOLS[tool], arguments, EndedCall(code, content, err), render_tool_text)


@pytest.mark.parametrize(("status", "code"), [("pass", 0), ("fail", 1), ("error", 3), ("inconclusive", 4)])
def test_a_verdict_of_any_status_is_an_answer(status: str, code: int) -> None:
    document = {**VERDICT, "status": status}
    found = said("verify", code, document, "warning: look out", "code:tests 1 s", task_id="T1")
    assert found.document == {"passed": status == "pass", "status": status, "verdict": document}
    assert found.text.startswith(f"verigate: {status.upper()} T1: ")
    assert found.text.endswith("\nwarning: look out")
    # A published verdict is shown with 0, whatever it is.
    assert said("show", 0, document).document == found.document
    assert said("show", code or 1, document).document is None


@pytest.mark.parametrize(
    ("tool", "code", "out", "arguments"),
    [
        ("verify", 1, VERDICT, {}),
        ("verify", 0, {**VERDICT, "status": "fail"}, {}),
        ("verify", 0, {**VERDICT, "status": "PASS"}, {}),
        ("verify", 130, VERDICT, {}),
        ("verify", -9, VERDICT, {}),
        ("verify", 0, VERDICT, {"task_id": "T2"}),
        ("verify", 0, {**VERDICT, "schema": "verigate:verdict.v2"}, {}),
        ("verify", 0, {name: value for name, value in VERDICT.items() if name != "checks"}, {}),
        ("verify", 0, json.dumps(VERDICT).encode()[:-1], {}),
        ("verify", 0, json.dumps(VERDICT).encode() * 2, {}),
        ("verify", 0, b"", {}),
        ("verify", 0, [VERDICT], {}),
        ("verify", 0, ERROR, {}),
        ("verify", 1, NOTHING, {}),
        ("show", 0, NOTHING, {}),
        ("plan", 0, VERDICT, {}),
        ("explain", 0, {"schema": "verigate:explanation.v1", "task_id": "T1", "status": "pass"}, {}),
        ("list", 1, {"schema": "verigate:tasks-report.v1", "tasks": []}, {}),
    ],
)
def test_what_does_not_fit_together_is_an_error(tool: str, code: int, out: Any, arguments: dict[str, Any]) -> None:
    found = said(tool, code, out, "gate: something broke", **arguments)
    assert found.document is None
    about_work = tool in {"verify", "show"}
    assert found.text.startswith(f"verigate: {'NOT VERIFIED' if about_work else 'no answer'}: the gate ")
    assert "its last line: gate: something broke" in found.text
    assert "gate doctor" in found.text


def test_an_error_says_what_to_try_and_an_empty_subject_is_no_pass() -> None:
    wrong = said("show", 2, ERROR)
    assert wrong == ToolAnswer("verigate: NOT VERIFIED: .artifacts/T2: there is no task T2 (try: gate list)")
    empty = said("verify", 0, NOTHING)
    assert empty.document == {"passed": False, "status": "nothing", "verdict": None}
    assert empty.text == "verigate: not a pass, nothing to verify"


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("verify", {}, "verify --json"),
        ("verify", {"task_id": "--help"}, "verify --json -- --help"),
        ("verify", {"task_id": "T1", "staged": True}, "verify --json --staged -- T1"),
        ("verify", {"only": ["a:b", "--c"]}, "verify --json --only=a:b --only=--c"),
        ("plan", {"ref": "--json", "base": "-C", "profile": "-h"}, "plan --json --ref=--json --base=-C --profile=-h"),
        ("explain", {"task_id": "T1", "check": "-v"}, "explain --json -- T1 -v"),
        ("prove", {"type": "code"}, "doctor --prove --json --type=code"),
        ("ask_person", {"question": "--yes", "task_id": "T1"}, "show --json -- T1"),
    ],
)
def test_arguments_are_never_options(tool: str, arguments: dict[str, Any], words: str) -> None:
    assert TOOLS[tool].words(arguments) == tuple(words.split())


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("verify", {"task_id": "../T1"}, "/task_id"),
        ("verify", {"task_id": ""}, "/task_id"),
        ("verify", {"task_id": 1}, "must be a string"),
        ("verify", {"task": "T1"}, "did you mean 'task_id'"),
        ("verify", {"staged": "yes"}, "must be true or false"),
        ("verify", {"ref": "a\nb"}, "/ref"),
        ("verify", {"base": "a\x00"}, "/base"),
        ("verify", {"only": []}, "/only"),
        ("verify", {"only": ["a,b"]}, "/only/0"),
        ("adapters", {"task_id": "T1"}, "unknown key"),
        ("explain", {"check": "tests_pass"}, "give task_id"),
        ("prove", {"type": "-x y"}, "/type"),
        ("ask_person", {}, "question"),
        ("ask_person", {"question": ""}, "/question"),
        ("ask_person", {"question": "x" * 2001}, "/question"),
    ],
)
def test_arguments_of_another_form_are_refused(tool: str, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(GateError) as caught:
        TOOLS[tool].words(arguments)
    assert told in "; ".join(map(str, caught.value.faults))


def test_what_is_foreign_is_escaped_and_bounded() -> None:
    def planned(name: str) -> dict[str, Any]:
        return {"name": name, "required": True, "reasons": ["\x1b[2J"], "needs": [], "adapter": None, "problem": "a\nb"}

    document = {
        "schema": "verigate:plan-report.v1", "task_id": "T1", "type": "code", "profile": "p\u202e",
        "capabilities": [planned(f"my:{number}") for number in range(60)],
    }  # fmt: skip
    lines = said("plan", 0, document).text.splitlines()
    assert lines[0] == "verigate: plan of T1: type code, profile p\\u202e"
    assert lines[1] == "- my:0: required, no adapter: \\x1b[2J; can't run: a\\nb"
    assert lines[-1] == "- and 10 more"
    assert len(lines) == 52


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_is_a_command_and_its_schemas_are_schemas(tool: Tool) -> None:
    assert tool.takes.find_faults([]) != ()
    assert tool.gives.find_faults({}) != ()
    assert tool.read_only is (tool.name not in {"verify", "prove"})


@pytest.mark.parametrize(
    ("states", "code"),
    [(["stopped"], 0), (["stopped", "unproven"], 4), (["stopped", "open"], 4), (["stopped", "missed"], 3), ([], 3)],
)
def test_proofs_are_an_answer_with_the_exit_code_of_what_they_prove(states: list[str], code: int) -> None:
    proofs = [{"rule": "code.lint", "state": state, "planted": None, "message": "\x1b[2J"} for state in states]
    document = {"schema": "verigate:proofs.v1", "proofs": proofs}
    answer = said("prove", code, document)
    assert answer.document == document
    assert "\x1b" not in answer.text
    assert f"{states.count('stopped')} of {len(states)} rules stopped" in answer.text
    assert said("prove", 1, document).document is None
