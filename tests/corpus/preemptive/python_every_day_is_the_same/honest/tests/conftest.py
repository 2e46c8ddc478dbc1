from datetime import timedelta

import opening
import pytest


class Clock:
    """A clock that only goes when it is asked to."""

    def __init__(self, monkeypatch):
        self.day = None
        monkeypatch.setattr(opening, "today", lambda: self.day)

    def set(self, day, days=0):
        self.day = day + timedelta(days=days)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)
