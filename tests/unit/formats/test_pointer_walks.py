from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.formats import pointer

segments = st.lists(st.text() | st.integers(0, 99), max_size=5)


@given(segments)
def test_join_and_split_are_inverse(parts: list[str | int]) -> None:
    assert pointer.split(pointer.join(*parts)) == tuple(str(part) for part in parts)


@given(st.dictionaries(st.text(), st.dictionaries(st.text(), st.integers()), min_size=1))
def test_every_member_is_found_by_its_pointer(value: dict[str, dict[str, int]]) -> None:
    for key, inner in value.items():
        for name, number in inner.items():
            assert pointer.resolve(value, pointer.join(key, name)) == number


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("", {"a": [{"b": 1}, 2], "": 3, "x/y": 4, "m~n": 5}),
        ("/a/0/b", 1),
        ("/a/1", 2),
        ("/", 3),
        ("/x~1y", 4),
        ("/m~0n", 5),
    ],
)
def test_the_examples_of_the_rfc(place: str, expected: Any) -> None:
    assert pointer.resolve({"a": [{"b": 1}, 2], "": 3, "x/y": 4, "m~n": 5}, place) == expected


@pytest.mark.parametrize(
    "place", ["/b", "/a/2", "/a/-1", "/a/x", "/a/0/b/c", "/a/-", "/a/ 1", "/a/²", "/a/01", "/a/١", f"/a/{'9' * 5000}"]
)
def test_nothing_there_is_a_lookup_error(place: str) -> None:
    with pytest.raises(LookupError):
        pointer.resolve({"a": [{"b": 1}, 2]}, place)


def test_a_pointer_begins_with_a_slash() -> None:
    with pytest.raises(ValueError, match="JSON pointer"):
        pointer.split("a/b")


def test_what_is_left_out_and_that_the_original_stays_as_it_was() -> None:
    value = {"t": 1, "x": {"t": 2, "k": 3}, "l": [{"t": 4, "k": 5}, 6, {"t": 7}], "s": "t"}
    before = copy.deepcopy(value)
    assert pointer.copy_without(value, ["/t"]) == {
        "x": {"t": 2, "k": 3},
        "l": [{"t": 4, "k": 5}, 6, {"t": 7}],
        "s": "t",
    }
    assert pointer.copy_without(value, ["/l/*/t", "/x/*"]) == {"t": 1, "x": {}, "l": [{"k": 5}, 6, {}], "s": "t"}
    assert pointer.copy_without(value, ["/l/1"]) == {**value, "l": [{"t": 4, "k": 5}, {"t": 7}]}
    assert pointer.copy_without(value, ["/none", "/s/t", "/l/9", "/l/x", "/t/deeper"]) == value
    assert pointer.copy_without(value, [""]) == value
    assert value == before


@given(st.dictionaries(st.text(max_size=2), st.integers(), max_size=4), st.lists(st.text(max_size=2), max_size=3))
def test_without_removes_exactly_what_is_named(value: dict[str, int], names: list[str]) -> None:
    left = pointer.copy_without(value, [pointer.join(name) for name in names if name != "*"])
    assert left == {key: item for key, item in value.items() if key not in set(names) - {"*"}}
