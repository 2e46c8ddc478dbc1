"""The server: the SDK implements the protocol, ``tool_answer`` the answers."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    InputRequiredResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as ListedTool

from verigate.errors import GateError
from verigate.formats.near_names import suggest_name
from verigate.integrations.mcp import person
from verigate.integrations.mcp.gate_call import Heard
from verigate.integrations.mcp.resources import Evidence, list_resources, list_templates, read_resource
from verigate.integrations.mcp.tool_answer import EndedCall, Teller, ToolAnswer, answer_call, answer_refusal
from verigate.integrations.mcp.tools import INSTRUCTIONS, Tool

_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Gate = Callable[[Sequence[str], Heard], Awaitable[EndedCall]]
"""The gate's command line: its arguments, and the function that gets the lines of its stderr."""


def make_server(
    tools: Mapping[str, Tool],
    gate: Gate,
    tell: Teller,
    show_question: Callable[[str], str],
    evidence: Evidence,
    *,
    version: str,
) -> Server[Any]:
    """Make the server, without a transport. Every call of a tool is one call of ``gate``.

    ``tell`` renders documents, ``show_question`` the words of an agent for a person.
    """

    async def on_list_tools(_context: ServerRequestContext, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_describe_tool(tool) for tool in tools.values()])

    async def on_list_resources(
        _context: ServerRequestContext, _params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        return await anyio.to_thread.run_sync(list_resources, evidence)

    async def on_list_templates(
        _context: ServerRequestContext, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return list_templates()

    async def on_read_resource(_context: ServerRequestContext, params: ReadResourceRequestParams) -> ReadResourceResult:
        return await anyio.to_thread.run_sync(read_resource, evidence, str(params.uri))

    async def on_call_tool(
        context: ServerRequestContext, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        tool = tools.get(params.name)
        if tool is None:
            hint = suggest_name(params.name, tools)
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name[:80]!r}" + (f"; {hint}" if hint else ""))
        given = params.arguments or {}
        lines = 0

        async def heard(line: str) -> None:
            nonlocal lines
            lines += 1
            await context.session.report_progress(lines, None, " ".join(line.split()))

        try:
            words = tool.words(given)
            if tool.asks:
                said = partial(_show, tools["show"], partial(gate, words, heard), tell)
                return await _ask_person(context, params, show_question, said)
            return _render_answer(answer_call(tool, given, await gate(words, heard), tell))
        except GateError as problem:
            return _render_answer(answer_refusal(tool, problem))

    return Server(
        "verigate",
        title="Verigate",
        version=version,
        instructions=INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        on_list_resources=on_list_resources,
        on_list_resource_templates=on_list_templates,
        on_read_resource=on_read_resource,
    )


async def _show(tool: Tool, gate: Callable[[], Awaitable[EndedCall]], tell: Teller) -> str:
    return answer_call(tool, {}, await gate(), tell).text


async def _ask_person(
    context: ServerRequestContext,
    params: CallToolRequestParams,
    show_question: Callable[[str], str],
    show: Callable[[], Awaitable[str]],
) -> CallToolResult | InputRequiredResult:
    known = person.read_response(params)
    if known is None and not person.can_ask(context):
        known = person.answer_nobody()
    if known is not None:
        return _render_answer(known)
    question = show_question(str((params.arguments or {})["question"]))
    found = await person.ask(context, person.write_question(question, await show()))
    return found if isinstance(found, InputRequiredResult) else _render_answer(found)


def _describe_tool(tool: Tool) -> ListedTool:
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.takes.document),
        output_schema=dict(tool.gives.document),
        # Adapters may use the network if they are permitted to; read-only tools start none.
        annotations=ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=not tool.read_only,
        ),
    )


def _render_answer(found: ToolAnswer) -> CallToolResult:
    content: list[ContentBlock] = [TextContent(type="text", text=found.text)]
    if found.document is None:
        return CallToolResult(content=content, is_error=True)
    return CallToolResult(content=content, structured_content=dict(found.document))


def serve(server: Server[Any]) -> None:
    """Serve one client on stdin and stdout until it closes them; then cancel running calls.

    Raises BrokenPipeError if it has left without reading its answers.
    """
    left = False
    try:
        anyio.run(_serve, server)
    except* BrokenPipeError:
        left = True
    if left:
        raise BrokenPipeError


async def _serve(server: Server[Any]) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_on_signal)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _end_on_signal() -> None:
    """Exit on a signal: the SDK reads stdin in a thread that only its client wakes up, so cancelling would hang.

    Running calls are bound to the life of this process and end with it.
    """
    heeded = [number for number in _STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
    with anyio.open_signal_receiver(*heeded) as received:
        async for _ in received:
            os._exit(130)
