"""What each host sends to the hook after an edit, and how it is answered; nothing but text is loaded.

The hosts' modules know the same of the other events. A test compares what both read.
"""

from __future__ import annotations

from verigate.formats.tool_call import call_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from verigate.advice.json_reader import Encode, Parse

MARKER = b"verigate-hook"
"""What the settings of a host hold where the gate is installed."""


class EditCall:
    """An edit: where the project is, which files it wrote, and of which session and subagent it is."""

    def __init__(self, folder: str | None, paths: tuple[str, ...], session: str, agent: str | None) -> None:
        self.folder, self.paths, self.session, self.agent = folder, paths, session, agent


class EditingHost:
    """How a host calls the hook. ``event`` is its name of the event where the answer has to repeat it.

    ``variable`` of the environment names the project, where the agent can change what ``folder`` says. ``quiet`` is
    the answer if nothing has to be said.
    """

    def __init__(
        self,
        *,
        event: str = "",
        answer: str = "additionalContext",
        quiet: str = "",
        variable: str = "",
        folder: str = "cwd",
        session: str = "session_id",
        arguments: str = "tool_input",
    ) -> None:
        self._event, self._answer, self.quiet = event, answer, quiet
        self._variable, self._folder, self._session, self._arguments = variable, folder, session, arguments

    def read(self, document: Mapping[str, Any], environ: Mapping[str, str], parse: Parse) -> EditCall:
        """Read what was sent."""
        given = document.get(self._arguments)
        if isinstance(given, str):
            try:
                given = parse(given)
            except (ValueError, RecursionError):
                given = None
        named = environ.get(self._variable, "") if self._variable else ""
        roots = document.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots else None
        folder = named if named.startswith("/") else first or document.get(self._folder)
        session, agent = document.get(self._session), document.get("agent_id")
        return EditCall(
            folder if isinstance(folder, str) else None,
            call_of(given)[1],
            session if isinstance(session, str) else "",
            agent if isinstance(agent, str) else None,
        )

    def render(self, text: str, encode: Encode) -> str:
        """Render an answer by which the agent reads ``text``, next to the tool's result."""
        inner = f'"{self._answer}": {encode(text)}'
        if not self._event:
            return f"{{{inner}}}"
        return f'{{"hookSpecificOutput": {{"hookEventName": "{self._event}", {inner}}}}}'


HOSTS: dict[str, EditingHost] = {
    "claude": EditingHost(event="PostToolUse", variable="CLAUDE_PROJECT_DIR"),
    "codex": EditingHost(event="PostToolUse"),
    "droid": EditingHost(event="PostToolUse", variable="FACTORY_PROJECT_DIR"),
    "qwen": EditingHost(event="PostToolUse", variable="QWEN_PROJECT_DIR", quiet="{}"),
    "gemini": EditingHost(event="AfterTool", variable="GEMINI_PROJECT_DIR", quiet="{}"),
    "cursor": EditingHost(answer="additional_context", session="conversation_id", quiet="{}"),
    "copilot": EditingHost(session="sessionId", arguments="toolArgs"),
    "opencode": EditingHost(answer="context", folder="folder", session="session", arguments="arguments", quiet="{}"),
}
"""The hosts that call a hook after an edit and show the agent its answer."""
