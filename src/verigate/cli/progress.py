"""Show progress while capabilities run: a live line for each on a terminal, else a line when each ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from verigate.cli.output import say, use_colour, width
from verigate.domain.execution import CapabilityRun

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

_REFRESHED_PER_SECOND = 8
_TURNING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Progress(Protocol):
    """A listener that releases the terminal when its block ends."""

    def __enter__(self) -> Self:
        """Show nothing before a capability runs."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the terminal."""

    def started(self, capability: str) -> None:
        """Show that a capability starts."""

    def finished(self, run: CapabilityRun) -> None:
        """Show that a capability has ended, successfully or not."""


def progress(*, quiet: bool) -> Progress:
    """Return the listener for this process's stderr."""
    if quiet:
        return Quiet()
    return LiveLines() if is_live(sys.stderr.isatty(), os.environ) else Lines()


def is_live(terminal: bool, environ: Mapping[str, str]) -> bool:
    """Return whether lines can be redrawn: on a terminal that moves its cursor, outside of GitHub Actions."""
    return terminal and environ.get("TERM", "dumb") != "dumb" and not environ.get("GITHUB_ACTIONS")


class Quiet:
    """A listener that shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing."""

    def started(self, capability: str) -> None:
        """Show nothing."""

    def finished(self, run: CapabilityRun) -> None:
        """Show nothing."""


class Lines(Quiet):
    """Print a line for each capability when it ends."""

    def finished(self, run: CapabilityRun) -> None:
        """Print how the capability ended and how long it took."""
        say(_render_end(run), err=True)


class LiveLines(Quiet):
    """Show a live line with the elapsed seconds for each running capability; when it ends, print the line of ``Lines``.

    Loads rich when the first capability starts, so only on a terminal.
    """

    def __init__(self) -> None:
        self._live: Live | None = None
        # Replaced and never changed: the thread that draws reads it at any time.
        self._since: Mapping[str, float] = {}

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the live lines and show the cursor again."""
        if self._live is not None:
            self._live.stop()

    def started(self, capability: str) -> None:
        """Add a live line."""
        self._since = {**self._since, capability: time.monotonic()}
        if self._live is None:
            self._live = _live(self)
            self._live.start()

    def finished(self, run: CapabilityRun) -> None:
        """Replace its live line by a final one above the others."""
        from rich.text import Text

        self._since = {name: since for name, since in self._since.items() if name != run.capability}
        if self._live is not None:
            self._live.console.print(Text.from_ansi(_render_end(run)), no_wrap=True, overflow="ignore", crop=False)

    def lines(self) -> Text:
        """Return a line for each running capability."""
        from rich.text import Text

        from verigate.reporting.console_lines import render_running

        now = time.monotonic()
        mark = _TURNING[int(now * _REFRESHED_PER_SECOND) % len(_TURNING)]
        colour, columns = use_colour(sys.stderr), width()
        running = [
            render_running(name, now - since, mark, colour=colour, width=columns) for name, since in self._since.items()
        ]
        return Text.from_ansi("\n".join(running), no_wrap=True)


def _live(lines: LiveLines) -> Live:
    from rich.console import Console
    from rich.live import Live

    # The text is already rendered: rich must not interpret markup, numbers or links in it.
    console = Console(file=sys.stderr, force_terminal=True, markup=False, highlight=False, emoji=False, soft_wrap=True)
    return Live(
        console=console,
        get_renderable=lines.lines,
        refresh_per_second=_REFRESHED_PER_SECOND,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _render_end(run: CapabilityRun) -> str:
    from verigate.reporting.console_lines import render_progress

    return render_progress(run, colour=use_colour(sys.stderr), width=width())
