"""Which form is suggested for a sentence that isn't understood."""

from __future__ import annotations

import pytest

from verigate.domain.statement_reading import MAX_CHARACTERS, StatementKind
from verigate.statements.claims import read_text
from verigate.statements.nearest_form import _FORMS, suggest_form
from verigate.statements.reading import read_statement


@pytest.mark.parametrize("sentence", [form.sentence for form in _FORMS])
def test_each_form_that_is_suggested_is_read_in_full(sentence: str) -> None:
    (statement,) = read_text(sentence)
    assert statement.reading is not None
    assert statement.reading.kind is StatementKind.CLAIM
    assert statement.reading.facts
    assert not statement.reading.unread


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("Renaming of the parser's entry point.", "write: 'Renamed `a` to `b`.', or the unit func:NAME"),
        ("Just the docs got a new paragraph.", "write: 'This is a docs-only change.'"),
        ("No assertions became any weaker.", "write: 'No tests were weakened.'"),
        ("The bug in the parser is fixed.", "write: 'Fixed a bug in `f()`.', or the unit fix:TEST"),
        ("It is elegant.", ""),
        ("`rename` is a word in code.", ""),
        (f"Renaming {'of names ' * (MAX_CHARACTERS // 9)}", ""),
    ],
)
def test_the_nearest_form_shares_all_groups_of_its_words(text: str, suggestion: str) -> None:
    assert suggest_form(text) == suggestion


def test_no_form_is_suggested_for_a_hedge_or_a_part() -> None:
    assert "write:" not in read_statement("The bug should be fixed.").why_undecided
    assert "write:" not in read_statement("All Windows tests pass.").why_undecided
