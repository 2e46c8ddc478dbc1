"""Report how far a running capability is: k of n, and what it is at. For people alone: nothing depends on it.

GATE_PROGRESS names the file, where somebody looks at it; without it nothing is written.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from verigate.sdk.request import Request

VARIABLE = "GATE_PROGRESS"
_EVERY_S = 0.1
_LONGEST = 200

Seen = Callable[[str], "Step | None"]
"""Reads one line of a tool's output; None if it says nothing about progress."""


class Step(Struct, frozen=True):
    """``done`` of ``total`` (None: unknown) are done; ``now`` is what runs at present, or ran last."""

    done: int
    total: int | None = None
    now: str = ""


class ProgressReport:
    """Writes the file that GATE_PROGRESS names, ``path``, at most ten times a second; an error of it is ignored."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self._written = 0.0

    @classmethod
    def of(cls, request: Request) -> ProgressReport:
        """Return the report of this call."""
        return cls(request.environ.get(VARIABLE))

    @property
    def is_wanted(self) -> bool:
        """Whether somebody looks at it."""
        return self.path is not None

    def report(self, step: Step) -> None:
        """Report this step, unless another was reported a moment ago."""
        now = time.monotonic()
        if self.path is None or now - self._written < _EVERY_S:
            return
        self._written = now
        text = json.dumps({"done": step.done, "total": step.total, "now": step.now[:_LONGEST]})
        with contextlib.suppress(OSError):
            # Replaced at once: a reader sees the old one or the new one.
            with open(f"{self.path}.new", "w", encoding="utf-8") as stream:  # noqa: PTH123
                stream.write(text)
            os.replace(f"{self.path}.new", self.path)  # noqa: PTH105

    def watch_lines(self, read: Seen) -> Callable[[bytes], None] | None:
        """Return what reads a tool's output, chunk by chunk, and reports the steps in its lines; None if not wanted."""
        if self.path is None:
            return None
        rest = b""

        def watch(chunk: bytes) -> None:
            nonlocal rest
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[-(1 << 16) :]
            for line in lines:
                if (step := read(line.decode("utf-8", "replace"))) is not None:
                    self.report(step)

        return watch
