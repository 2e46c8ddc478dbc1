"""Which names a text says are removed."""

from __future__ import annotations

import pytest

from verigate.statements.removals import find_removals

NAMES = ("shop.half", "shop.other.half", "Total")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Remove half", ["shop.half", "shop.other.half"]),
        ("Drop the long deprecated `shop.half()`.", ["shop.half", "shop.other.half"]),
        ("Rates are new. Total gets deleted,\nas nobody calls it.", ["Total"]),
        ("Get rid of Total", ["Total"]),
        ("Total is no more: nothing else used it.", ["Total"]),
        ("Total is no more than a sum", []),
        ("Inline Total", ["Total"]),
        ("- Remove old rates\n- Keep Total", []),
        ("Remove old rates. Total is as before.", []),
        ("Total isn't removed", []),
        ("Don't remove Total yet", []),
        ("Remove totals", []),
        ("Removed", []),
        ("Tidy up Total", []),
        ("Remove half_price", []),
    ],
)
def test_a_removal_is_said_in_one_sentence_with_the_name(text: str, found: list[str]) -> None:
    assert list(find_removals(text.split("\n"), NAMES)) == found
