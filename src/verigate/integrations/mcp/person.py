"""Ask the person in front of a host, by the protocol's elicitation, and make a tool's answer of what they say.

Before 2026-07-28 the server sends the host a request of its own; since then the call's result says what is needed, and
the host repeats the call with it. Source: https://modelcontextprotocol.io/specification, client features, elicitation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)

from verigate.integrations.mcp.tool_answer import ToolAnswer

PERSON_SCHEMA = "verigate:person.v1"
_KEY = "person"
_LONGEST = 4000
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "title": "Answer", "maxLength": _LONGEST}},
    "required": ["answer"],
}
_APPROVES_NOTHING = (
    "Your answer goes to the agent as words. It approves nothing: to accept a weakened check or a change of policy, "
    "run `gate approve` yourself."
)
_NOBODY = (
    "verigate: nobody could be asked: this host shows no questions of tools. End your turn with the question, and say "
    "what is not decided."
)


def write_question(question: str, said: str) -> str:
    """Write what the person reads: the agent's question, and what the gate says itself. Both are escaped already."""
    return f"The agent asks:\n{question}\n\nThe gate says:\n{said}\n\n{_APPROVES_NOTHING}"


def read_response(params: CallToolRequestParams) -> ToolAnswer | None:
    """Read the answer that a repeated call brings; None for a first call."""
    found = (params.input_responses or {}).get(_KEY)
    return _make_answer(found) if isinstance(found, ElicitResult) else None


def can_ask(context: ServerRequestContext[Any]) -> bool:
    """Whether the host says that it shows forms."""
    return context.session.check_client_capability(ClientCapabilities(elicitation=ElicitationCapability()))


async def ask(context: ServerRequestContext[Any], message: str) -> ToolAnswer | InputRequiredResult:
    """Ask, or say that it has to be asked. It waits as long as the person takes."""
    if not context.session.can_send_request:
        request = ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=_FORM))
        return InputRequiredResult(input_requests={_KEY: request})
    return _make_answer(await context.session.elicit_form(message, _FORM, context.request_id))


def answer_nobody() -> ToolAnswer:
    """Answer for a host that asks nobody."""
    return ToolAnswer(_NOBODY, _document("unavailable", None, _NOBODY))


def _make_answer(result: ElicitResult) -> ToolAnswer:
    said = (result.content or {}).get("answer") if result.action == "accept" else None
    answer = said[:_LONGEST] if isinstance(said, str) else None
    if answer is None:
        text = f"verigate: the person gave no answer ({result.action}). Nothing is decided: don't take it for a yes."
        return ToolAnswer(text, _document(result.action if result.action != "accept" else "cancel", None, text))
    note = "It approves nothing: the gate decides as before."
    return ToolAnswer(f"verigate: the person answers: {answer}\n{note}", _document("accept", answer, note))


def _document(action: str, answer: str | None, note: str) -> Mapping[str, Any]:
    """Make the document. Hosts give the model this and not the text, so that the note is in both."""
    return {"schema": PERSON_SCHEMA, "action": action, "answer": answer, "approves": False, "note": note}
