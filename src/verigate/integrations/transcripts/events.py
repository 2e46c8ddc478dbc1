"""Gather what a transcript says into turns, whatever its host."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from verigate.domain.agent_history import PastEdit, PastEvent, PastMessage, PastRun, PastTurn
from verigate.formats.tool_call import call_of
from verigate.integrations.transcripts.checks import MAX_COMMAND

MAX_TEXT = 64 * 1024
"""Characters of a message that are kept: the last ones, which is where a report stands."""

MAX_EVENTS = 200_000
"""Events of one session; what comes after them is left out."""


class Call:
    """A tool call that is gathered: what it would run or write, and how it ended."""

    def __init__(self, arguments: Any, *, edits: bool) -> None:
        command, paths = call_of(arguments)
        self.command = command[:MAX_COMMAND] if command is not None else None
        # Tools that read files name them too.
        self.paths = paths if edits else ()
        self.succeeded: bool | None = None
        self.exit_code: int | None = None
        self._happened = True

    def drop(self) -> None:
        """Note that it never ran: somebody refused it."""
        self._happened = False

    def end(self, *, succeeded: bool | None, exit_code: int | None = None) -> None:
        """Note how it ended."""
        self.succeeded, self.exit_code = succeeded, exit_code

    def events(self) -> list[PastEvent]:
        """What happened: nothing where a tool that writes failed, or was refused."""
        if not self._happened:
            return []
        written: list[PastEvent] = [PastEdit(path) for path in self.paths] if self.succeeded is not False else []
        if self.command is not None and not self.paths:
            written.append(PastRun(self.command, self.succeeded, self.exit_code))
        return written


class Gathered:
    """Turns in the making: prompts, messages, and calls that end later."""

    def __init__(self) -> None:
        self._turns: list[tuple[float, list[PastMessage | Call]]] = []
        self._calls: dict[str, Call] = {}
        self._count = 0

    def prompt(self, moment: float) -> None:
        """A person said something: a turn begins."""
        if not self._turns or self._turns[-1][1]:
            self._turns.append((moment, []))

    def say(self, text: str, moment: float) -> None:
        """The agent said something."""
        if text.strip():
            self._add(PastMessage(text[-MAX_TEXT:]), moment)

    def call(self, name: str, arguments: Any, moment: float, *, edits: bool) -> Call:
        """The agent called a tool; ``name`` is the call's own."""
        known = Call(arguments, edits=edits)
        self._calls[name] = known
        self._add(known, moment)
        return known

    def find(self, name: Any) -> Call | None:
        """The call of this name; None for one that wasn't seen."""
        return self._calls.get(name) if isinstance(name, str) else None

    def turns(self) -> tuple[PastTurn, ...]:
        """What was gathered."""
        return tuple(
            PastTurn(
                moment,
                tuple(
                    event for item in items for event in ((item,) if isinstance(item, PastMessage) else item.events())
                ),
            )
            for moment, items in self._turns
            if items
        )

    def _add(self, item: PastMessage | Call, moment: float) -> None:
        self._count += 1
        if self._count > MAX_EVENTS:
            return
        if not self._turns:
            self._turns.append((moment, []))
        self._turns[-1][1].append(item)


def moment_of(entry: Mapping[str, Any]) -> float:
    """The ``timestamp`` of an entry in seconds since 1970; 0 if it has none that can be read."""
    value = entry.get("timestamp")
    if not isinstance(value, str) or len(value) > 40:
        return 0.0
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def texts_of(content: Any, *kinds: str) -> str:
    """The texts of a message: a string, or the members ``text`` of its parts of these kinds (none named: of all)."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n\n".join(
        part["text"]
        for part in parts
        if isinstance(part, dict) and isinstance(part.get("text"), str) and (not kinds or part.get("type") in kinds)
    )
