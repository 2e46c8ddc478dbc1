"""Find unwanted content in an artifact: times, paths of the machine; and differences between two. Pure."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from verigate.formats import pointer

_MONTHS = {
    name: number
    for number, name in enumerate(
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], 1
    )
}
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)[T _](\d\d)[:.]?(\d\d)")
_CTIME = re.compile(r"([A-Z][a-z]{2}) +(\d{1,2}) (?:(\d{4}) )?(\d\d):(\d\d):\d\d(?:.*?(\d{4}))?")
_RFC_5322 = re.compile(r"(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d)")
_EPOCH = re.compile(r"(?<![\w.])(\d{10})(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?(?!\w)")
_DAY = re.compile(r"(?<![\d.])(\d{4})(-?)(\d\d)\2(\d\d)(?!\d|[T _]\d\d[:.]?\d\d)")


class CallWindow(Struct, frozen=True):
    """When a call ran: ``start`` and ``end`` in seconds since the epoch; ``offsets`` of its clocks from UTC in hours.

    ``known`` is text of the subject: a day in it doesn't come from a clock.
    """

    start: float
    end: float
    offsets: tuple[int, ...] = (0,)
    known: str = ""

    def has_second(self, second: int) -> bool:
        """Whether this time lies in the window, with a tolerance of two seconds."""
        return self.start - 2 <= second <= self.end + 2

    def has_minute(self, year: int, month: int, day: int, hour: int, minute: int) -> bool:
        """Whether a clock showed this minute during the call."""
        try:
            shown = datetime(year, month, day, hour, minute, tzinfo=UTC)
        except ValueError:
            return False
        local = (shown - timedelta(hours=offset) for offset in self.offsets)
        return any(self.start - 62 <= moment.timestamp() <= self.end + 2 for moment in local)

    def has_day(self, year: int, month: int, day: int) -> bool:
        """Whether a calendar showed this day during the call."""
        moments = (
            datetime.fromtimestamp(at, UTC) + timedelta(hours=o) for at in (self.start, self.end) for o in self.offsets
        )
        return any((moment.year, moment.month, moment.day) == (year, month, day) for moment in moments)


def find_moments(text: str, window: CallWindow) -> Iterator[str]:
    """Find the times within the window in ``text``: ISO 8601, ctime(3), RFC 5322, seconds of the epoch, the day."""
    for found in _ISO.finditer(text):
        if window.has_minute(*map(int, found.groups())):
            yield found[0]
    for found in _CTIME.finditer(text):
        year = found[3] or found[6] or datetime.fromtimestamp(window.start, UTC).year
        if found[1] in _MONTHS and window.has_minute(int(year), _MONTHS[found[1]], *map(int, found.group(2, 4, 5))):
            yield found[0]
    for found in _RFC_5322.finditer(text):
        day, month, *rest = found.groups()
        if month in _MONTHS and window.has_minute(int(rest[0]), _MONTHS[month], int(day), int(rest[1]), int(rest[2])):
            yield found[0]
    for found in _EPOCH.finditer(text):
        if window.has_second(int(found[1])):
            yield found[0]
    for found in _DAY.finditer(text):
        if found[0] not in window.known and window.has_day(int(found[1]), int(found[3]), int(found[4])):
            yield found[0]


def list_leaves(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string and number in a JSON value, and every key, as text with its pointer."""
    if isinstance(value, Mapping):
        for key, member in value.items():
            below = f"{place}/{pointer.escape(key)}"
            yield below, key
            yield from list_leaves(member, below)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from list_leaves(member, f"{place}/{index}")
    elif isinstance(value, str):
        yield place, value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, repr(value)


def find_moment(value: Any, window: CallWindow) -> tuple[str, str] | None:
    """Find the first time of the call in a value: its pointer and text; None without one."""
    return next(((place, moment) for place, text in list_leaves(value) for moment in find_moments(text, window)), None)


def find_path(value: Any, paths: Iterable[str]) -> tuple[str, str] | None:
    """Find the first of these paths in a value: its pointer and the path; None without one."""
    ordered = sorted(paths, key=len, reverse=True)
    return next(((place, path) for place, text in list_leaves(value) for path in ordered if path in text), None)


def mask(value: Any, hide: Callable[[str], bool]) -> Any:
    """Replace every string, number and key that ``hide`` picks by a mark: other checks report them."""
    if isinstance(value, Mapping):
        return {("(hidden)" if hide(key) else key): mask(member, hide) for key, member in value.items()}
    if isinstance(value, list):
        return [mask(member, hide) for member in value]
    if isinstance(value, str):
        return "(hidden)" if hide(value) else value
    if isinstance(value, int | float) and not isinstance(value, bool) and hide(repr(value)):
        return "(hidden)"
    return value


