"""config/verigate-baseline.json: refused with file and pointer, compared with the base's, written a line an entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verigate.config.baseline import encode_baseline, only_tightens, parse_baseline, parse_expiry, read_baseline
from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.errors import ConfigError

TODAY = "2026-06-15"
ENTRY = {
    "path": "a.py",
    "rule": "F401",
    "tool": "ruff",
    "fingerprint": "a" * 64,
    "count": 2,
    "created": "2026-05-01",
    "expires": "2026-08-01",
    "reason": "old",
}


def content(*entries: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"schema": "verigate:baseline.v1", "entries": list(entries), **more}).encode()


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in ENTRY.items() if name != key}


@pytest.mark.parametrize(
    ("raw", "place", "says"),
    [
        (b"{", None, "it is not JSON"),
        (b"[]", "", "must be an object"),
        (b"{}", "", "'entries' is missing"),
        (content(schema="verigate:baseline.v2"), "/schema", "must be 'verigate:baseline.v1'"),
        (content(entires=[]), "/entires", "unknown key"),
        (content(without("expires")), "/entries/0", "'expires' is missing"),
        (content(without("created")), "/entries/0", "'created' is missing"),
        (content(without("reason")), "/entries/0", "'reason' is missing"),
        (content({**ENTRY, "expires": None}), "/entries/0/expires", "must be a string"),
        (content({**ENTRY, "expires": "never"}), "/entries/0/expires", "is not of the form"),
        (content({**ENTRY, "expires": "2026-02-30"}), "/entries/0/expires", "is no date"),
        (content({**ENTRY, "expires": "2026-05-01"}), "/entries/0/expires", "must be after 2026-05-01"),
        (content({**ENTRY, "expires": "2027-05-03"}), "/entries/0/expires", "at most 366 days later"),
        (content({**ENTRY, "created": "2026-06-16"}), "/entries/0/created", "in the future"),
        (content({**ENTRY, "count": 0}), "/entries/0/count", "at least 1"),
        (content({**ENTRY, "count": True}), "/entries/0/count", "must be an integer"),
        (content({**ENTRY, "reason": ""}), "/entries/0/reason", "it is empty"),
        (content({**ENTRY, "fingerprint": "A" * 64}), "/entries/0/fingerprint", "is not of the form"),
        (content({**ENTRY, "until": "ever"}), "/entries/0/until", "unknown key"),
        (content(ENTRY, {**ENTRY, "count": 5}), "/entries/1", "the same as entry 0"),
    ],
)
def test_a_baseline_that_says_too_much_or_too_little_is_refused(raw: bytes, place: str | None, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse_baseline(raw, TODAY)
    faults = [(fault.file, fault.pointer or "", fault.message) for fault in refused.value.faults]
    assert any(
        file == "config/verigate-baseline.json" and place in {None, pointer} and says in message
        for file, pointer, message in faults
    ), faults


@pytest.mark.parametrize(
    "dates", [("2026-06-15", "2026-06-16"), ("2026-06-15", "2027-06-16"), ("2020-01-01", "2020-02-01")]
)
def test_dates_at_the_borders_are_valid(dates: tuple[str, str]) -> None:
    read = parse_baseline(content({**ENTRY, "created": dates[0], "expires": dates[1]}), TODAY)
    assert [read.has_expired(entry) for entry in read.entries] == [dates[1] <= TODAY]


def test_every_fault_of_every_file_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config/verigate-baseline.json").write_bytes(content(without("expires")))
    (tmp_path / "config/verification.profiles.json").write_text('{"code_default": {"lint": 3}}')
    with pytest.raises(ConfigError) as refused:
        load_configuration(tmp_path, find_builtin_root(), lambda: TODAY)
    assert {fault.file for fault in refused.value.faults} == {
        "config/verigate-baseline.json",
        "config/verification.profiles.json",
    }


def test_the_clock_is_asked_only_where_there_is_a_baseline(tmp_path: Path) -> None:
    def asked() -> str:
        raise AssertionError("asked")

    assert load_configuration(tmp_path, find_builtin_root(), asked).baseline is None
    assert read_baseline(tmp_path, TODAY) is None


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "elsewhere.json").write_bytes(content(ENTRY))
    (tmp_path / "config/verigate-baseline.json").symlink_to("../elsewhere.json")
    with pytest.raises(ConfigError, match="symbolic link"):
        read_baseline(tmp_path, TODAY)


@pytest.mark.parametrize(
    ("own", "tightens"),
    [
        ([ENTRY], True),
        ([], True),
        ([{**ENTRY, "count": 1}], True),
        ([{**ENTRY, "expires": "2026-07-01"}], True),
        ([{**ENTRY, "count": 3}], False),
        ([{**ENTRY, "expires": "2026-08-02"}], False),
        ([{**ENTRY, "created": "2026-06-15"}], False),
        ([{**ENTRY, "reason": "because"}], False),
        ([{**ENTRY, "path": "b.py"}], False),
        ([{**ENTRY, "fingerprint": "b" * 64}], False),
        ([ENTRY, {**ENTRY, "reason": "again"}], False),
    ],
)
def test_only_taking_away_is_free(own: list[dict[str, Any]], tightens: bool) -> None:
    now = parse_baseline(content(*own), TODAY)
    assert only_tightens(content(ENTRY, {**ENTRY, "path": "c.py"}), now) is tightens
    assert not only_tightens(None, now), "without one in the base, every entry is new"
    assert not only_tightens(b"{", now), "from a file that can't be read nothing can be told"
    assert only_tightens(content(ENTRY), None), "the file is gone"


@pytest.mark.parametrize(
    ("text", "date"),
    [("90", "2026-09-13"), ("1", "2026-06-16"), ("366", "2027-06-16"), ("2026-07-01", "2026-07-01")],
)
def test_an_expiry_is_a_date_or_a_number_of_days(text: str, date: str) -> None:
    assert parse_expiry(text, TODAY) == date


@pytest.mark.parametrize("text", ["0", "367", "99999", "-1", "2026-06-15", "2027-06-17", "soon", "", "9" * 30, "1.5"])
def test_an_expiry_that_is_too_far_or_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"neither a number of days nor a date|isn't between tomorrow and 366 days"):
        parse_expiry(text, TODAY)


def test_what_is_written_is_read_again_and_stays_reviewable() -> None:
    odd = {**ENTRY, "path": 'odd "name"\n.py', "reason": "ü"}
    read = parse_baseline(content(ENTRY, odd), TODAY)
    raw = encode_baseline(read.entries)
    assert parse_baseline(raw, TODAY).entries == read.entries
    assert raw.count(b"\n") == 7, "an entry a line"
    assert parse_baseline(encode_baseline(()), TODAY).entries == ()
