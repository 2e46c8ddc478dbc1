"""Sessions of Gemini CLI, as versions 0.8.2 and 0.61.0 of the program write them.

``~/.gemini`` (below ``GEMINI_CLI_HOME``) has ``tmp/PROJECT/chats/session-*.jsonl``, before that ``.json``. A message is
written again when its tools have ended; ``$set`` replaces all messages, ``$rewindTo`` takes back those from one on.
An exit code that isn't zero stands in a line of its own below what the command printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.domain.agent_history import PastSession
from verigate.integrations.agents.host import text_of
from verigate.integrations.transcripts.events import Gathered, moment_of, texts_of
from verigate.integrations.transcripts.files import find_files, read_document, read_lines, read_short
from verigate.integrations.transcripts.source import Reading, Source

_EDITS = frozenset({"write_file", "replace"})
_SHELL = "run_shell_command"
_EXIT = re.compile(r"^Exit Code: (-?\d{1,10})$", re.MULTILINE)
_FAILED = re.compile(r"^(?:Error|Signal): (?!\(none\))\S", re.MULTILINE)
_BACKGROUND = re.compile(r"^(?:Background PIDs: (?!\(none\))|Command moved to background)", re.MULTILINE)
_CONTEXT = "<session_context>"

_Messages = dict[str, Mapping[str, Any]]


class GeminiTranscripts(Source):
    """The sessions below a user's folder of Gemini CLI."""

    name = "gemini"

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """Files of sessions, of all versions."""
        folder = Path(environ.get("GEMINI_CLI_HOME") or home) / ".gemini"
        return find_files(folder, ("tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json"))

    def read(self, path: Path, reading: Reading) -> PastSession:
        """Read one session. Before 0.61.0 nothing says which folder it was in, but for the digest of its path."""
        messages: _Messages = {}
        name = ""
        for record in read_lines(path) if path.suffix == ".jsonl" else (read_document(path),):
            if not isinstance(record, dict):
                reading.lines += 1
                continue
            name = name or text_of(record, "sessionId") or ""
            _apply(record, messages)
        gathered = Gathered()
        for message in messages.values():
            _take(message, gathered)
        folder = read_short(path.parent.parent / ".project_root")
        return PastSession(self.name, name or path.stem, folder, gathered.turns())


def _apply(record: Mapping[str, Any], messages: _Messages) -> None:
    back, change = record.get("$rewindTo"), record.get("$set")
    if isinstance(back, str):
        names = list(messages)
        for name in names[names.index(back) if back in messages else 0 :]:
            del messages[name]
        return
    replaced = change.get("messages") if isinstance(change, dict) else record.get("messages")
    if isinstance(replaced, list):
        messages.clear()
        for message in replaced:
            _keep(message, messages)
    _keep(record, messages)


def _keep(message: Any, messages: _Messages) -> None:
    if isinstance(message, dict) and isinstance(message.get("id"), str) and isinstance(message.get("type"), str):
        messages[message["id"]] = message


def _take(message: Mapping[str, Any], gathered: Gathered) -> None:
    text, moment = texts_of(message.get("content")), moment_of(message)
    if message["type"] == "user":
        # What tools answered is the user's as well, without a text.
        if text.strip() and not text.startswith(_CONTEXT):
            gathered.prompt(moment)
        return
    if message["type"] != "gemini":
        return
    gathered.say(text, moment)
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict) and (tool := text_of(call, "name")) in {*_EDITS, _SHELL}:
            _take_call(call, moment, gathered, edits=tool in _EDITS)


def _take_call(call: Mapping[str, Any], moment: float, gathered: Gathered, *, edits: bool) -> None:
    made = gathered.call(text_of(call, "id") or "", call.get("args"), moment, edits=edits)
    if call.get("status") == "cancelled":
        made.drop()
    if call.get("status") != "success":
        made.end(succeeded=False)
        return
    if edits:
        made.end(succeeded=True)
        return
    printed = "\n".join(_list_outputs(call.get("result")))
    codes = [int(found) for found in _EXIT.findall(printed)]
    # What the command printed stands above it and may say the same: the worse counts.
    code = next((code for code in codes if code != 0), 0)
    if _BACKGROUND.search(printed):
        made.end(succeeded=None)
    elif not printed or _FAILED.search(printed):
        made.end(succeeded=None if not printed else False)
    else:
        made.end(succeeded=code == 0, exit_code=code)


def _list_outputs(result: Any) -> list[str]:
    parts = result if isinstance(result, list) else []
    answers = [part.get("functionResponse") for part in parts if isinstance(part, dict)]
    bodies = [answer.get("response") for answer in answers if isinstance(answer, dict)]
    return [
        text for body in bodies if isinstance(body, dict) and (text := text_of(body, "output", "error")) is not None
    ]


SOURCE = GeminiTranscripts()
