"""What a link's status means."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

NOT_FETCHED = "NOT_FETCHED"
NOTHING_TO_FETCH = frozenset({"mailto", "tel", "sms", "data", "javascript", "about", "blob", "urn", "cid", "mid"})
"""Schemes that name no resource that could be fetched. Of any other scheme NOT_FETCHED is a failure like others."""

UNASKED = frozenset({"NETWORK_FORBIDDEN", "UNSUPPORTED_SCHEME"})
"""Names that say that nobody asked: such a link neither works nor fails."""


class Standing(StrEnum):
    """What a link counts as."""

    LIVE = "live"
    DEAD = "dead"
    UNASKED = "unasked"
    NOTHING_TO_ASK = "nothing to ask"


class Standings(Struct, frozen=True):
    """The links of one links/statuses.json by what they count as, each sorted."""

    live: tuple[str, ...]
    dead: tuple[str, ...]
    unasked: tuple[str, ...]
    nothing_to_ask: tuple[str, ...]


def standing(url: str, status: Any, *, redirects_pass: bool) -> Standing:
    """What the link ``url`` with this status of links/statuses.json counts as."""
    if isinstance(status, bool):
        return Standing.DEAD
    if isinstance(status, int):
        good = 200 <= status <= 299 or (redirects_pass and 300 <= status <= 399)
        return Standing.LIVE if good else Standing.DEAD
    if status == NOT_FETCHED and url.partition(":")[0].lower() in NOTHING_TO_FETCH and ":" in url:
        return Standing.NOTHING_TO_ASK
    return Standing.UNASKED if status in UNASKED else Standing.DEAD


def standings(statuses: Mapping[str, Any], *, redirects_pass: bool) -> Standings:
    """All links of one links/statuses.json."""
    found: dict[Standing, list[str]] = {kind: [] for kind in Standing}
    for url in sorted(statuses):
        found[standing(url, statuses[url], redirects_pass=redirects_pass)].append(url)
    return Standings(*(tuple(found[kind]) for kind in Standing))
