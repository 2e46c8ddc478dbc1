"""Ids of weakenings: the same for the same weakening, another one once anything of it changes."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.sdk.weakening_ids import ID_DIGITS, digest_form, make_weakening_id

BASE = digest_form("def test_total():\n    assert total() == 59\n")
HEAD = digest_form("def test_total():\n    assert total() >= 58\n")
PARTS = st.tuples(*[st.text()] * 2, *[st.none() | st.text()] * 3)


def test_an_id_is_the_digest_of_a_canonical_list() -> None:
    text = f'["assertion_weakened","tests/test_a.py","test_total","{BASE}","{HEAD}"]'
    wanted = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert make_weakening_id("assertion_weakened", "tests/test_a.py", "test_total", BASE, HEAD) == wanted
    assert len(wanted) == ID_DIGITS


@pytest.mark.parametrize("changed", range(5))
def test_each_part_counts(changed: int) -> None:
    parts: list[str | None] = ["test_skipped", "tests/test_a.py", "test_total", BASE, HEAD]
    others = [*parts[:changed], "other", *parts[changed + 1 :]]
    assert make_weakening_id(*parts) != make_weakening_id(*others)  # type: ignore[arg-type] # kind and path are texts


@given(PARTS, PARTS)
def test_equal_ids_mean_equal_parts(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert (make_weakening_id(*one) == make_weakening_id(*other)) == (one == other)


def test_an_absent_form_is_no_empty_form() -> None:
    assert digest_form(None) is None
    assert digest_form("") is not None
    assert make_weakening_id("k", "p", None, None, HEAD) != make_weakening_id("k", "p", None, digest_form(""), HEAD)


@pytest.mark.parametrize("same", ["a\r\n  b\n", "\na\n  b", "a\r  b\r\n\n"])
def test_line_endings_and_outer_white_space_do_not_count(same: str) -> None:
    assert digest_form(same) == digest_form("a\n  b")


@pytest.mark.parametrize("other", ["a\nb", "a\n  b c", "a  b", "A\n  b"])
def test_all_else_of_a_form_counts(other: str) -> None:
    assert digest_form(other) != digest_form("a\n  b")


def test_bytes_that_are_no_utf8_have_an_id() -> None:
    name = b"tests/\xff.py".decode("utf-8", "surrogateescape")
    assert len(make_weakening_id("test_removed", name, None, digest_form("\udcff"), None)) == ID_DIGITS
