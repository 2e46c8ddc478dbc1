"""``codex-cli``: OpenAI's Codex, in its read-only sandbox and without its shell."""

from __future__ import annotations

from verigate.domain.engine import EngineCapabilities
from verigate.verifier.enforced import read_shipped_enforced
from verigate.verifier.program import (
    ConfigFile,
    FaultRule,
    Login,
    LogRule,
    Program,
    SessionLog,
    SkillDelivery,
    Trust,
    Words,
)

_DOCUMENT = """\
# codex-cli

Use when: Codex is installed and logged in, or its config.toml names a provider and a key.
Don't use when: costs have to be known without prices in the profile; it reports tokens only.

Core fields: command, settings (keys of its config.toml, which are given as -c), arguments, skill, session,
instructionsFilePath (becomes the AGENTS.md of the run folder).
"""

_ERROR = {"/type": "error"}
_FAILED = {"/type": "turn.failed"}


def _list_faults() -> tuple[FaultRule, ...]:
    """It tries five times, also with a key that is refused, and forever without a network."""
    text, end = ("/message",), ("/error/message",)
    return (
        FaultRule("not_permitted", _ERROR, text, ("unexpected status 401 ",), ends=True),
        FaultRule("not_permitted", _ERROR, text, ("unexpected status 403 ",), ends=True),
        FaultRule("unreachable", _ERROR, text, ("Reconnecting... waiting for network",), ends=True),
        FaultRule("unavailable", _ERROR, text, ("Reconnecting... 4/5 (unexpected status 5",), ends=True),
        FaultRule("rate_limited", _FAILED, end, ("Quota exceeded.",)),
        FaultRule("rate_limited", _FAILED, end, ("You've hit your usage limit",)),
        FaultRule("rate_limited", _FAILED, end, ("status", "429 Too Many Requests")),
        FaultRule("model_not_found", _FAILED, end, ("The model ", " does not exist")),
        FaultRule("model_not_found", _FAILED, end, (" model is not supported ",)),
        FaultRule("model_not_found", _FAILED, end, ("unexpected status 404 ",)),
        FaultRule("not_logged_in", _FAILED, end, ("Not logged in",)),
        FaultRule("untrusted_folder", prefix="Not inside a trusted directory"),
    )


PROGRAM = Program(
    type="codex_cli",
    label="Codex (local)",
    command=("codex",),
    configuration_doc=_DOCUMENT,
    capabilities=EngineCapabilities(
        json_output=True,
        response_schema=True,
        session_resume=True,
        trust_folder=True,
        supports_instructions_bundle=True,
    ),
    provider="openai",
    arguments=(
        Words(("exec", "--json", "--skip-git-repo-check", "--color", "never")),
        Words(("-m", "{model}"), needs="model"),
        Words(("--output-schema", "{schema_file}"), needs="schema"),
        # Of a project's config.toml it takes few keys, and none of a provider: each is given by itself.
        Words(("-c", "{key}={value}"), each="settings"),
        Words(("{argument}",), each="arguments"),
        Words(("resume", "{session}"), needs="session"),
        Words(("-",)),
    ),
    config=ConfigFile(".codex/config.toml", "toml"),
    defaults={"hide_agent_reasoning": True},
    enforced=read_shipped_enforced("codex"),
    environment=("OPENAI_*", "CODEX_*"),
    credentials=("CODEX_API_KEY", "OPENAI_API_KEY", "~/.codex/auth.json", "~/.codex/config.toml#/model_providers"),
    set={"SHELL": "/bin/sh"},
    trust=Trust(
        "~/.codex/config.toml", "toml", ("projects", "{run_dir}", "trust_level"), "trusted", home_variable="CODEX_HOME"
    ),
    # A skill in a folder would be listed, and nothing could read it: tools are off. It goes into the prompt.
    skills=SkillDelivery(),
    instructions_file="AGENTS.md",
    strict_schema=True,
    login=Login(("login", "status"), "model_provider"),
    faults=_list_faults(),
    usage_of_session=True,
    unknown_session=("no rollout found for thread id",),
    log=(
        LogRule("session", {"/type": "thread.started"}, fields={"session": ("/thread_id",)}),
        LogRule("message", {"/type": "item.completed", "/item/type": "agent_message"}, text=("/item/text",)),
        LogRule(
            "tool_call",
            {"/type": "item.started", "/item/type": "command_execution"},
            text=("/item/command",),
            id=("/item/id",),
        ),
        LogRule(
            "tool_result",
            {"/type": "item.completed", "/item/type": "command_execution"},
            text=("/item/aggregated_output",),
            id=("/item/id",),
        ),
        # A warning of the program: its own word for what ends a turn is turn.failed.
        LogRule("error", {"/type": "item.completed", "/item/type": "error"}, text=("/item/message",)),
        LogRule("error", {"/type": "error"}, text=("/message",)),
        LogRule("error", {"/type": "turn.failed"}, text=("/error/message",), fields={"error": ("/error/message",)}),
        LogRule(
            "usage",
            {"/type": "turn.completed"},
            fields={"input_tokens": ("/usage/input_tokens",), "output_tokens": ("/usage/output_tokens",)},
        ),
    ),
    # Its output names no model. Its file of the session names the one that it asked for, and nothing the one that
    # answered.
    session_log=SessionLog(
        "~/.codex/sessions",
        "rollout-*-{session}.jsonl",
        (
            LogRule("session", {"/type": "session_meta"}, fields={"version": ("/payload/cli_version",)}),
            LogRule("session", {"/type": "turn_context"}, fields={"asked": ("/payload/model",)}),
        ),
        home_variable="CODEX_HOME",
    ),
    package="@openai/codex",
    install="npm install -g @openai/codex",
)
