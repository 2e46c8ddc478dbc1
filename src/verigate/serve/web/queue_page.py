"""The page of the queue: its values, and the addresses that choose among them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from msgspec import Struct

from verigate.serve.index.queue import FACETS, Queue, QueueFilter

ADDRESS = "/tasks"
_LONGEST = 200
_MOST_PAGES = 1_000_000


class FacetLink(Struct, frozen=True):
    """A value of a facet, with the address that chooses it, or gives it up if it is chosen."""

    value: str
    count: int
    chosen: bool
    href: str


class QueuePage(Struct, frozen=True):
    """A page of the queue. ``facets`` are (name, values, number of values left out)."""

    queue: Queue
    facets: tuple[tuple[str, tuple[FacetLink, ...], int], ...]
    words: str
    hidden: tuple[tuple[str, str], ...]
    chosen: bool
    ended: bool
    ended_href: str
    previous_href: str
    next_href: str
    notice: str


def read_filter(query: Mapping[str, str]) -> QueueFilter:
    """Read the address of a queue; what it doesn't know is left out."""
    page = query.get("page", "1")
    return QueueFilter(
        {name: query[name][:_LONGEST] for name in FACETS if query.get(name)},
        query.get("q", "")[:_LONGEST],
        query.get("ended") == "1",
        min(int(page), _MOST_PAGES) if page.isascii() and page.isdigit() and len(page) < 10 else 1,
    )


def build_queue_page(queue: Queue, wanted: QueueFilter, notice: str) -> QueuePage:
    """Build the page of a queue that was read."""

    def address(
        page: int | None = None, *, leave: str = "", ended: bool = wanted.ended, choose: Mapping[str, str] | None = None
    ) -> str:
        pairs = {name: value for name, value in wanted.facets.items() if name != leave} | dict(choose or {})
        pairs |= {"q": wanted.words} if wanted.words else {}
        pairs |= {"ended": "1"} if ended else {}
        pairs |= {"page": str(page)} if page is not None and page > 1 else {}
        return f"{ADDRESS}?{urlencode(pairs)}" if pairs else ADDRESS

    facets = tuple(
        (
            facet.name,
            tuple(
                FacetLink(
                    each.value,
                    each.count,
                    each.chosen,
                    address(leave=facet.name) if each.chosen else address(choose={facet.name: each.value}),
                )
                for each in facet.values
            ),
            facet.left_out,
        )
        for facet in queue.facets
        # A repository that is the only one is no choice.
        if facet.name != "repository" or len(facet.values) > 1 or any(each.chosen for each in facet.values)
    )
    return QueuePage(
        queue,
        facets,
        wanted.words,
        tuple(wanted.facets.items()),
        bool(wanted.facets or wanted.words),
        wanted.ended,
        address(ended=not wanted.ended),
        address(queue.page - 1) if queue.page > 1 else "",
        address(queue.page + 1) if queue.page < queue.pages else "",
        notice,
    )
