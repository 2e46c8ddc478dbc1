"""What a call needs beyond its declared inputs, and what a worker offers: the network, paths and variables.

Each is one text, which is also the value of a platform property: ``network``, ``bind:PATH:ro``, ``bind:PATH:rw`` or
``env:NAME``. A socket of a service is a path, a secret is a variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from verigate.domain.grants import Grant, GrantKind
from verigate.errors import UsageError

OFFERS_VARIABLE = "GATE_REMOTE_EXECUTOR_OFFERS"
NEEDS_PROPERTY = "verigate.needs"
"""The platform property that a server has to match, once for each need."""

NETWORK = "network"
MOST_OFFERS = 8
"""A scheduler may look at each combination of a worker's properties, as BuildGrid does."""

_OFFER = re.compile(
    r"network|env:(?P<name>[A-Za-z_][A-Za-z0-9_]*)|bind:(?P<path>(?:/|~/)[^\0-\x1f\x7f:,]*)(?::(?P<mode>ro|rw))?"
)
_HINT = "network, env:NAME, bind:PATH or bind:PATH:rw, with an absolute path or one below ~/"
_WHY = "as a worker offers it"


def list_needs(grants: Iterable[Grant], variables: Iterable[str], *, network: bool) -> tuple[str, ...]:
    """List what a call needs of its machine, sorted. ``variables`` are those that its declaration names.

    Raises ValueError for a path that only its own machine has: one inside the repository.
    """
    found = {NETWORK} if network else set()
    found |= {f"env:{name}" for name in variables}
    for grant in grants:
        if grant.kind is GrantKind.ENV:
            found.add(f"env:{grant.what}")
        elif grant.kind is GrantKind.BIND:
            need = f"bind:{grant.what}:{grant.mode}"
            if _OFFER.fullmatch(need) is None:
                raise ValueError(f"no other machine has {grant.what}")
            found.add(need)
    return tuple(sorted(found))


def parse_offers(texts: Iterable[str], where: str) -> frozenset[str]:
    """Parse what workers offer; a path that may be written may be read as well. Raises UsageError."""
    found: set[str] = set()
    for text in texts:
        offer = _OFFER.fullmatch(text)
        if offer is None:
            raise UsageError(f"{text!r} is nothing that a worker can offer", where=where, hint=_HINT)
        if offer["path"] is None:
            found.add(text)
        else:
            modes = ("ro", "rw") if offer["mode"] == "rw" else ("ro",)
            found |= {f"bind:{offer['path']}:{mode}" for mode in modes}
    if len(found) > MOST_OFFERS:
        hint = f"at most {MOST_OFFERS}; a path with rw is two"
        raise UsageError(f"{len(found)} offers are more than a server can match", where=where, hint=hint)
    return frozenset(found)


def make_grants(needs: Iterable[str]) -> Iterator[Grant]:
    """Make the grants of a call that needs just this. Raises ValueError for a text that is no need."""
    access = "loopback"
    for need in needs:
        found = _OFFER.fullmatch(need)
        if found is None:
            raise ValueError(f"{need!r:.90} is nothing that a worker can offer")
        if found["name"] is not None:
            yield Grant(GrantKind.ENV, found["name"], _WHY)
        elif found["path"] is not None:
            yield Grant(GrantKind.BIND, found["path"], _WHY, found["mode"] or "ro")
        else:
            access = "hosts"
    yield Grant(GrantKind.NETWORK, access, _WHY)
