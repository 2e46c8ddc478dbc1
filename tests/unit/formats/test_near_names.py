from __future__ import annotations

import pytest

from verigate.formats.near_names import find_near, suggest_longer, suggest_name, suggest_nearest


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("coverge", ["coverage", "colour"], ["coverage"]),
        ("T2", ["T1", "T3", "release"], ["T1", "T3"]),
        ("t1", ["T1", "X1"], ["T1", "X1"]),
        ("CODE", ["code", "cove"], ["code", "cove"]),
        ("T12", ["T1"], ["T1"]),
        ("ab", ["xy", "abcdefgh"], []),
        ("a", ["b"], []),
        ("T2", [], []),
        ("x" * 1_000_000, ["T1"], []),
    ],
)
def test_near_names(name: str, known: list[str], found: list[str]) -> None:
    assert find_near(name, known) == found


def test_the_hint_names_the_nearest() -> None:
    assert suggest_nearest("T2", ["T1", "T3"]) == "did you mean 'T1'?"
    assert suggest_nearest("T2", ["T1", "T3"], 3) == "did you mean 'T1' or 'T3'?"
    assert suggest_nearest("zz", ["T1"]) is None


def test_where_nothing_is_near_a_short_list_is_shown_and_a_long_one_is_not() -> None:
    assert suggest_name("zz", ["T1", "A"]) == "known: A, T1"
    assert suggest_name("zz", []) is None
    assert suggest_name("zz", [f"task-{number}" for number in range(13)]) is None


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("strict", ["docs_strict", "docs", "code_strict"], "did you mean 'code_strict' or 'docs_strict'?"),
        (
            "Code",
            ["code_update_strict", "code_strict", "decode"],
            "did you mean 'code_strict' or 'code_update_strict'?",
        ),
        ("stri", ["docs_strict"], None),
        ("", ["docs_strict"], None),
        ("x", [f"x_{number}" for number in range(13)], None),
    ],
)
def test_a_part_of_longer_names_suggests_all_of_them(name: str, known: list[str], hint: str | None) -> None:
    assert suggest_longer(name, known) == hint
