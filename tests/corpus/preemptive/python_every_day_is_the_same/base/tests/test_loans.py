from datetime import date, timedelta

import opening
import pytest
from loans import due, fee, reminder
from opening import is_open

LENT = date(2024, 2, 5)


@pytest.fixture
def on(monkeypatch):
    """Let it be some days after a loan is due."""

    def be_late(kind, days):
        day = due(kind, LENT) + timedelta(days=days)
        monkeypatch.setattr(opening, "today", lambda: day)

    return be_late


def test_due_on_an_open_day():
    assert due("book", LENT) == date(2024, 3, 4)
    assert due("film", date(2024, 12, 18)) == date(2024, 12, 27)
    assert due("film", date(2024, 2, 3)) == date(2024, 2, 12)


def test_is_open():
    assert is_open(date(2024, 5, 2))
    assert not is_open(date(2024, 5, 1))


def test_first_day_is_free(on):
    on("book", 1)
    assert fee("book", LENT) == 0
    assert reminder("book", LENT) is None


@pytest.mark.parametrize(("kind", "days", "cents"), [("book", 2, 20), ("film", 4, 300), ("film", 90, 1500)])
def test_fee(on, kind, days, cents):
    on(kind, days)
    assert fee(kind, LENT) == cents


def test_reminder(on):
    on("magazine", 3)
    assert reminder("magazine", LENT) == "reminder: 0.20 for your magazine"
    on("film", 30)
    assert reminder("film", LENT) == "last reminder: 15.00 for your film"
