"""OpenAI Codex. Source: its hooks reference, the schemas next to its source, and version 0.169.0 of the program."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.agent_host import CODEX
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.hook_groups import GroupedHost, hook_groups
from verigate.integrations.agents.host import Entries, Event, Turn, text_of

_EVENT_NAMES: Mapping[Event, str] = {
    Event.PROMPT: "UserPromptSubmit",
    Event.TOOL: "PreToolUse",
    Event.EDIT: "PostToolUse",
    Event.SUBAGENT_START: "SubagentStart",
    Event.SUBAGENT_STOP: "SubagentStop",
    Event.STOP: "Stop",
}


class Codex(GroupedHost, frozen=True):
    """Hooks in a file of their own. An answer with a key that the program doesn't know fails the hook."""

    event_names = _EVENT_NAMES

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A group per event; timeouts are seconds. The program edits with the tool apply_patch."""
        hooks = hook_groups(_EVENT_NAMES, commands, edits="apply_patch|Edit|Write", shells="Bash")
        return Entries({"hooks": hooks}, comments=False)

    def find_distrust(self, root: Path, environ: Mapping[str, str]) -> str | None:
        """Read what the user's own configuration says of project and hooks: ``projects`` and ``hooks.state``.

        Whether a hook was edited since it was reviewed only the program knows.
        """
        home = Path(environ.get("CODEX_HOME") or Path(environ.get("HOME", "")) / ".codex")
        try:
            document = tomllib.loads((home / "config.toml").read_text("utf-8"))
        except FileNotFoundError:
            document = {}
        except (OSError, ValueError) as problem:
            return f"its configuration can't be read: {problem}"
        if _read_trust(document, root) != "trusted":
            return "it doesn't trust this project, and skips its hooks"
        reviewed = _find(document, "hooks", "state")
        if not any(str(root / self.settings) in str(key) for key, state in reviewed.items() if _has_hash(state)):
            return "nobody has reviewed its hooks, and it skips them"
        return None

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """``cwd`` is the session's folder, which may lie below the repository's root."""
        command, paths = call_of(document.get("tool_input"))
        return Turn(
            session=text_of(document, "session_id") or "",
            folder=text_of(document, "cwd"),
            prompt=text_of(document, "prompt"),
            message=text_of(document, "last_assistant_message"),
            looping=document.get("stop_hook_active") is True,
            agent=text_of(document, "agent_id"),
            command=command,
            paths=paths,
        )


def _find(document: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        found = document.get(key)
        document = found if isinstance(found, dict) else {}
    return document


def _read_trust(document: Mapping[str, Any], root: Path) -> Any:
    """The level of the folder, or of the nearest one above it that has one."""
    levels = (_find(document, "projects", str(folder)).get("trust_level") for folder in (root, *root.parents))
    return next((level for level in levels if level is not None), None)


def _has_hash(state: Any) -> bool:
    return isinstance(state, dict) and bool(state.get("trusted_hash")) and state.get("enabled") is not False


HOST = Codex(
    CODEX,
    notes=(
        "codex runs a project's hooks once the project is trusted and each hook was reviewed: open /hooks in codex",
    ),
)
