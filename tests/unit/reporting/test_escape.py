"""No foreign text acts on a terminal, and none is endless."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.reporting.escape import escape, escape_value, quote_for_shell

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=400)


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("plain name.py", "plain name.py"),
        ("größe/文件.py", "größe/文件.py"),
        ("a\nPASS", r"a\nPASS"),
        ("\x1b[2J\x1b[H", r"\x1b[2J\x1b[H"),
        ("\x9b31m", r"\x9b31m"),
        ("a\rb\tc\x00\x7f", r"a\rb\tc\x00\x7f"),
        ("user\u202egnp.exe", r"user\u202egnp.exe"),
        ("\u2066\u2069\u200b\u200d\ufeff", r"\u2066\u2069\u200b\u200d\ufeff"),
        ("\u2028\u2029\u0085", r"\u2028\u2029\x85"),
        ("\udcff", r"\udcff"),
        ("\U000e0041", r"\U000e0041"),
        ("\u3164\u2800", r"\u3164\u2800"),
        ("non\u00a0breaking", "non breaking"),
    ],
)
def test_hostile_characters_become_visible(hostile: str, shown: str) -> None:
    assert escape(hostile) == shown


@given(ANY_TEXT)
def test_whatever_comes_in_what_comes_out_is_one_printable_line(text: str) -> None:
    shown = escape(text, limit=1000)
    assert all(unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for character in shown)
    assert len(shown.splitlines()) <= 1
    assert escape(shown, limit=len(shown)) == shown


def test_a_long_text_is_cut_and_says_by_how_much() -> None:
    assert escape("x" * 1_000_000, limit=10) == "x" * 10 + "… (+999990 characters)"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=10,
)


@given(JSON_VALUES, st.integers(1, 200))
def test_values_are_bounded_and_printable(value: Any, limit: int) -> None:
    shown = escape_value(value, limit=limit)
    assert shown.isprintable()
    assert len(shown) <= limit * 10 + 40


@given(st.dictionaries(st.text("abc", max_size=3), st.integers() | st.booleans() | st.none(), max_size=4))
def test_a_small_value_is_shown_as_json(value: dict[str, Any]) -> None:
    assert json.loads(escape_value(value, limit=10_000)) == value


@pytest.mark.slow
def test_a_value_too_deep_or_too_long_ends() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert escape_value(deep) == "[[[[[[[…]]]]]]]"[: len("[[[[[[")] + "[…]" + "]" * 6
    assert escape_value(list(range(10_000_000)), limit=20).startswith("[0, 1, 2, 3")
    assert "bits" in escape_value(10**100_000)
    while deep:
        deep = deep.pop()


@pytest.mark.parametrize(
    "word", ["a b", "$(touch x)", "`x`", "it's", "-rf", "a;b", "*", "unit:endpoint:GET /x?a=1&b=2"]
)
def test_a_shell_reads_the_word_as_it_was(word: str) -> None:
    quoted = quote_for_shell(word)
    done = subprocess.run(["sh", "-c", f"printf %s {quoted}" if word != "-rf" else f"printf %s -- {quoted}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.removeprefix("--") == word


def test_what_cannot_be_shown_exactly_is_no_command() -> None:
    assert quote_for_shell("a\nb") is None
    assert quote_for_shell("x" * 301) is None
