"""config/verigate-baseline.json: read, checked, compared with the base's, and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from verigate.config.files import read_bytes
from verigate.config.validation import validate
from verigate.domain.baseline import Baseline, BaselineEntry, FindingKey, build_baseline, parse_entry
from verigate.domain.profile import BASELINE_FILE
from verigate.errors import ConfigError, Fault
from verigate.formats import pointer
from verigate.formats.schema import MAX_FAULTS, locate_faults
from verigate.formats.strict_json import MAX_NAME, StrictJsonError, loads

SCHEMA = "verigate:baseline.v1"
MAX_DAYS = 366
"""The longest time, in days, that an entry may cover a finding."""

MAX_BYTES = 32 * 1024 * 1024
"""The largest file that is read: some 100,000 entries."""


def read_baseline(root: Path, today: str) -> Baseline | None:
    """The repository's baseline, judged on ``today`` (ISO 8601); None where it has none.

    Raises ConfigError with every fault: what the schema refuses, dates that are none, an entry that was created in the
    future, or expires before its day or more than MAX_DAYS after it, two entries that say the same.
    """
    content = read_bytes(root / BASELINE_FILE, shown=BASELINE_FILE, max_bytes=MAX_BYTES)
    return None if content is None else parse_baseline(content, today)


def parse_baseline(content: bytes, today: str) -> Baseline:
    """The same for a file's content."""
    try:
        document = loads(content, max_bytes=MAX_BYTES, max_name=MAX_NAME)
    except StrictJsonError as problem:
        raise ConfigError([problem.to_fault(BASELINE_FILE)]) from None
    if faults := validate("baseline", document, file=BASELINE_FILE, source=content):
        raise ConfigError(faults)
    if broken := list(islice(_faults(document["entries"], today), MAX_FAULTS)):
        raise ConfigError(locate_faults(broken, file=BASELINE_FILE, source=content))
    return build_baseline(document, content, today)


def only_tightens(base: bytes | None, own: Baseline | None) -> bool:
    """Whether ``own`` covers nothing that the base's file doesn't: entries are gone, count less or expire earlier.

    That asks more of every change, and so it is no change of policy that somebody else must allow.
    """
    if own is None:
        return True
    if base is None:
        return False
    try:
        before = {_same(entry): entry for entry in parse_baseline(base, own.judged_on).entries}
    except ConfigError:
        return False
    return all(
        (old := before.get(_same(entry))) is not None and entry.count <= old.count and entry.expires <= old.expires
        for entry in own.entries
    )


def parse_expiry(text: str, today: str) -> str:
    """The date that ``DATE|DAYS`` means, counted from ``today``. Raises ValueError with what is wrong."""
    start = date.fromisoformat(today)
    try:
        last = start + timedelta(days=int(text)) if text.isdecimal() and len(text) < 6 else date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is neither a number of days nor a date like {start + timedelta(90)}") from None
    if not start < last <= start + timedelta(days=MAX_DAYS):
        raise ValueError(f"{last} isn't between tomorrow and {MAX_DAYS} days from now ({start + timedelta(MAX_DAYS)})")
    return last.isoformat()


def encode_baseline(entries: Sequence[BaselineEntry]) -> bytes:
    """The file: an entry a line, so that a change of it can be reviewed."""
    if not entries:
        return f'{{\n  "schema": "{SCHEMA}",\n  "entries": []\n}}\n'.encode()
    lines = b",\n".join(b"    " + orjson.dumps(entry.document()) for entry in entries)
    return f'{{\n  "schema": "{SCHEMA}",\n  "entries": [\n'.encode() + lines + b"\n  ]\n}\n"


def _same(entry: BaselineEntry) -> tuple[FindingKey, str, str]:
    return entry.key, entry.created, entry.reason


def _faults(entries: Iterable[Any], today: str) -> Iterator[Fault]:
    seen: dict[tuple[FindingKey, str, str], int] = {}
    for index, document in enumerate(entries):
        dates = {key: _date(document[key]) for key in ("created", "expires")}
        for key, value in dates.items():
            if value is None:
                yield Fault(f"{document[key]!r} is no date", pointer=pointer.join("entries", index, key))
        created, expires = dates["created"], dates["expires"]
        if created is not None and created.isoformat() > today:
            message = f"it is {created}, which is in the future (today, in UTC, is {today})"
            yield Fault(message, pointer=pointer.join("entries", index, "created"))
        if created is not None and expires is not None and not created < expires <= created + timedelta(MAX_DAYS):
            message = f"it is {expires}, must be after {created} and at most {MAX_DAYS} days later"
            hint = "an entry is renewed with gate baseline write --renew, not made to last"
            yield Fault(message, pointer=pointer.join("entries", index, "expires"), hint=hint)
        first = seen.setdefault(_same(parse_entry(document)), index)
        if first != index:
            message = f"it says the same as entry {first}; one entry with the count of both is meant"
            yield Fault(message, pointer=pointer.join("entries", index))


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
