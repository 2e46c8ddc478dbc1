"""Sessions of Claude Code, as versions 1.0.128, 2.1.197 and 2.1.332 of the program write them.

``CLAUDE_CONFIG_DIR`` (``~/.claude``) has ``projects/FOLDER/SESSION.jsonl``, and what subagents did in
``SESSION/subagents/``. An exit code stands in the text of a tool's error; without an error it was zero.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.domain.agent_history import PastSession
from verigate.integrations.agents.host import text_of
from verigate.integrations.transcripts.events import Gathered, moment_of, texts_of
from verigate.integrations.transcripts.files import find_files, read_lines
from verigate.integrations.transcripts.source import Reading, Source

_EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
_SHELLS = frozenset({"Bash"})
_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,5})\b")
_HEAD = 200
_NOT_RUN = re.compile(
    r"requires approval|has been denied|haven't granted it yet|The user doesn't want to (?:proceed|take this action)"
)
"""What the program answers in the place of a tool that a person or a rule refused."""


class ClaudeTranscripts(Source):
    """The sessions below a user's folder of Claude Code."""

    name = "claude"

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """Files of sessions; those of subagents are read with them."""
        folder = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
        return find_files(folder, ("projects/*/*.jsonl",))

    def read(self, path: Path, reading: Reading) -> PastSession:
        """Read one session. What its subagents ran and edited is put between, by time; what they said is not."""
        helpers = find_files(path.with_suffix(""), ("subagents/*.jsonl",))
        streams = (self._stamp(each, reading) for each in (path, *helpers))
        gathered = Gathered()
        name = folder = ""
        for moment, _, entry in heapq.merge(*streams, key=lambda item: item[0]):
            name = name or text_of(entry, "sessionId") or ""
            folder = folder or text_of(entry, "cwd") or ""
            self._take(entry, moment, gathered)
        return PastSession(self.name, name or path.stem, folder, gathered.turns())

    def _stamp(self, path: Path, reading: Reading) -> Iterator[tuple[float, int, Mapping[str, Any]]]:
        """Yield the entries of a file with the time of each, which never goes back."""
        latest = 0.0
        try:
            for number, entry in enumerate(read_lines(path)):
                if isinstance(entry, dict):
                    latest = max(latest, moment_of(entry))
                    yield latest, number, entry
                else:
                    reading.lines += 1
        except OSError:
            reading.files += 1

    def _take(self, entry: Mapping[str, Any], moment: float, gathered: Gathered) -> None:
        message, aside = entry.get("message"), entry.get("isSidechain") is True
        content = message.get("content") if isinstance(message, dict) else None
        parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
        if entry.get("type") == "user":
            answered = [part for part in parts if part.get("type") == "tool_result"]
            for part in answered:
                _end(part, entry.get("toolUseResult"), gathered)
            if not answered and not aside and entry.get("isMeta") is not True and texts_of(content, "text").strip():
                gathered.prompt(moment)
        elif entry.get("type") == "assistant":
            for part in parts:
                if part.get("type") == "text" and not aside:
                    gathered.say(text_of(part, "text") or "", moment)
                elif part.get("type") == "tool_use" and (tool := text_of(part, "name")) in _EDITS | _SHELLS:
                    gathered.call(text_of(part, "id") or "", part.get("input"), moment, edits=tool in _EDITS)


def _end(part: Mapping[str, Any], outcome: Any, gathered: Gathered) -> None:
    call = gathered.find(part.get("tool_use_id"))
    if call is None:
        return
    said = outcome if isinstance(outcome, dict) else {}
    if part.get("is_error") is True:
        text = texts_of(part.get("content"))
        found = _EXIT.match(text)
        if found is None and _NOT_RUN.search(text[:_HEAD]):
            call.drop()
        call.end(succeeded=False, exit_code=int(found[1]) if found is not None else None)
    elif said.get("backgroundTaskId"):
        call.end(succeeded=None)
    elif said.get("interrupted") is True:
        call.end(succeeded=False)
    else:
        call.end(succeeded=True, exit_code=0)


SOURCE = ClaudeTranscripts()
