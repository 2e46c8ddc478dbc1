"""What checkwash says, in words that its reader knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkwash.detectors import assert_weakened

from code_adapter.integrity.checks.checkwash_words import describe_strengths

UNSURE = "checkwash cannot verify the replacement is equivalent"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "test_a: assertion strength EXACT_VALUE(90) -> TRUTHY(20)",
            "test_a: the assertion checked an exact value, and now checks only that a value counts as true",
        ),
        (
            f"test_a: assertion replaced; {UNSURE} (predicate eq -> in)",
            "test_a: assertion replaced; nothing shows that the new one checks as much (predicate eq -> in)",
        ),
        ("test_a: assertion strength OTHER(1) -> TRUTHY(20)", "test_a: assertion strength OTHER(1) -> TRUTHY(20)"),
    ],
)
def test_a_message_becomes_words(message: str, words: str) -> None:
    assert describe_strengths(message) == words


def test_the_words_that_are_replaced_are_still_those_of_checkwash() -> None:
    assert UNSURE in Path(assert_weakened.__file__).read_text("utf-8")