class Difference(Struct, frozen=True):
    """The first place where two values differ; ``reordered`` if an array only has another order."""

    place: str
    one: str
    other: str
    reordered: bool = False


_NOTHING = object()


def find_difference(one: Any, other: Any, place: str = "") -> Difference | None:
    """Find the first difference by the order of sorted keys and of indices, None for equal values."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        pairs = (
            (f"{place}/{pointer.escape(key)}", one.get(key, _NOTHING), other.get(key, _NOTHING))
            for key in sorted({*one, *other})
        )
        return next((found for at, left, right in pairs if (found := find_difference(left, right, at))), None)
    if isinstance(one, list) and isinstance(other, list):
        if one != other and sorted(map(_to_canonical, one)) == sorted(map(_to_canonical, other)):
            index = next(index for index, item in enumerate(one) if item != other[index])
            return Difference(f"{place}/{index}", _format(one[index]), _format(other[index]), reordered=True)
        length = max(len(one), len(other))
        padded = ([*items, *[_NOTHING] * (length - len(items))] for items in (one, other))
        triples = ((f"{place}/{index}", *pair) for index, pair in enumerate(zip(*padded, strict=True)))
        return next((found for at, left, right in triples if (found := find_difference(left, right, at))), None)
    if one == other and isinstance(one, bool) == isinstance(other, bool):
        return None
    return Difference(place, _format(one), _format(other))


def _format(value: Any) -> str:
    if value is _NOTHING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _to_canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True)


def find_unsorted(schema: Mapping[str, Any], value: Any) -> Iterator[tuple[str, str, str]]:
    """Find where ``value`` breaks an ``x-sorted`` of its schema: pointer of the second item, that item, the one before.

    ``"x-sorted": true`` requires ascending items; a member's name, or a list of them, items that ascend by these
    members. ``properties``, ``items``, ``prefixItems``, ``additionalProperties``, ``allOf`` and a ``$ref`` that leads
    inside the document are followed.
    """
    yield from _search_unsorted(schema, schema, value, "", frozenset())


def _search_unsorted(
    root: Mapping[str, Any], schema: Any, value: Any, place: str, seen: frozenset[str]
) -> Iterator[tuple[str, str, str]]:
    if not isinstance(schema, Mapping):
        return
    target = schema.get("$ref")
    if isinstance(target, str) and target.startswith("#") and target not in seen:
        # Another check reports a missing target: such a schema is not valid.
        with contextlib.suppress(LookupError, ValueError):
            yield from _search_unsorted(root, pointer.resolve(root, target[1:]), value, place, seen | {target})
    for part in schema.get("allOf", ()):
        yield from _search_unsorted(root, part, value, place, seen)
    if isinstance(value, list):
        if schema.get("x-sorted"):
            yield from _find_out_of_order(value, schema["x-sorted"], place)
        first = schema.get("prefixItems", ())
        for index, item in enumerate(value):
            below = first[index] if index < len(first) else schema.get("items")
            yield from _search_unsorted(root, below, item, f"{place}/{index}", frozenset())
    elif isinstance(value, Mapping):
        named = schema.get("properties", {})
        for key, member in value.items():
            below = named.get(key, schema.get("additionalProperties"))
            yield from _search_unsorted(root, below, member, f"{place}/{pointer.escape(key)}", frozenset())


def _find_out_of_order(items: Sequence[Any], by: Any, place: str) -> Iterator[tuple[str, str, str]]:
    members = None if by is True else [by] if isinstance(by, str) else list(by)

    def sort_key(item: Any) -> Any:
        if members is None:
            return item
        return [item.get(member) for member in members] if isinstance(item, Mapping) else item

    breaks = []
    # JavaScript sorts by UTF-16 units, most others by code points; both are stable orders.
    for encoding in ("utf-32-be", "utf-16-be"):
        keys = [_sort_key(sort_key(item), encoding) for item in items]
        first = next((index for index in range(1, len(keys)) if keys[index] < keys[index - 1]), None)
        if first is None:
            return
        breaks.append(first)
    at = breaks[0]
    yield f"{place}/{at}", _format(items[at]), _format(items[at - 1])


def _sort_key(value: Any, encoding: str) -> tuple[int, Any]:
    """Return something that compares: null, booleans, numbers, strings, arrays, then objects by their text."""
    if value is None or isinstance(value, bool):
        return (0, int(value is True) + int(value is not None))
    if isinstance(value, int | float):
        return (1, value)
    if isinstance(value, str):
        return (2, value.encode(encoding, "surrogatepass"))
    if isinstance(value, list):
        return (3, [_sort_key(item, encoding) for item in value])
    return (4, _to_canonical(value))
