"""Sessions of OpenAI Codex, as versions 0.58.0 and 0.169.0 of the program write them.

``CODEX_HOME`` (``~/.codex``) has ``sessions/YEAR/MONTH/DAY/rollout-*.jsonl``. An exit code stands in an event of its
own (0.169.0), in the JSON of a tool's answer (0.58.0), or in its head, before what the command printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.agent_history import PastSession
from verigate.integrations.agents.host import text_of
from verigate.integrations.transcripts.events import Gathered, moment_of, texts_of
from verigate.integrations.transcripts.files import find_files, parse, read_lines
from verigate.integrations.transcripts.source import Reading, Source

_PATCH = "apply_patch"
_SHELLS = frozenset({"exec_command", "shell", "shell_command", "local_shell", "container.exec"})
_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d{1,10})$", re.MULTILINE)
_OUTPUT = re.compile(r"^Output:$", re.MULTILINE)
_WITH_OPTION = 3
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_ANSWERS = frozenset({"function_call_output", "custom_tool_call_output"})


class CodexTranscripts(Source):
    """The sessions below a user's folder of Codex."""

    name = "codex"

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """Files of sessions, also of those that were put away."""
        folder = Path(environ.get("CODEX_HOME") or home / ".codex")
        return find_files(folder, ("sessions/**/rollout-*.jsonl", "archived_sessions/**/rollout-*.jsonl"))

    def read(self, path: Path, reading: Reading) -> PastSession:
        """Read one session."""
        gathered = Gathered()
        name = folder = ""
        for entry in read_lines(path):
            payload = entry.get("payload") if isinstance(entry, dict) else None
            if not isinstance(payload, dict):
                reading.lines += 1
            elif entry.get("type") == "session_meta":
                name, folder = name or text_of(payload, "id") or "", folder or text_of(payload, "cwd") or ""
            elif entry.get("type") == "event_msg":
                _take_event(payload, moment_of(entry), gathered)
            elif entry.get("type") == "response_item":
                _take_item(payload, moment_of(entry), gathered)
        return PastSession(self.name, name or path.stem, folder, gathered.turns())


def _take_event(event: Mapping[str, Any], moment: float, gathered: Gathered) -> None:
    kind = event.get("type")
    found = event.get("item") if kind == "item_completed" else None
    item = found if isinstance(found, dict) else {}
    if kind == "user_message" or item.get("type") == "UserMessage":
        gathered.prompt(moment)
    elif item.get("type") == "CommandExecution":
        _end(gathered, item.get("id"), item.get("exit_code"))
    elif item.get("type") == "FileChange" and (call := gathered.find(item.get("id"))) is not None:
        call.end(succeeded=item.get("status") == "completed")
    elif kind == "exec_command_end":
        _end(gathered, event.get("call_id"), event.get("exit_code"))


def _take_item(item: Mapping[str, Any], moment: float, gathered: Gathered) -> None:
    kind = text_of(item, "type")
    if kind == "message" and item.get("role") == "assistant":
        gathered.say(texts_of(item.get("content"), "output_text"), moment)
    elif kind in _CALLS:
        _begin(item, moment, gathered)
    elif kind in _ANSWERS and (call := gathered.find(item.get("call_id"))) is not None and call.succeeded is None:
        _end(gathered, item.get("call_id"), _read_exit(item.get("output")))


def _begin(item: Mapping[str, Any], moment: float, gathered: Gathered) -> None:
    name, given = text_of(item, "name"), item.get("arguments", item.get("input", item.get("action")))
    if name == _PATCH and isinstance(given, str):
        # The patch itself, or JSON with it.
        read = parse(given.encode("utf-8", "replace"))
        arguments: Any = read if isinstance(read, dict) else {"patch": given}
    else:
        arguments = parse(given.encode("utf-8", "replace")) if isinstance(given, str) else given
    if not isinstance(arguments, dict) or not (
        name == _PATCH or name in _SHELLS or item.get("type") == "local_shell_call"
    ):
        return
    words = arguments.get("command")
    if isinstance(words, list) and len(words) == _WITH_OPTION and str(words[1]).startswith("-"):
        # bash -lc TEXT: the text is what was asked for.
        arguments = {**arguments, "command": words[2]}
    patched = name == _PATCH or (isinstance(words, list) and words[:1] == [_PATCH])
    gathered.call(text_of(item, "call_id") or "", arguments, moment, edits=patched or _has_patch(arguments))


def _has_patch(arguments: Mapping[str, Any]) -> bool:
    """Whether a shell is given a patch for apply_patch."""
    text = arguments.get("command", arguments.get("cmd"))
    return isinstance(text, str) and text.lstrip().startswith(_PATCH)


def _read_exit(output: Any) -> int | None:
    """Read the exit code of a tool's answer: never from what the command printed."""
    if not isinstance(output, str):
        return None
    document = parse(output.encode("utf-8", "replace")) if output.startswith("{") else None
    if isinstance(document, dict):
        inner = document.get("metadata")
        code = inner.get("exit_code") if isinstance(inner, dict) else None
        return code if isinstance(code, int) else None
    head = _OUTPUT.split(output, maxsplit=1)
    found = _EXIT.search(head[0]) if len(head) > 1 else None
    return int(found[1]) if found is not None else None


def _end(gathered: Gathered, name: Any, code: Any) -> None:
    call = gathered.find(name)
    if call is not None and isinstance(code, int):
        call.end(succeeded=code == 0, exit_code=code)


SOURCE = CodexTranscripts()
