"""What differs between the hosts of coding agents: where hooks are declared, what they receive, how they answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from verigate.domain.agent_host import AgentHost
from verigate.errors import UsageError

TIMEOUT_S = 600
"""How long a host is asked to wait for a hook that ends a turn; a host that gives up waiting lets the agent stop."""

SHORT_TIMEOUT_S = 60
DEFAULT_ATTEMPTS = 5
"""How often an agent is blocked in one turn."""

MAX_ATTEMPTS = 7
"""One less than hosts allow that have a limit of their own: after it they let the agent stop, without a mark."""

MAX_INPUT = 32 * 1024 * 1024
"""Bytes that a host may send."""


class Event(StrEnum):
    """What a hook is called for, in the gate's own words: the argument of ``gate hook``."""

    PROMPT = "prompt"
    TOOL = "tool"
    EDIT = "edit"
    SAID = "said"
    SUBAGENT_START = "subagent-start"
    SUBAGENT_STOP = "subagent-stop"
    STOP = "stop"

    @property
    def ends_turn(self) -> bool:
        """Whether the agent wants to stop."""
        return self in {Event.STOP, Event.SUBAGENT_STOP}


class Turn(Struct, frozen=True):
    """What a host sent to a hook. ``folder`` is where the project is; None where the host doesn't send it.

    ``looping`` is set when the agent goes on because a hook blocked it, ``aborted`` when the person stopped it,
    ``goes_on`` when what is called a prompt is none of a person, ``unannounced`` when no prompt is ever sent. ``agent``
    names a subagent, ``caller`` another host that runs this one's hooks. ``command`` is the shell text that a tool is
    about to run, ``paths`` are the files that it is about to write. All texts are the host's or the agent's, unbounded
    and untrusted.
    """

    session: str
    folder: str | None = None
    prompt: str | None = None
    message: str | None = None
    looping: bool = False
    aborted: bool = False
    goes_on: bool = False
    unannounced: bool = False
    agent: str | None = None
    caller: str | None = None
    command: str | None = None
    paths: tuple[str, ...] = ()


class HookResponse(Struct, frozen=True):
    """What a hook prints and with which exit code it ends."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


class Entries(Struct, frozen=True):
    """JSON that a settings file must hold in addition to what is there: objects are merged, arrays appended to."""

    value: Mapping[str, Any]
    comments: bool
    """Whether the host reads a settings file that has comments."""


class WholeFile(Struct, frozen=True):
    """A file that is the gate's alone. ``marker`` is how it is known again: it begins with that.

    ``replaces``: its name is the gate's own, so that another content may give way to it.
    """

    text: str
    marker: str
    executable: bool = False
    replaces: bool = False


class DeclaredHost(Struct, frozen=True):
    """What a host is called and where its settings are, as ``verigate.domain.agent_host`` declares it."""

    declared: AgentHost
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What ``--agent`` calls it."""
        return self.declared.name

    @property
    def settings(self) -> str:
        """The file in which the host looks for a project's hooks, relative to the repository's root."""
        return self.declared.settings

    def find_distrust(self, root: Path, environ: Mapping[str, str]) -> str | None:  # noqa: ARG002 - hosts that ask
        """Why the host doesn't run the hooks of the repository at ``root``; None if it does, or keeps no such state."""
        return None


class Host(Protocol):
    """One host. A class of a host extends ``DeclaredHost``; ``notes`` are shown after an installation."""

    @property
    def declared(self) -> AgentHost:
        """Its declaration, which names the files that are guarded."""

    @property
    def name(self) -> str:
        """See ``DeclaredHost``."""

    @property
    def settings(self) -> str:
        """See ``DeclaredHost``."""

    @property
    def notes(self) -> Sequence[str]:
        """What else a person has to do or to know."""

    def contribution(self, commands: Mapping[Event, str]) -> Entries | WholeFile:
        """What the settings file must hold; ``commands`` has a shell command for every event."""

    def find_distrust(self, root: Path, environ: Mapping[str, str]) -> str | None:
        """See ``DeclaredHost``."""

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """Read what the host sent."""

    def block(self, event: Event, reason: str) -> HookResponse:
        """Block the end of the turn; the agent reads ``reason``."""

    def refuse(self, reason: str) -> HookResponse:
        """Refuse a tool call; the agent reads ``reason``."""

    def allow(self, event: Event, note: str = "") -> HookResponse:
        """Allow the agent to go on or to stop; ``note`` is for the person in front of it."""


def document_of(content: bytes) -> Mapping[str, Any]:
    """Read what a host sent to a hook. Raises UsageError for anything but one JSON object of at most MAX_INPUT bytes.

    Not strictly: hosts cut long texts, also in the middle of a character.
    """
    if len(content) > MAX_INPUT:
        raise UsageError(f"the host sent more than {MAX_INPUT} bytes", where="standard input")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"the host sent no JSON: {type(problem).__name__}", where="standard input") from None
    if not isinstance(document, dict):
        raise UsageError("the host sent no JSON object", where="standard input")
    return document


def text_of(document: Mapping[str, Any], *names: str) -> str | None:
    """The first of these members that is a string."""
    return next((value for name in names if isinstance(value := document.get(name), str)), None)


def folder_of(environ: Mapping[str, str], variable: str, document: Mapping[str, Any], *names: str) -> str | None:
    """The project's folder: the host's own variable, since the agent can change what ``cwd`` says."""
    named = environ.get(variable)
    return named if named and named.startswith("/") else text_of(document, *names)
