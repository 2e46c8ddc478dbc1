"""Days on which the library is open."""

from datetime import date, timedelta

CLOSED_WEEKDAYS = {5, 6}
HOLIDAYS = {(1, 1), (5, 1), (12, 25), (12, 26)}


def today():
    """Return the day."""
    return date.today()


def is_open(day):
    """Whether the library opens on a day."""
    return day.weekday() not in CLOSED_WEEKDAYS and (day.month, day.day) not in HOLIDAYS


def next_open_day(day):
    """Return this day, or the next one that is open."""
    while not is_open(day):
        day += timedelta(days=1)
    return day
