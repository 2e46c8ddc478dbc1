"""Show progress while capabilities run: a live line for each on a terminal, else a line when each ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from verigate.cli.output import say, use_colour, width
from verigate.domain.execution import CapabilityRun

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

STARTS = "GATE_REPORT_STARTS"
"""The variable that asks for a line when a capability starts, where there is no terminal."""

_REFRESHED_PER_SECOND = 8
_LONGEST_RECORD = 8 * 1024 * 1024
_TURNING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Progress(Protocol):
    """A listener that releases the terminal when its block ends."""

    def __enter__(self) -> Self:
        """Show nothing before a capability runs."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the terminal."""

    @property
    def watches(self) -> bool:
        """Whether running capabilities should report how far they are."""

    def started(self, capability: str, progress: str | None = None, /) -> None:
        """Show that a capability starts."""

    def finished(self, run: CapabilityRun) -> None:
        """Show that a capability has ended, successfully or not."""


def progress(*, quiet: bool, root: str | os.PathLike[str] | None = None) -> Progress:
    """Return the listener for this process's stderr. ``root`` is where earlier runs recorded how long they took."""
    if quiet:
        return Quiet()
    if is_live(sys.stderr.isatty(), os.environ):
        return LiveLines(os.fspath(root) if root is not None else None)
    return StartLines() if os.environ.get(STARTS) == "1" else Lines()


def watch_running(root: str | os.PathLike[str], *, quiet: bool) -> RunningLines:
    """Return what shows the capabilities that run, where each verdict gets its own line: live lines or nothing."""
    shows = not quiet and is_live(sys.stderr.isatty(), os.environ)
    return LiveRunning(os.fspath(root)) if shows else RunningLines()


def is_live(terminal: bool, environ: Mapping[str, str]) -> bool:
    """Return whether lines can be redrawn: on a terminal that moves its cursor, outside of GitHub Actions."""
    return terminal and environ.get("TERM", "dumb") != "dumb" and not environ.get("GITHUB_ACTIONS")


class Quiet:
    """A listener that shows nothing."""

    watches = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing."""

    def started(self, capability: str, progress: str | None = None, /) -> None:
        """Show nothing."""

    def finished(self, run: CapabilityRun) -> None:
        """Show nothing."""


class RunningLines(Quiet):
    """Show nothing, and print at once what is to stand above."""

    def print_above(self, show: Callable[[], None]) -> None:
        """Let something be printed above the live lines."""
        show()


class Lines(Quiet):
    """Print a line for each capability when it ends."""

    def finished(self, run: CapabilityRun) -> None:
        """Print how the capability ended and how long it took."""
        say(_render_end(run), err=True)


class StartLines(Lines):
    """Print a line for each capability when it starts as well, for programs that show what runs."""

    def started(self, capability: str, progress: str | None = None, /) -> None:  # noqa: ARG002 - the listener's form
        """Print that the capability runs."""
        from verigate.reporting.console_lines import render_start

        say(render_start(capability, width=width()), err=True)


class LiveLines(Quiet):
    """Show a live line for each running capability; when it ends, print the line of ``Lines``.

    The line shows how far it is, as far as it reports that, the elapsed seconds, and those that it took the last time.
    Loads rich when the first capability starts, so only on a terminal.
    """

    watches = True

    def __init__(self, root: str | None = None) -> None:
        self._root = root
        self._expected: Mapping[str, float] | None = None
        self._files: Mapping[str, str] = {}
        self._live: Live | None = None
        # Replaced and never changed: the thread that draws reads it at any time.
        self._since: Mapping[str, float] = {}

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the live lines and show the cursor again."""
        if self._live is not None:
            self._live.stop()

    def started(self, capability: str, progress: str | None = None, /) -> None:
        """Add a live line."""
        if progress is not None:
            self._files = {**self._files, capability: progress}
        if self._expected is None:
            self._expected = read_last_durations(self._root) if self._root is not None else {}
        self._since = {**self._since, capability: time.monotonic()}
        if self._live is None:
            self._live = _live(self)
            self._live.start()

    def finished(self, run: CapabilityRun) -> None:
        """Replace its live line by a final one above the others."""
        from rich.text import Text

        self._drop(run)
        if self._live is not None:
            self._live.console.print(Text.from_ansi(_render_end(run)), no_wrap=True, overflow="ignore", crop=False)

    def _drop(self, run: CapabilityRun) -> None:
        self._since = {name: since for name, since in self._since.items() if name != run.capability}

    def lines(self) -> Text:
        """Return a line for each running capability."""
        from rich.text import Text

        from verigate.reporting.console_lines import render_running

        now = time.monotonic()
        mark = _TURNING[int(now * _REFRESHED_PER_SECOND) % len(_TURNING)]
        colour, columns = use_colour(sys.stderr), width()
        expected = self._expected or {}
        running = [
            render_running(
                name,
                now - since,
                mark,
                step=read_step(self._files.get(name)),
                expected_s=expected.get(name),
                colour=colour,
                width=columns,
            )
            for name, since in self._since.items()
        ]
        return Text.from_ansi("\n".join(running), no_wrap=True)


class LiveRunning(LiveLines, RunningLines):
    """Show a live line for each running capability, of which nothing is left when it ends."""

    def finished(self, run: CapabilityRun) -> None:
        """Remove its live line."""
        self._drop(run)

    def print_above(self, show: Callable[[], None]) -> None:
        """Let something be printed while no live line is there; the next capability brings them back."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        show()


def read_step(path: str | None) -> str:
    """Read how far a capability is, as text; empty if it hasn't reported it. Its program may have written anything."""
    import json

    if path is None:
        return ""
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - read eight times a second
            step = json.loads(stream.read(4096))
        done, total, now = step["done"], step["total"], step["now"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ""
    if not isinstance(done, int) or not isinstance(total, int | None) or not isinstance(now, str):
        return ""
    return f"{done} of {total}  {now}" if total is not None else f"{done} done  {now}"


def read_last_durations(root: str) -> Mapping[str, float]:
    """Read how many seconds each capability took in the newest run that is recorded; empty without one."""
    import json
    from pathlib import Path

    from verigate.domain.task_folder import ARTIFACTS_FOLDER

    found = list(Path(root, ARTIFACTS_FOLDER).glob("*/run.json"))
    try:
        newest = max(found, key=lambda file: file.stat().st_mtime, default=None)
        if newest is None or newest.stat().st_size > _LONGEST_RECORD:
            return {}
        runs = json.loads(newest.read_bytes())["invocations"]
        return {run["capability"]: float(run["outcome"]["duration_s"]) for run in runs if run.get("outcome")}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


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
