"""Classify links by their recorded status."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

NOT_FETCHED = "NOT_FETCHED"
UNFETCHABLE_SCHEMES = frozenset({"mailto", "tel", "sms", "data", "javascript", "about", "blob", "urn", "cid", "mid"})
"""Schemes without a resource to fetch. For any other scheme NOT_FETCHED is a failure."""

UNCHECKED = frozenset({"NETWORK_FORBIDDEN", "UNSUPPORTED_SCHEME", "LOGIN_REQUIRED", "HOME_PAGE", "UNRESOLVED"})
"""Statuses of links whose page nobody has seen: neither live nor dead."""


class LinkStatus(StrEnum):
    """How a link counts."""

    LIVE = "live"
    DEAD = "dead"
    UNCHECKED = "unchecked"
    UNFETCHABLE = "unfetchable"


class LinkStatuses(Struct, frozen=True):
    """The links of one links/statuses.json by how they count, each group sorted."""

    live: tuple[str, ...]
    dead: tuple[str, ...]
    unchecked: tuple[str, ...]
    unfetchable: tuple[str, ...]


def classify_link(url: str, status: Any, *, redirects_pass: bool) -> LinkStatus:
    """Classify the link ``url`` by its ``status`` in links/statuses.json: an HTTP status code or a name."""
    if isinstance(status, bool):
        return LinkStatus.DEAD
    if isinstance(status, int):
        good = 200 <= status <= 299 or (redirects_pass and 300 <= status <= 399)
        return LinkStatus.LIVE if good else LinkStatus.DEAD
    if status == NOT_FETCHED and url.partition(":")[0].lower() in UNFETCHABLE_SCHEMES and ":" in url:
        return LinkStatus.UNFETCHABLE
    return LinkStatus.UNCHECKED if status in UNCHECKED else LinkStatus.DEAD


def classify_links(statuses: Mapping[str, Any], *, redirects_pass: bool) -> LinkStatuses:
    """Classify all links of one links/statuses.json."""
    found: dict[LinkStatus, list[str]] = {kind: [] for kind in LinkStatus}
    for url in sorted(statuses):
        found[classify_link(url, statuses[url], redirects_pass=redirects_pass)].append(url)
    return LinkStatuses(*(tuple(found[kind]) for kind in LinkStatus))
