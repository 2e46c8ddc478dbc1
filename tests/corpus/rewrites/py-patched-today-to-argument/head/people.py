from __future__ import annotations

import datetime


def age(born: datetime.date, today: datetime.date | None = None) -> int:
    """Return the age in full years, today unless another day is given."""
    today = today or datetime.date.today()
    if born > today:
        raise ValueError("not born yet")
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def of_age(born: datetime.date, limit: int = 18, today: datetime.date | None = None) -> bool:
    return age(born, today) >= limit
