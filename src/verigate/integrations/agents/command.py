"""The shell command that a host's settings hold for each event.

Hosts run it with different shells, among them the user's own, so it is one `sh -c` whose script has no quotes that any
of them reads in its own way. What it says when there is no gate, or when the gate breaks, must not look like a pass.
"""

from __future__ import annotations

from collections.abc import Mapping

from verigate.integrations.agents.host import Event
from verigate.integrations.launchers import quote
from verigate.integrations.launchers.machine_gate import FIND

MARKER = "verigate-hook"
"""The name under which the script runs; by it an entry is known to be the gate's."""

_FIND = FIND + '; [ -n "$g" ] || g=false; '

# A gate that can't be started would block an agent for ever: it blocks once, then allows and reports that.
_ENDS_TURN = (
    'i=$(cat); ' + _FIND + 'printf %s "$i" | "$g" hook "$@" && exit 0; '
    'echo "verigate: NOT VERIFIED: the gate could not be run. Say so in your answer; a person has to look." >&2; '
    'case $i in *stop_hook_active?:true*|*stop_hook_active?:?true*|*looping?:true*) exit 1 ;; esac; exit 2'
)  # fmt: skip
_OTHER = (
    _FIND + '"$g" hook "$@" && exit 0; '
    'echo "verigate: the gate could not be run; what this turn does will not be verified" >&2; exit 1'
)


def commands(host: str, attempts: int) -> Mapping[Event, str]:
    """A command for every event. It is committed: it finds the gate of each machine, and holds no path of one."""
    return {event: _command(host, event, attempts) for event in Event}


def _command(host: str, event: Event, attempts: int) -> str:
    script = _ENDS_TURN if event.ends_turn else _OTHER
    words = [host, event.value]
    if event.ends_turn:
        words += ["--attempts", str(attempts)]
    return " ".join(["sh -c", quote(script), quote(MARKER), *(quote(word) for word in words)])


def is_call(text: str) -> bool:
    """Whether a shell command is one of the gate's."""
    return f" {quote(MARKER)} " in text


def is_ours(scalars: Mapping[str, object]) -> bool:
    """Whether an object of a settings file holds a command of the gate's."""
    return any(isinstance(value, str) and is_call(value) for value in scalars.values())
