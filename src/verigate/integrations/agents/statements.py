"""An agent's last message as the statements of a claim."""

from __future__ import annotations

MAX_MESSAGE = 64 * 1024
"""Characters of a message that are kept: the last ones, which is where a report stands."""


def sentences(message: str) -> tuple[str, ...]:
    """The statements of ``message``, bounded, with what it claims where none is read, as quotations."""
    # A hook that only notes a prompt doesn't pay for it.
    from verigate.statements.split import MAX_STATEMENTS, split_statements
    from verigate.statements.unread import list_hidden_claims

    found = split_statements(message, never_empty=True)
    return (*found, *list_hidden_claims(message[-MAX_MESSAGE:], found))[:MAX_STATEMENTS]


def since(message: str, before: str) -> str:
    """What of ``message`` is new, where a host repeats what was said ``before`` in the same turn."""
    return message[len(before) :] if before and message.startswith(before) and message != before else message


def find_claimed_work(message: str) -> str | None:
    """The first sentence of ``message`` that says that something was changed; None without one."""
    from verigate.statements.commits.deeds import says_work

    return next((sentence for sentence in sentences(message) if says_work(sentence)), None)


def states_facts(message: str) -> bool:
    """Whether a sentence of ``message`` states what facts can decide."""
    from verigate.statements.claims import read_text

    return any(each.reading is not None and each.reading.facts for each in read_text(message))


def find_unread_claim(message: str) -> str | None:
    """What ``message`` may claim although no fact is read from it; None without anything of the kind."""
    from verigate.statements.unread import find_unread

    return find_unread(message, sentences(message))
