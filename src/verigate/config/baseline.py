"""Read, validate, compare and encode config/verigate-baseline.json."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import orjson

from verigate.config.files import read_bytes
from verigate.config.validation import validate
from verigate.domain.baseline import Baseline, BaselineEntry, FindingKey, build_baseline, parse_entry
from verigate.domain.known_failures import FailureKey, KnownFailure, parse_known_failure
from verigate.domain.profile import BASELINE_FILE
from verigate.errors import ConfigError, Fault
from verigate.formats import pointer
from verigate.formats.schema import MAX_FAULTS, locate_faults
from verigate.formats.strict_json import MAX_NAME, StrictJsonError, loads

Entry = TypeVar("Entry", BaselineEntry, KnownFailure)

SCHEMA = "verigate:baseline.v1"
MAX_DAYS = 366
"""The longest time, in days, that an entry may suppress a finding."""

MAX_BYTES = 32 * 1024 * 1024
"""The largest file that is read, in bytes: some 100,000 entries."""


def read_baseline(root: Path, today: str) -> Baseline | None:
    """Read the repository's baseline as of ``today`` (ISO 8601); None if it has none.

    Raises ConfigError with every fault: a violation of the schema, an invalid date, an entry that was created in the
    future, or expires before its creation or more than MAX_DAYS after it, duplicate entries.
    """
    content = read_bytes(root / BASELINE_FILE, shown=BASELINE_FILE, max_bytes=MAX_BYTES)
    return None if content is None else parse_baseline(content, today)


def parse_baseline(content: bytes, today: str) -> Baseline:
    """Parse the content of a baseline, as ``read_baseline`` does."""
    try:
        document = loads(content, max_bytes=MAX_BYTES, max_name=MAX_NAME)
    except StrictJsonError as problem:
        raise ConfigError([problem.to_fault(BASELINE_FILE)]) from None
    if faults := validate("baseline", document, file=BASELINE_FILE, source=content):
        raise ConfigError(faults)
    faults_of_tests = _find_faults(document.get("tests", ()), today, "tests")
    if broken := list(islice(chain(_find_faults(document["entries"], today), faults_of_tests), MAX_FAULTS)):
        raise ConfigError(locate_faults(broken, file=BASELINE_FILE, source=content))
    return build_baseline(document, content, today)


def only_tightens(base: bytes | None, own: Baseline | None) -> bool:
    """Return whether ``own`` suppresses nothing more than the base's file: entries are gone, smaller or expire earlier.

    That is stricter for every change, so it is no change of policy that needs permission.
    """
    if own is None:
        return True
    if base is None:
        return False
    try:
        there = parse_baseline(base, own.judged_on)
    except ConfigError:
        return False
    return _is_within(own.entries, there.entries) and _is_within(own.tests, there.tests)


def _is_within(own: Sequence[Entry], base: Sequence[Entry]) -> bool:
    before = {_identify_entry(entry): entry for entry in base}
    return all(
        (old := before.get(_identify_entry(entry))) is not None
        and entry.count <= old.count
        and entry.expires <= old.expires
        for entry in own
    )


def parse_expiry(text: str, today: str) -> str:
    """Parse ``DATE|DAYS`` into a date, days counted from ``today``. Raises ValueError."""
    start = date.fromisoformat(today)
    try:
        last = start + timedelta(days=int(text)) if text.isdecimal() and len(text) < 6 else date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is neither a number of days nor a date like {start + timedelta(90)}") from None
    if not start < last <= start + timedelta(days=MAX_DAYS):
        raise ValueError(f"{last} isn't between tomorrow and {MAX_DAYS} days from now ({start + timedelta(MAX_DAYS)})")
    return last.isoformat()


def encode_baseline(entries: Sequence[BaselineEntry], tests: Sequence[KnownFailure] = ()) -> bytes:
    """Encode the entries, one a line, so that a change can be reviewed. ``tests`` is left out if it is empty."""
    parts = [f'  "schema": "{SCHEMA}"'.encode(), _encode_list("entries", entries)]
    if tests:
        parts.append(_encode_list("tests", tests))
    return b"{\n" + b",\n".join(parts) + b"\n}\n"


def _encode_list(name: str, entries: Sequence[BaselineEntry | KnownFailure]) -> bytes:
    if not entries:
        return f'  "{name}": []'.encode()
    lines = b",\n".join(b"    " + orjson.dumps(entry.document()) for entry in entries)
    return f'  "{name}": [\n'.encode() + lines + b"\n  ]"


def _identify_entry(entry: BaselineEntry | KnownFailure) -> tuple[FindingKey | FailureKey, str, str]:
    return entry.key, entry.created, entry.reason


def _find_faults(entries: Iterable[Any], today: str, member: str = "entries") -> Iterator[Fault]:
    parse: Callable[[Any], BaselineEntry | KnownFailure] = parse_entry if member == "entries" else parse_known_failure
    seen: dict[tuple[FindingKey | FailureKey, str, str], int] = {}
    for index, document in enumerate(entries):
        dates = {key: _parse_date(document[key]) for key in ("created", "expires")}
        for key, value in dates.items():
            if value is None:
                yield Fault(f"{document[key]!r} is no date", pointer=pointer.join(member, index, key))
        created, expires = dates["created"], dates["expires"]
        if created is not None and created.isoformat() > today:
            message = f"it is {created}, which is in the future (today, in UTC, is {today})"
            yield Fault(message, pointer=pointer.join(member, index, "created"))
        if created is not None and expires is not None and not created < expires <= created + timedelta(MAX_DAYS):
            message = f"it is {expires}, must be after {created} and at most {MAX_DAYS} days later"
            hint = "an entry is renewed with gate baseline write --renew, not made to last"
            yield Fault(message, pointer=pointer.join(member, index, "expires"), hint=hint)
        first = seen.setdefault(_identify_entry(parse(document)), index)
        if first != index:
            message = f"it says the same as entry {first}; one entry with the count of both is meant"
            yield Fault(message, pointer=pointer.join(member, index))


def _parse_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
