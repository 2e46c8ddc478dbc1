"""The canonical form is that of RFC 8785, whoever writes it."""

from __future__ import annotations

from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from verigate.formats import canonical_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.sampled_from(["a,1.5", "[1e5", ":-12345678901234567", '\x00\x1f\x7f"\\/', "\u2028\ud7ff\ue000\uffff", "😀"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=20,
)


@given(VALUES)
def test_the_bytes_are_those_of_the_other_writer(value: Any) -> None:
    assert canonical_json.dumps(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        -0.0,
        1e21,
        5e-324,
        [1.5],
        [0.8, 1.0, -3.0, 0.0],
        [1e-5, 9.999999999999999e-6, 999999999999999.9, 1e15, 1000000000000000.5, 2.0**53, -(2.0**60)],
        {"a": 1e-7},
        {"\ue000": 1, "😀": 2},
        {"é": "ü", "e": 1},
        "a,1.5",
        [],
        {},
        {"": {}},
    ],
)
def test_what_differs_is_written_as_the_standard_says(value: Any) -> None:
    assert canonical_json.dumps(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [2**53, [-(2**53)], {"a": 10**18}, "\ud800", {"\udfff": 1}])
def test_what_has_no_canonical_form_is_an_error(value: Any) -> None:
    with pytest.raises(canonical_json.NoCanonicalFormError):
        canonical_json.dumps(value)


def test_what_is_too_deep_is_an_error() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(canonical_json.NoCanonicalFormError):
        canonical_json.dumps(value)
