"""``gate hook``: what the hosts of coding agents call. It answers in the host's own way and ends with 0."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.attempts_option import attempts_option
from verigate.errors import GateError, UsageError
from verigate.formats.near_names import suggest_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from verigate.integrations.agents.host import Event, HookResponse, Host, Turn
    from verigate.integrations.agents.session import Sessions
    from verigate.integrations.agents.turn import Gate

_MARGIN_S = 30


@click.command(name="hook")
@click.argument("host")
@click.argument("event")
@attempts_option
def command(host: str, event: str, attempts: int) -> int:
    """Answer the hook EVENT of HOST, with its input on stdin. `gate install --agent` declares the hook.

    EVENT is prompt, tool, edit, said, subagent-start, subagent-stop or stop.
    """
    from verigate.integrations.agents import HOSTS
    from verigate.integrations.agents.host import Event

    if host not in HOSTS:
        raise UsageError(f"no host is called {host!r}", hint=suggest_name(host, HOSTS))
    if event not in set(Event):
        raise UsageError(f"no event is called {event!r}", hint=suggest_name(event, [item.value for item in Event]))
    answer = _respond(HOSTS[host], Event(event), attempts)
    sys.stdout.write(answer.stdout)
    if answer.stderr:
        click.echo(answer.stderr, err=True)
    return answer.exit_code


def _respond(host: Host, event: Event, attempts: int) -> HookResponse:
    """Respond, whatever happens: a fault of the gate blocks the agent once, then it is reported and allowed."""
    from verigate.integrations.agents.host import Turn

    turn = Turn("")
    try:
        with _in_time():
            turn = host.turn(_read(), os.environ)
            return _handle(host, event, turn, attempts)
    except KeyboardInterrupt:
        why = "the time for it is over"
    except GateError as problem:
        why = "; ".join(map(str, problem.faults))
    except Exception as problem:  # noqa: BLE001 - a hook that dies lets the agent stop as if it had passed
        why = f"{type(problem).__name__}: {problem}"
    text = f"verigate: NOT VERIFIED: {why[:1000]}"
    if event.ends_turn and not turn.looping:
        return host.block(event, f"{text}\nThis is no verdict on the work. Say in your answer that it is not verified.")
    from verigate.integrations.agents.host import HookResponse

    answer = host.allow(event, text)
    return HookResponse(answer.stdout, "\n".join(filter(None, (answer.stderr, text))), answer.exit_code)


def _handle(host: Host, event: Event, turn: Turn, attempts: int) -> HookResponse:
    from verigate.config.root import find_root
    from verigate.integrations.agents import HOSTS
    from verigate.integrations.agents.host import Event
    from verigate.integrations.agents.settings import is_installed

    folder = Path(turn.folder) if turn.folder and Path(turn.folder).is_dir() else Path.cwd()
    root = find_root(folder)
    if turn.caller is not None and is_installed(root, HOSTS[turn.caller]):
        # Its own hooks ask as well; twice is not better.
        return host.allow(event)
    if event is Event.TOOL:
        return _answer_tool(host, event, turn, root, folder)
    if event is Event.EDIT:
        # Of a host that shows the agent nothing after an edit; see ``advice.edit_hook`` for the others.
        return host.allow(event)
    # What the gate starts looks for the project from there.
    os.chdir(root)
    from verigate.composition.agent_gate import RepositoryGate
    from verigate.integrations.agents.record import state_folder
    from verigate.integrations.agents.session import Sessions

    sessions = Sessions(state_folder(root, os.environ), host.name)
    gate = RepositoryGate(root, os.environ)
    return _dispatch(host, event, turn, gate, sessions, attempts)


def _answer_tool(host: Host, event: Event, turn: Turn, root: Path, folder: Path) -> HookResponse:
    """Refuse a tool call that would go past the hooks, or edit what judges the work."""
    from verigate.integrations.agents.tool_rules import find_refusal
    from verigate.reporting.escape import escape
    from verigate.subject.guarded_paths import GuardedPaths
    from verigate.user_folders import UserFolders

    guarded = GuardedPaths(str(root), str(folder), UserFolders(os.environ, str(root)).state())
    reason = find_refusal(turn.command, turn.paths, guarded.is_guarded, guarded.holds_guarded)
    return host.allow(event) if reason is None else host.refuse(f"verigate: {escape(reason, limit=1000)}")


def _dispatch(host: Host, event: Event, turn: Turn, gate: Gate, sessions: Sessions, attempts: int) -> HookResponse:
    from verigate.integrations.agents import turn as turns
    from verigate.integrations.agents.host import Event

    if event.ends_turn:
        ending = turns.end(host.name, turn, gate, sessions, attempts=attempts)
        if ending.kind is turns.Kind.BLOCKED:
            return host.block(event, ending.text)
        return host.allow(event, ending.text)
    if event is Event.PROMPT:
        turns.begin(host.name, turn, gate, sessions)
    elif event is Event.SUBAGENT_START:
        turns.begin_subagent(host.name, turn, gate, sessions)
    else:
        turns.keep_message(turn, sessions)
    return host.allow(event)


def _read() -> Mapping[str, Any]:
    """What the host sent. Raises UsageError for anything but one JSON object of a bearable size."""
    from verigate.integrations.agents.host import MAX_INPUT, document_of

    return document_of(sys.stdin.buffer.read(MAX_INPUT + 1))


@contextmanager
def _in_time() -> Iterator[None]:
    """Interrupt what takes longer than the host waits, with time left to say so."""
    from verigate.integrations.agents.host import TIMEOUT_S

    def over(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, TIMEOUT_S - _MARGIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
