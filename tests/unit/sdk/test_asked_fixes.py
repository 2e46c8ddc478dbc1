"""What commitment and claim say is fixed: every place that names a test, and documents of any shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.sdk.asked_fixes import MOST_CHARACTERS, MOST_NAMES, AskedFixes, read_asked_fixes

ASKED: list[tuple[dict[str, Any], dict[str, Any], AskedFixes]] = [
    ({}, {}, AskedFixes()),
    ({"requirements": {"fixes": ["a", "fix:b"]}}, {}, AskedFixes(("a", "b"))),
    ({"commitments": {"scope": {"fixes": ["a::b"]}}}, {}, AskedFixes(("a::b",))),
    ({}, {"claim": {"units_list": ["fix:a", "func:b", " FIX:c ", "d"]}}, AskedFixes(("a", "c"))),
    ({}, {"claimed": {"units_list": ["fix:a"]}}, AskedFixes(("a",))),
    ({"requirements": {"fixes": ["a"]}}, {"claim": {"units_list": ["fix:a"]}}, AskedFixes(("a",))),
    ({}, {"claim": {"statements": ["Fixed `test_a`."]}}, AskedFixes(("test_a",))),
    ({}, {"claim": {"statements": [{"id": "x", "text": "Fixed a bug."}]}}, AskedFixes((), some=True)),
    ({}, {"claim": {"statements": ["Added a regression test."]}}, AskedFixes((), some=True)),
    ({}, {"claim": {"statements": ["I might have fixed a bug."]}}, AskedFixes()),
    ({}, {"claim": {"statements": ["No behaviour change."]}}, AskedFixes()),
]


@pytest.mark.parametrize(("commitment", "claim", "expected"), ASKED)
def test_every_place_that_names_a_fix(commitment: dict[str, Any], claim: dict[str, Any], expected: AskedFixes) -> None:
    assert read_asked_fixes(commitment, claim) == expected


def test_no_more_names_than_there_is_room_for() -> None:
    names = [f"test_{number}" for number in range(2 * MOST_NAMES)]
    assert len(read_asked_fixes({"requirements": {"fixes": names}}, {}).names) == MOST_NAMES
    assert read_asked_fixes({"requirements": {"fixes": ["x" * (MOST_CHARACTERS + 1), "", " "]}}, {}).names == ()


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "claim",
                    "claimed",
                    "units_list",
                    "statements",
                    "text",
                    "requirements",
                    "commitments",
                    "scope",
                    "fixes",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["claim", "requirements", "commitments"]), ANY, max_size=3))
def test_a_document_of_another_shape_says_nothing_and_raises_nothing(document: dict[str, Any]) -> None:
    found = read_asked_fixes(document, document)
    assert all(isinstance(name, str) and name.strip() == name != "" for name in found.names)
