"""Inputs that grow: eight times as much of the same takes about eight times as long to read.

What is quadratic takes up to 64 times as long. Times are those of the processor, and of several readings the shortest.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

FACTOR = 8
MOST = 28
"""Between the 8 of what is linear, which a busy machine's caches can make 20, and the 64 of what is quadratic."""

NOTHING_S = 0.05
"""Less than this is noise."""


def processor_s() -> float:
    """Seconds of the processor's time that this process and its ended children took."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def require_linear(read: Callable[[int], object], number: int, what: str, *, start: int = 1) -> None:
    """Fail unless reading ``FACTOR * number`` of something takes at most ``MOST`` times as long as reading ``number``.

    ``read`` makes an input of so many parts, and reads it; ``start`` are the parts of an input that shows what reading
    anything takes, which doesn't count.
    """
    read(start)  # what a reader imports is imported
    for _ in range(3):  # what was measured while a neighbour took the processor's cache is measured again
        fixed = _measure(read, start)
        little = max(_measure(read, number) - fixed, NOTHING_S)
        much = _measure(read, FACTOR * number) - fixed
        if much < MOST * little:
            return
        number += 10
    pytest.fail(f"{what}: {number} took {little:.2f} s, {FACTOR} times as many {much:.2f} s")


def _measure(read: Callable[[int], object], number: int) -> float:
    began = processor_s()
    read(number)
    return processor_s() - began
