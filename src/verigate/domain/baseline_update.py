"""Update a baseline: add entries for what occurs now, keep those that still apply, drop the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.baseline import BaselineEntry
from verigate.domain.known_failures import KnownFailure

Entry = TypeVar("Entry", bound=BaselineEntry | KnownFailure)


class BaselineUpdate(Struct, Generic[Entry], frozen=True):
    """The new entries in the order of the file, and the number of findings or tests by what happened to them.

    ``added`` got a new entry, ``kept`` have theirs still, ``expired`` occur but their entry has expired, ``dropped`` no
    longer occur.
    """

    entries: tuple[Entry, ...]
    added: int = 0
    kept: int = 0
    expired: int = 0
    dropped: int = 0


class EntryTerms(Struct, frozen=True):
    """Contents of new entries. Dates are ISO 8601."""

    created: str
    expires: str
    reason: str


def update_baseline(
    old: Sequence[Entry], found: Mapping[Any, int], terms: EntryTerms, make: Callable[..., Entry], *, renew: bool
) -> BaselineUpdate[Entry]:
    """Add entries for all keys in ``found``. Existing entries keep their date, expired or not, unless ``renew``.

    ``make`` is the class of the entries.
    """
    kept: BaselineUpdate[Entry] = drop_stale_entries([] if renew else old, found, terms.created)
    left = Counter(found) - _count(kept.entries)
    fresh: list[Entry] = [make(key, count, terms.created, terms.expires, terms.reason) for key, count in left.items()]
    dropped = (_count(old) - Counter(found)).total()
    entries = _sort([*kept.entries, *fresh])
    return BaselineUpdate(entries, left.total(), kept.kept, kept.expired, dropped)


def drop_stale_entries(old: Sequence[Entry], found: Mapping[Any, int], today: str) -> BaselineUpdate[Entry]:
    """Reduce the entries to what still occurs; of several for one key the first in the file are kept."""
    left = Counter(found)
    entries: list[Entry] = []
    for entry in old:
        count = min(entry.count, left[entry.key])
        left[entry.key] -= count
        if count:
            entries.append(replace(entry, count=count))
    expired = sum(entry.count for entry in entries if entry.expires <= today)
    total = sum(entry.count for entry in entries)
    dropped = sum(entry.count for entry in old) - total
    return BaselineUpdate(_sort(entries), 0, total - expired, expired, dropped)


def _count(entries: Iterable[Entry]) -> Counter[Any]:
    counted: Counter[Any] = Counter()
    for entry in entries:
        counted[entry.key] += entry.count
    return counted


def _sort(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Sort entries by place, so that a diff of the file is readable."""
    return tuple(sorted(entries, key=lambda entry: (entry.key.place, entry.created, entry.expires, entry.reason)))
