"""What a link's status means."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

NOT_FETCHED = "NOT_FETCHED"
UNFETCHABLE_SCHEMES = frozenset({"mailto", "tel", "sms", "data", "javascript", "about", "blob", "urn", "cid", "mid"})
"""Schemes that name no resource that could be fetched. Of any other scheme NOT_FETCHED is a failure like others."""

UNCHECKED = frozenset({"NETWORK_FORBIDDEN", "UNSUPPORTED_SCHEME"})
"""Names that say that nobody asked: such a link neither works nor fails."""


class LinkStatus(StrEnum):
    """What a link counts as."""

    LIVE = "live"
    DEAD = "dead"
    UNCHECKED = "unchecked"
    UNFETCHABLE = "unfetchable"


class LinkStatuses(Struct, frozen=True):
    """The links of one links/statuses.json by what they count as, each sorted."""

    live: tuple[str, ...]
    dead: tuple[str, ...]
    unchecked: tuple[str, ...]
    unfetchable: tuple[str, ...]


def classify_link(url: str, status: Any, *, redirects_pass: bool) -> LinkStatus:
    """What the link ``url`` with this status of links/statuses.json counts as."""
    if isinstance(status, bool):
        return LinkStatus.DEAD
    if isinstance(status, int):
        good = 200 <= status <= 299 or (redirects_pass and 300 <= status <= 399)
        return LinkStatus.LIVE if good else LinkStatus.DEAD
    if status == NOT_FETCHED and url.partition(":")[0].lower() in UNFETCHABLE_SCHEMES and ":" in url:
        return LinkStatus.UNFETCHABLE
    return LinkStatus.UNCHECKED if status in UNCHECKED else LinkStatus.DEAD


def classify_links(statuses: Mapping[str, Any], *, redirects_pass: bool) -> LinkStatuses:
    """All links of one links/statuses.json."""
    found: dict[LinkStatus, list[str]] = {kind: [] for kind in LinkStatus}
    for url in sorted(statuses):
        found[classify_link(url, statuses[url], redirects_pass=redirects_pass)].append(url)
    return LinkStatuses(*(tuple(found[kind]) for kind in LinkStatus))
