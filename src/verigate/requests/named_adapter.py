"""Route a request that names an adapter but no intent: "run ruff on src".

It is routed to the adapter's check: the read-only capability whose slots the request fills. A name alone never selects
a capability that writes, changes or removes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from verigate.requests.fitting import Fit
from verigate.requests.tokenizer import Token
from verigate.requests.vocabulary import JOINING, LIGHT, POLITE
from verigate.tools.effects import resolve_effect
from verigate.tools.model import Effect, SlotType, ToolCapability

_RUNNING = frozenset({"execute", "launch", "start", "invoke", "call", "tool", "program", "linter", "checker"})
_CHECKING = frozenset({"check", "lint", "scan", "audit"})
"""Triggers that mark a capability as its tool's check."""


def find_named_adapter(
    tokens: Sequence[Token], aliases: Mapping[str, Collection[int]]
) -> tuple[tuple[int, ...], str, str | None] | None:
    """Find an adapter's name in place of the verb; return its tokens, its alias, and that of a second named adapter.

    None if the request begins otherwise. ``aliases`` is keyed by the alias in lower case.
    """
    start = 0
    while start < len(tokens) and tokens[start].text.lower() in POLITE | LIGHT | _RUNNING:
        start += 1
    before = tuple(range(start))
    found = _match_alias(tokens, start, aliases)
    if found is None:
        return None
    places, alias = found
    other = None
    for place in range(places[-1] + 1, len(tokens)):
        joined = tokens[place - 1].text.lower() in JOINING
        if joined and (second := _match_alias(tokens, place, aliases)) is not None and second[1] != alias:
            other = second[1]
    return (*before, *places), alias, other


def _match_alias(
    tokens: Sequence[Token], start: int, aliases: Mapping[str, Collection[int]]
) -> tuple[tuple[int, ...], str] | None:
    longest = max((len(alias.split()) for alias in aliases), default=1)
    for length in range(min(longest, len(tokens) - start), 0, -1):
        part = tokens[start : start + length]
        name = " ".join(token.text.lower() for token in part)
        if name in aliases and all(token.kind == "word" for token in part):
            return tuple(range(start, start + length)), name
    return None


def is_read_only(capability: ToolCapability) -> bool:
    """Whether a capability changes nothing in the repository, by its tool's file."""
    paths = (slot for slot in capability.slots if slot.type is SlotType.FILEPATH)
    reads = all(resolve_effect(capability, slot) is Effect.READS for slot in paths)
    return reads and not (capability.destructive or capability.is_meant_to_write)


def select_checks(standing: Sequence[Fit], margin: float) -> Sequence[Fit]:
    """Select the candidates for a name alone, the best first: checks within ``margin``, else all.

    A check has a report, and a trigger that marks it as one.
    """
    checks = [
        each for each in standing if each.capability.report is not None and _CHECKING & set(each.capability.triggers)
    ]
    if not checks:
        return standing
    return [each for each in checks if checks[0].confidence - each.confidence < margin]
