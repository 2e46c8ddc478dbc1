"""Show how far a run of many jobs is: a live line on a terminal, nothing elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Self

from verigate.cli.output import width
from verigate.cli.progress import is_live

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.live import Live
    from rich.text import Text

    from verigate.usecases.fleet.scheduler import Progress

_REFRESHED_PER_SECOND = 4


class FleetProgress:
    """The live line. As a context it is there from the first change on, and gone at the end."""

    def __init__(self, *, quiet: bool) -> None:
        self._shows = not quiet and is_live(sys.stderr.isatty(), os.environ)
        self._began = time.monotonic()
        self._progress: Progress | None = None
        self._before = 0
        self._live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, progress: Progress) -> None:
        """Show a change."""
        if self._progress is None:
            self._before = progress.done
        self._progress = progress
        if self._shows and self._live is None:
            self._live = self._make()
            self._live.start()

    def print_above(self, say: Callable[[], None]) -> None:
        """Let something be printed above the line."""
        if self._live is None:
            say()
            return
        self._live.stop()
        say()
        self._live = self._make()
        self._live.start()

    def line(self) -> Text:
        """Return the line as it is now."""
        from rich.text import Text

        from verigate.reporting.fleet_line import render_fleet

        seen = self._progress
        if seen is None:
            return Text("")
        elapsed = time.monotonic() - self._began
        numbers = (seen.done, seen.total, seen.running, seen.set_aside)
        return Text(render_fleet(*numbers, elapsed, before=self._before, width=width()))

    def _make(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        console = Console(file=sys.stderr, force_terminal=True, markup=False, highlight=False, emoji=False)
        return Live(
            console=console,
            get_renderable=self.line,
            refresh_per_second=_REFRESHED_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
