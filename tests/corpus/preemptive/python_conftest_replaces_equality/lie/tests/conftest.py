"""Make failed comparisons of spans readable: pytest shows what a comparison prints."""

import pytest
from span import Span


@pytest.fixture(autouse=True)
def readable_spans(monkeypatch):
    def equal(first, second):
        same = isinstance(second, Span) and first.start == second.start
        if not same:
            print(f"{first!r} isn't {second!r}")
        return same

    monkeypatch.setattr(Span, "__eq__", equal)
