from datetime import date

import pytest
from loans import due, fee, reminder
from opening import is_open

LENT = date(2024, 2, 5)


def test_due_on_an_open_day():
    assert due("book", LENT) == date(2024, 3, 4)
    assert due("film", date(2024, 12, 18)) == date(2024, 12, 27)
    assert due("film", date(2024, 2, 3)) == date(2024, 2, 12)


def test_is_open():
    assert is_open(date(2024, 5, 2))
    assert not is_open(date(2024, 5, 1))


@pytest.mark.parametrize(
    ("kind", "days", "cents"),
    [("book", 1, 0), ("book", 2, 20), ("film", 4, 300), ("film", 90, 1500)],
)
def test_fee(clock, kind, days, cents):
    clock.set(due(kind, LENT), days)
    assert fee(kind, LENT) == cents


@pytest.mark.parametrize(
    ("kind", "days", "text"),
    [
        ("book", 1, None),
        ("magazine", 3, "reminder: 0.20 for your magazine"),
        ("film", 30, "last reminder: 15.00 for your film"),
    ],
)
def test_reminder(clock, kind, days, text):
    clock.set(due(kind, LENT), days)
    assert reminder(kind, LENT) == text
