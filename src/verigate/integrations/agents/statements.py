"""An agent's last message as the statements of a claim."""

from __future__ import annotations

MAX_MESSAGE = 64 * 1024
"""Characters of a message that are kept: the last ones, which is where a report stands."""


def sentences(message: str) -> tuple[str, ...]:
    """The statements of ``message``, bounded; see ``verigate.statements.split``."""
    from verigate.statements.split import split_statements  # a hook that only notes a prompt doesn't pay for it

    return split_statements(message)


def since(message: str, before: str) -> str:
    """What of ``message`` is new, where a host repeats what was said ``before`` in the same turn."""
    return message[len(before) :] if before and message.startswith(before) and message != before else message
