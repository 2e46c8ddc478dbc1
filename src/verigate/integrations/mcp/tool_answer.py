"""Make a tool's answer from a call of the gate's command line. Anything in doubt is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.proof import State, exit_code_of
from verigate.domain.verdict import VERDICT_SCHEMA, Status
from verigate.errors import GateError
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.integrations.mcp import tool_schemas
from verigate.integrations.mcp.tools import Tool

_ERROR = "verigate:error.v1"
_PROOFS = "verigate:proofs.v1"
_NO_VERDICT = "verigate:no-verdict.v1"
_FAULTS_SHOWN = 20
_WARNINGS_TOLD = 10
_WARNING = "warning: "

Teller = Callable[[Mapping[str, Any]], str]
"""A document in a few lines, with foreign text escaped."""


class EndedCall(Struct, frozen=True):
    """How a call ended: exit code, or minus the signal; stdout; the lines of stderr, the last of many."""

    code: int
    out: bytes
    err: tuple[str, ...] = ()


class ToolAnswer(Struct, frozen=True):
    """A short text, and the document that the tool's output schema accepts; None if the call is an error."""

    text: str
    document: Mapping[str, Any] | None = None


def answer_refusal(tool: Tool, problem: GateError) -> ToolAnswer:
    """Answer a call that was never made."""
    return _answer_error(tool, "; ".join(map(str, problem.faults[:_FAULTS_SHOWN])))


def answer_call(tool: Tool, arguments: Mapping[str, Any], ended: EndedCall, tell: Teller) -> ToolAnswer:
    """Return the answer of ``tool`` to ``arguments``; ``tell`` only renders documents of its ``answers``."""
    printed = _read_document(ended)
    schema = printed.get("schema")
    if schema == _ERROR and ended.code != 0:
        faults = printed.get("faults")
        if not isinstance(faults, list) or not all(map(_is_fault, faults)):
            return _answer_unreadable(tool, ended)
        return _answer_error(tool, "; ".join(_format_fault(fault) for fault in faults[:_FAULTS_SHOWN]))
    if schema == _NO_VERDICT and tool.by_verdict and ended.code == 0:
        document = {"passed": False, "status": tool_schemas.NOTHING, "verdict": None}
        return ToolAnswer(f"verigate: not a pass, {printed.get('message')}{_format_warnings(ended)}", document)
    document = _shorten_verdict(printed) if schema == VERDICT_SCHEMA else printed
    fits = schema == tool.answers and not tool.gives.find_faults(document)
    if (
        fits
        and ended.code == _expected_code(tool, printed)
        and arguments.get("task_id") in {None, printed.get("task_id")}
    ):
        return ToolAnswer(tell(printed) + _format_warnings(ended), document)
    return _answer_unreadable(tool, ended)


def _read_document(ended: EndedCall) -> dict[str, Any]:
    """Read the document on stdout; an empty one without any."""
    try:
        printed = loads(ended.out)
    except StrictJsonError:
        return {}
    return printed if isinstance(printed, dict) else {}


def _shorten_verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    status = verdict.get("status")
    return {"passed": status == Status.PASS, "status": status, "verdict": verdict}


def _expected_code(tool: Tool, printed: Mapping[str, Any]) -> int:
    if printed["schema"] == _PROOFS:
        return exit_code_of(State(proof["state"]) for proof in printed["proofs"])
    return Status(printed["status"]).exit_code if tool.by_verdict else 0


def _is_fault(fault: Any) -> bool:
    return isinstance(fault, dict) and isinstance(fault.get("message"), str)


def _format_fault(fault: Mapping[str, Any]) -> str:
    place = " ".join(str(fault[name]) for name in ("file", "pointer") if fault.get(name))
    message = f"{place}: {fault['message']}" if place else str(fault["message"])
    return f"{message} (try: {fault['hint']})" if fault.get("hint") else message


def _answer_error(tool: Tool, why: str) -> ToolAnswer:
    # A failed request for a plan proves nothing about the work.
    return ToolAnswer(f"verigate: {'NOT VERIFIED' if tool.answers == VERDICT_SCHEMA else 'no answer'}: {why}")


def _answer_unreadable(tool: Tool, ended: EndedCall) -> ToolAnswer:
    how = f"was ended by signal {-ended.code}" if ended.code < 0 else f"ended with exit code {ended.code}"
    last = next((f"; its last line: {line}" for line in reversed(ended.err)), "")
    hint = "try: the same with `gate` in a terminal, and `gate doctor`"
    return _answer_error(tool, f"the gate {how} without a readable answer{last} ({hint})")


def _format_warnings(ended: EndedCall) -> str:
    found = [line for line in ended.err if line.startswith(_WARNING)][:_WARNINGS_TOLD]
    return "".join(f"\n{line}" for line in found)
