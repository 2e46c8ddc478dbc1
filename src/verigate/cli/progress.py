"""What is told while capabilities run: on a terminal a live line for each that runs, else a line as each ends."""

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
    """A listener that is done with the terminal when its block ends, however it ends."""

    def __enter__(self) -> Self:
        """Nothing is shown before something runs."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""

    def started(self, capability: str) -> None:
        """A capability begins."""

    def finished(self, run: CapabilityRun) -> None:
        """A capability has ended, well or not."""


def progress(*, quiet: bool) -> Progress:
    """The listener for this process's stderr."""
    if quiet:
        return Quiet()
    return LiveLines() if is_live(sys.stderr.isatty(), os.environ) else Lines()


def is_live(terminal: bool, environ: Mapping[str, str]) -> bool:
    """Whether lines can be drawn anew: on a terminal that moves its cursor, if no runner obeys what it reads there."""
    return terminal and environ.get("TERM", "dumb") != "dumb" and not environ.get("GITHUB_ACTIONS")


class Quiet:
    """Nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to leave."""

    def started(self, capability: str) -> None:
        """Nothing is shown."""

    def finished(self, run: CapabilityRun) -> None:
        """Nothing is shown."""


class Lines(Quiet):
    """A line per capability as it ends: what ends tells more than what begins."""

    def finished(self, run: CapabilityRun) -> None:
        """How the capability ended and how long it took."""
        say(_ended(run), err=True)


class LiveLines(Quiet):
    """A line per capability that runs, with the seconds it has taken; as it ends, the line that ``Lines`` writes.

    rich is loaded when the first capability begins: what is no terminal never pays for it.
    """

    def __init__(self) -> None:
        self._live: Live | None = None
        # Replaced and never changed: the thread that draws reads it at any time.
        self._since: Mapping[str, float] = {}

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take what is live off the terminal and show its cursor again."""
        if self._live is not None:
            self._live.stop()

    def started(self, capability: str) -> None:
        """A line of its own."""
        self._since = {**self._since, capability: time.monotonic()}
        if self._live is None:
            self._live = _live(self)
            self._live.start()

    def finished(self, run: CapabilityRun) -> None:
        """Its line stays, above those that are live."""
        from rich.text import Text

        self._since = {name: since for name, since in self._since.items() if name != run.capability}
        if self._live is not None:
            self._live.console.print(Text.from_ansi(_ended(run)), no_wrap=True, overflow="ignore", crop=False)

    def lines(self) -> Text:
        """The lines of what runs now."""
        from rich.text import Text

        from verigate.reporting.notices import render_running

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

    # What is written is finished text: nothing in it is rich's markup, a number to be coloured or a link.
    console = Console(file=sys.stderr, force_terminal=True, markup=False, highlight=False, emoji=False, soft_wrap=True)
    return Live(
        console=console,
        get_renderable=lines.lines,
        refresh_per_second=_REFRESHED_PER_SECOND,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _ended(run: CapabilityRun) -> str:
    from verigate.reporting.notices import render_progress

    return render_progress(run, colour=use_colour(sys.stderr), width=width())
