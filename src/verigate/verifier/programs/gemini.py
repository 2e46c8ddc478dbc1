"""``gemini-cli``: Google's Gemini CLI, without tools. Its settings in the run folder count once that is trusted."""

from __future__ import annotations

from verigate.domain.engine import EngineCapabilities
from verigate.verifier.enforced import read_shipped_enforced
from verigate.verifier.program import ConfigFile, FaultRule, LogRule, Program, SkillDelivery, Trust, Words

_DOCUMENT = """\
# gemini-cli

Use when: Gemini CLI is installed and logged in, or GEMINI_API_KEY is set and the program is wanted.
Don't use when: an answer has to be held to a JSON Schema by the provider; gemini-api does that, in a tenth of the time.

Core fields: command, settings (keys of its settings.json, such as security.auth.selectedType), arguments, skill,
session, instructionsFilePath (becomes the GEMINI.md of the run folder).
"""

_END = {"/type": "result", "/status": "error"}


def _list_faults() -> tuple[FaultRule, ...]:
    """It tries ten times after 429 and 5xx, with growing pauses: its second try is after some five seconds."""
    text, api = ("/error/message",), "[API Error:"
    return (
        FaultRule("not_permitted", _END, text, (api, '"code":401')),
        FaultRule("not_permitted", _END, text, (api, '"code":403')),
        FaultRule("not_permitted", _END, text, (api, "API key not valid")),
        FaultRule("model_not_found", _END, text, (api, '"code":404')),
        FaultRule("model_not_found", _END, text, (api, "models/", " is not found")),
        FaultRule("rate_limited", _END, text, (api, '"code":429')),
        FaultRule("rate_limited", _END, text, (api, "exhausted your ")),
        FaultRule("rate_limited", prefix="Attempt 2 failed with status 429.", ends=True),
        FaultRule("unavailable", prefix="Attempt 4 failed with status 5", ends=True),
        FaultRule("untrusted_folder", prefix="Gemini CLI is not running in a trusted directory."),
        FaultRule("not_logged_in", prefix="Invalid auth method selected"),
        FaultRule("not_logged_in", prefix="Please set an Auth method in your "),
    )


PROGRAM = Program(
    type="gemini_cli",
    label="Gemini CLI (local)",
    command=("gemini",),
    configuration_doc=_DOCUMENT,
    capabilities=EngineCapabilities(
        json_output=True,
        session_resume=True,
        trust_folder=True,
        supports_instructions_bundle=True,
    ),
    provider="google",
    arguments=(
        Words(("--output-format", "stream-json")),
        Words(("--model", "{model}"), needs="model"),
        Words(("--resume", "{session}"), needs="session"),
        # Empty: what stdin holds is the prompt, and this only says that nobody is at a terminal.
        Words(("--prompt", "")),
    ),
    config=ConfigFile(".gemini/settings.json"),
    defaults={"general": {"disableAutoUpdate": True}, "ui": {"hideTips": True}, "privacy": {"usageStatistics": False}},
    enforced=read_shipped_enforced("gemini"),
    environment=("GEMINI_*", "GOOGLE_*", "CODE_ASSIST_*"),
    credentials=("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "~/.gemini/oauth_creds.json"),
    set={"TERM": "xterm-256color"},
    trust=Trust("~/.gemini/trustedFolders.json", "json", ("{run_dir}",), "TRUST_FOLDER"),
    # A skill in a folder would be listed, and nothing could read it: tools are off. It goes into the prompt.
    skills=SkillDelivery(),
    instructions_file="GEMINI.md",
    faults=_list_faults(),
    unknown_session=("Invalid session identifier", "No previous sessions found"),
    log=(
        LogRule(
            "session",
            {"/type": "init"},
            text=("/model",),
            fields={"session": ("/session_id",), "asked": ("/model",)},
        ),
        LogRule("message", {"/type": "message", "/role": "assistant"}, text=("/content",), delta=True),
        LogRule("tool_call", {"/type": "tool_use"}, text=("/parameters",), name=("/tool_name",), id=("/tool_id",)),
        LogRule("tool_result", {"/type": "tool_result"}, text=("/output", "/error/message"), id=("/tool_id",)),
        LogRule("error", {"/type": "error"}, text=("/message",)),
        LogRule(
            "error",
            {"/type": "result", "/status": "error"},
            text=("/error/message",),
            fields={"error": ("/error/message", "/error/type")},
        ),
        LogRule(
            "usage",
            {"/type": "result"},
            fields={"input_tokens": ("/stats/input_tokens",), "output_tokens": ("/stats/output_tokens",)},
            # A small model chooses the one that answers, where the user leaves it to the program.
            most={"model": ("/stats/models", "/output_tokens")},
        ),
        # --output-format json, should somebody ask for that in arguments.
        LogRule("message", {"/type": None}, text=("/response",), fields={"session": ("/session_id",)}),
        LogRule("error", {"/type": None}, text=("/error/message",), fields={"error": ("/error/message",)}),
    ),
    package="@google/gemini-cli",
    install="npm install -g @google/gemini-cli",
)
