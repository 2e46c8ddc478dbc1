"""Loans of a library: when they are due, and what it costs to forget that."""

from datetime import timedelta

import opening
from opening import next_open_day

DAYS = {"book": 28, "film": 7, "magazine": 14}
PER_DAY = {"book": 20, "film": 100, "magazine": 10}
MOST = 1500


def due(kind, lent_on):
    """Return the day on which a loan ends: a day on which the library is open."""
    return next_open_day(lent_on + timedelta(days=DAYS[kind]))


def days_late(kind, lent_on):
    """Return how many days late a loan is today."""
    return max(0, (opening.today() - due(kind, lent_on)).days)


def fee(kind, lent_on):
    """Return the cents that are owed today; the first day is free, and there is a limit."""
    late = days_late(kind, lent_on)
    if late <= 1:
        return 0
    return min((late - 1) * PER_DAY[kind], MOST)


def reminder(kind, lent_on):
    """Return the text of a reminder, or None if none is due."""
    owed = fee(kind, lent_on)
    if owed == 0:
        return None
    word = "last reminder" if owed == MOST else "reminder"
    return f"{word}: {owed // 100}.{owed % 100:02} for your {kind}"
