from datetime import date

import pytest
from loans import due, fee, reminder
from opening import is_open

PER_DAY = {"book": 20, "film": 100, "magazine": 10}


def test_due_on_an_open_day(frozen):
    assert due("book", frozen) == date(2024, 3, 4)
    assert due("film", date(2024, 12, 18)) == date(2024, 12, 27)
    assert due("film", date(2024, 2, 3)) == date(2024, 2, 12)


def test_is_open():
    assert is_open(date(2024, 5, 2))
    assert not is_open(date(2024, 5, 1))


@pytest.mark.parametrize("kind", PER_DAY)
def test_fee(frozen, kind):
    late = max(0, (frozen - due(kind, frozen)).days - 1)
    assert fee(kind, frozen) == min(late * PER_DAY[kind], 1500)


@pytest.mark.parametrize("kind", PER_DAY)
def test_reminder(frozen, kind):
    text = reminder(kind, frozen)
    assert text is None or text.endswith(f"for your {kind}")
