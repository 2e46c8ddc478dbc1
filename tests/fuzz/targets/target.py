"""A target: one reader, what it accepts, and how it may refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """``read`` gets a folder of its own and the input; it returns, or raises one of ``refusals``.

    ``seeds`` are documents that it accepts. ``is_json``: inputs are changed as trees too. ``words`` are put into texts.
    """

    name: str
    read: Callable[[Path, bytes], object]
    seeds: tuple[bytes, ...]
    refusals: tuple[type[Exception], ...] = ()
    is_json: bool = False
    words: tuple[bytes, ...] = field(default=())
