"""Moments, paths, differences and order in artifacts."""

from __future__ import annotations

import datetime as dt
import email.utils
import json
import random
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.conformance import artifact_content

NOW = 1_795_362_231.5  # 2026-11-22 15:43:51 UTC
WINDOW = artifact_content.CallWindow(NOW, NOW + 3)
AHEAD = artifact_content.CallWindow(NOW, NOW + 3, (0, 14))


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-22T15:43:52.123Z",
        "at 2026-11-22 15:43",
        "Sun Nov 22 15:43:53 2026",
        "Sun Nov 22 15:43:53 UTC 2026",
        "Sun, 22 Nov 2026 15:43:53 GMT",
        "1795362232",
        "1795362232123",
        "1795362232.25",
        "1795362232123456789",
        "2026-11-22",
        "20261122",
        "report of 2026-11-22.",
    ],
)
def test_a_moment_of_the_call_is_found(text: str) -> None:
    assert artifact_content.find_moment({"a": [text]}, WINDOW) is not None
    assert artifact_content.find_moment({text: 1}, WINDOW) is not None


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-22T14:43:52Z",
        "2025-11-22T15:43:52Z",
        "2026-11-23",
        "2026-13-99T15:43",
        "Sat Nov 21 15:43:53 2026",
        "Xyz 22 15:43:53",
        "1795363999",
        "a1795362232b",
        "v1.1795362232.0",
        "17953622321",
        "15:43:52",
        "1.2026112",
        "",
    ],
)
def test_another_moment_is_none_of_the_call(text: str) -> None:
    assert artifact_content.find_moment([text], WINDOW) is None


def test_a_day_that_the_subject_names_is_no_clock_s_and_a_clock_ahead_is_known() -> None:
    known = artifact_content.CallWindow(NOW, NOW + 3, known="released 2026-11-22")
    assert artifact_content.find_moment(["2026-11-22"], known) is None
    assert artifact_content.find_moment(["2026-11-23T05:43:52"], WINDOW) is None
    assert artifact_content.find_moment(["2026-11-23T05:43:52"], AHEAD) == ("/0", "2026-11-23T05:43")
    assert artifact_content.find_moment([1_795_362_232], WINDOW) == ("/0", "1795362232")


@given(st.integers(0, 4_000_000_000))
def test_whatever_the_clock_shows_is_found_in_every_form(now: int) -> None:
    window = artifact_content.CallWindow(now, now)
    moment = dt.datetime.fromtimestamp(now, dt.UTC)
    forms = [moment.isoformat(), time.asctime(moment.timetuple()), email.utils.format_datetime(moment)]
    forms += [str(now)] if now >= 1_000_000_000 else []
    for text in forms:
        assert artifact_content.find_moment(text, window), text


def test_a_path_is_told_with_the_longest_that_fits() -> None:
    assert artifact_content.find_path({"a": ["x", "at /work/subject/a.py"]}, ["/work", "/work/subject"]) == (
        "/a/1",
        "/work/subject",
    )
    assert artifact_content.find_path({"a": "subject"}, ["/work/subject"]) is None


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ("/b", "2", "3", False)),
        ({"a": 1}, {"a": 1, "b": None}, ("/b", "nothing", "null", False)),
        ([1, 2], [2, 1], ("/0", "1", "2", True)),
        ([1, 2], [1, 2, 3], ("/2", "nothing", "3", False)),
        ({"a": [{"x": "1"}]}, {"a": [{"x": 1}]}, ("/a/0/x", '"1"', "1", False)),
        (True, 1, ("", "true", "1", False)),
        ({"a/b": 1}, {"a/b": 2}, ("/a~1b", "1", "2", False)),
    ],
)
def test_the_first_difference_is_told(one: Any, other: Any, told: tuple[str, str, str, bool]) -> None:
    found = artifact_content.find_difference(one, other)
    assert found is not None
    assert (found.place, found.one, found.other, found.reordered) == told


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, JSON)
def test_there_is_a_difference_exactly_where_values_differ(one: Any, other: Any) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (artifact_content.find_difference(one, other) is None) == same
    assert artifact_content.find_difference(one, one) is None


def sorted_by(by: Any) -> dict[str, Any]:
    return {"properties": {"list": {"$ref": "#/$defs/list"}}, "$defs": {"list": {"type": "array", "x-sorted": by}}}


@pytest.mark.parametrize(
    ("by", "items", "place"),
    [
        (True, ["a", "b", "c"], None),
        (True, ["b", "a"], "/list/1"),
        (True, [1, 2, 10], None),
        (True, ["1", "10", "2"], None),
        (True, ["Z", "a"], None),
        (True, ["\uffee", "\U00010000"], None),  # by code point
        (True, ["\U00010000", "\uffee"], None),  # by UTF-16 unit
        ("path", [{"path": "a", "n": 2}, {"path": "b", "n": 1}], None),
        ("path", [{"path": "b"}, {"path": "a"}], "/list/1"),
        (["path", "line"], [{"path": "a", "line": 9}, {"path": "a", "line": 10}], None),
        (["path", "line"], [{"path": "a", "line": 10}, {"path": "a", "line": 9}], "/list/1"),
        (False, ["b", "a"], None),
        (True, [], None),
    ],
)
def test_order_is_asked_where_the_schema_says_so(by: Any, items: list[Any], place: str | None) -> None:
    found = next(artifact_content.find_unsorted(sorted_by(by), {"list": items}), None)
    assert (found[0] if found else None) == place


def test_a_schema_that_refers_to_itself_or_nowhere_ends() -> None:
    looped = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert list(artifact_content.find_unsorted(looped, [2, 1])) == []
    assert list(artifact_content.find_unsorted({"$ref": "#/nowhere"}, [2, 1])) == []
    nested = {"items": {"allOf": [{"additionalProperties": {"x-sorted": True}}]}}
    assert [place for place, _, _ in artifact_content.find_unsorted(nested, [{"k": [1, 2]}, {"k": [2, 1]}])] == [
        "/1/k/1"
    ]


@given(st.lists(st.text()))
def test_what_is_sorted_by_code_point_is_sorted(items: list[str]) -> None:
    assert not list(artifact_content.find_unsorted({"x-sorted": True}, sorted(items)))


def test_what_is_hidden_differs_no_more() -> None:
    shuffled = random.Random(1).sample(range(100), 5)  # noqa: S311 (no secret)
    one, other = {"a": shuffled, "/x/1": "/x/1/f"}, {"a": shuffled, "/x/2": "/x/2/f"}
    hidden = [artifact_content.mask(value, lambda text: text.startswith("/x/")) for value in (one, other)]
    assert hidden[0] == hidden[1]
