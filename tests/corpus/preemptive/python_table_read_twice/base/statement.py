"""Lines of a bank statement."""

from dataclasses import dataclass
from datetime import date

from amounts import parse_amount


@dataclass(frozen=True)
class Entry:
    """A booking; the amount is in cents."""

    day: date
    text: str
    amount: int


def parse_day(text):
    """Read 31.12.2024, and 31.12.24 as a year of this century."""
    day, month, year = (int(part) for part in text.split("."))
    return date(year + 2000 if year < 100 else year, month, day)


def parse_line(line):
    """Read a line of three columns."""
    columns = [column.strip() for column in line.split(";")]
    if len(columns) != 3:
        raise ValueError(f"not three columns: {line!r}")
    day, text, amount = columns
    return Entry(parse_day(day), text or "(no text)", parse_amount(amount))


def balance(entries, opening=0):
    """Return what is left, in cents."""
    return opening + sum(entry.amount for entry in entries)
