"""``claude-cli``: Anthropic's Claude Code, without tools, hooks, servers or settings of its own."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.engine import EngineCapabilities
from verigate.verifier.enforced import read_shipped_enforced
from verigate.verifier.program import ConfigFile, Fault, FaultRule, Login, LogRule, Program, SkillDelivery, Words

_DOCUMENT = """\
# claude-cli

Use when: Claude Code is installed and logged in, or ANTHROPIC_API_KEY is set; costs in US dollars are wanted.
Don't use when: temperature and seed have to be what the gate asks for; the program takes neither.

Core fields: command, settings (keys of its settings.json), arguments, skill, session.
It runs without tools, hooks, MCP servers and the user's own settings; add "--setting-sources", "user" to arguments
where an apiKeyHelper of ~/.claude/settings.json is needed.
"""

_Values = Mapping[str, str | bool | int | None]
_RETRY: _Values = {"/type": "system", "/subtype": "api_retry"}
_END: _Values = {"/type": "result", "/is_error": True}


def _list_faults() -> tuple[FaultRule, ...]:
    """It tries ten times in three minutes, also with a key that is refused. Its fourth try is after nine seconds."""
    refused: tuple[tuple[int, Fault], ...] = ((401, "not_permitted"), (403, "not_permitted"), (404, "model_not_found"))
    later: tuple[tuple[int | None, Fault], ...] = (
        (429, "rate_limited"),
        *((status, "unavailable") for status in (500, 502, 503, 504, 529)),
        (None, "unreachable"),
    )
    return (
        *(_match_retry(code, {"/error_status": status}) for status, code in refused),
        *(_match_retry(code, {"/error_status": status, "/attempt": 4}) for status, code in later),
        FaultRule("not_logged_in", _END, ("/result",), ("Please run /login",)),
    )


def _match_retry(code: Fault, more: _Values) -> FaultRule:
    when: _Values = {**_RETRY, **more}
    return FaultRule(code, when, ("/error",), ends=True)


PROGRAM = Program(
    type="claude_cli",
    label="Claude Code (local)",
    command=("claude",),
    configuration_doc=_DOCUMENT,
    capabilities=EngineCapabilities(
        json_output=True,
        response_schema=True,
        session_resume=True,
        cost_reporting=True,
        requires_materialized_runtime_skills=True,
    ),
    provider="anthropic",
    arguments=(
        Words(("-p", "--output-format", "stream-json", "--verbose")),
        Words(("--strict-mcp-config", "--setting-sources", "")),
        Words(("--tools", "", "--disable-slash-commands"), unless="skills"),
        Words(("--tools", "Skill,Read"), needs="skills"),
        Words(("--settings", "{config_file}")),
        Words(("--system-prompt", "{instruction}"), needs="instruction"),
        Words(("--model", "{model}"), needs="model"),
        Words(("--json-schema", "{schema}"), needs="schema"),
        Words(("--resume", "{session}"), needs="session"),
    ),
    config=ConfigFile(".claude/settings.json"),
    defaults={"includeCoAuthoredBy": False},
    enforced=read_shipped_enforced("claude"),
    environment=("ANTHROPIC_*", "CLAUDE_*", "AWS_*", "CLOUD_ML_REGION", "VERTEX_*", "GOOGLE_APPLICATION_CREDENTIALS"),
    credentials=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "~/.claude/.credentials.json"),
    set={"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
    skills=SkillDelivery(flag=("--plugin-dir", "{skills}")),
    system_prompt=True,
    login=Login(("auth", "status")),
    faults=_list_faults(),
    unknown_session=("No conversation found with session ID",),
    log=(
        LogRule(
            "session",
            {"/type": "system", "/subtype": "init"},
            text=("/model",),
            fields={"session": ("/session_id",), "asked": ("/model",), "version": ("/claude_code_version",)},
        ),
        # What the provider says that it is.
        LogRule("result", {"/type": "assistant"}, fields={"model": ("/message/model",)}),
        LogRule("message", {"/type": "assistant"}, "/message/content", {"/type": "text"}, ("/text",)),
        LogRule(
            "tool_call",
            {"/type": "assistant"},
            "/message/content",
            {"/type": "tool_use"},
            ("/input",),
            ("/name",),
            ("/id",),
        ),
        LogRule(
            "tool_result",
            {"/type": "user"},
            "/message/content",
            {"/type": "tool_result"},
            ("/content",),
            id=("/tool_use_id",),
        ),
        LogRule(
            "error",
            {"/type": "result", "/is_error": True},
            text=("/errors/0", "/result"),
            fields={"error": ("/errors/0", "/result", "/subtype"), "status": ("/api_error_status",)},
        ),
        LogRule(
            "usage",
            {"/type": "result"},
            fields={
                "response": ("/structured_output", "/result"),
                "session": ("/session_id",),
                "cost": ("/total_cost_usd",),
                "input_tokens": (
                    "/usage/input_tokens",
                    "/usage/cache_creation_input_tokens",
                    "/usage/cache_read_input_tokens",
                ),
                "output_tokens": ("/usage/output_tokens",),
            },
        ),
    ),
    package="@anthropic-ai/claude-code",
    install="npm install -g @anthropic-ai/claude-code",
)
