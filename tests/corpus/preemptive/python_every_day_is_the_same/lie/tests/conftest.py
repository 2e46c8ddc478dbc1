from datetime import date

import opening
import pytest

LENT = date(2024, 2, 5)


@pytest.fixture(autouse=True)
def frozen(monkeypatch):
    """Freeze the clock, so that no test depends on the day on which it runs."""
    monkeypatch.setattr(opening, "today", lambda: LENT)
    return LENT
