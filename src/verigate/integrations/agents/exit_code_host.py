"""A host that hears the refusal of a tool call by exit code 2, the reason on stderr, and nothing at a turn's end."""

from __future__ import annotations

from verigate.integrations.agents.host import DeclaredHost, Event, HookResponse
from verigate.integrations.launchers import quote

_REFUSE = 'o=$("$@") || exit 2; [ -n "$o" ] || exit 0; printf "%s" "$o" >&2; exit 2'
"""Turns what the gate prints into what the host hears: exit code 2, and the reason on stderr. No gate is a refusal."""


class ExitCodeHost(DeclaredHost, frozen=True):
    """What such hosts answer; how they name tools and files is each one's own."""

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """Never asked for: there is no hook at the end of a turn that is heard."""
        return HookResponse("", reason)

    def refuse(self, reason: str) -> HookResponse:
        """The agent reads it on stderr: see ``_REFUSE``."""
        return HookResponse(reason)

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - every host takes the event
        """Exit code 0."""
        return HookResponse("", note)


def make_refusing_command(command: str) -> str:
    """Make the shell command that refuses what ``command``, the gate's hook, prints a reason for."""
    return " ".join(("sh", "-c", quote(_REFUSE), quote("verigate-refuse"), command))
