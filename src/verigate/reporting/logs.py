"""Render what a capability printed, harmless to a terminal: each line escaped, tabs kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from verigate.domain.execution import CapabilityRun
from verigate.reporting.escape import escape
from verigate.reporting.palette import Palette


class CapabilityLog(Struct, frozen=True):
    """The published streams of one capability."""

    run: CapabilityRun
    stdout: str
    stderr: str


def choose_logs(logs: Sequence[CapabilityLog]) -> tuple[CapabilityLog, ...]:
    """Choose the logs of failed capabilities; if none failed, those that aren't empty."""
    failed = tuple(log for log in logs if log.run.failure is not None)
    return failed or tuple(log for log in logs if log.stdout or log.stderr)


def render_logs(logs: Sequence[CapabilityLog], *, colour: bool = False) -> str:
    """Render each log below a line that names its capability and how that ended."""
    palette = Palette(colour)
    return "\n".join(line for log in logs for line in _log_lines(log, palette)) + "\n"


def _log_lines(log: CapabilityLog, palette: Palette) -> Iterator[str]:
    run = log.run
    yield palette.paint(f"{escape(run.capability, limit=100)}  {_describe_end(run)}", "bold")
    if not log.stdout and not log.stderr:
        yield "  (it printed nothing)" if run.outcome is not None else "  (it didn't run)"
    for name, text in (("stdout", log.stdout), ("stderr", log.stderr)):
        if text:
            yield palette.paint(f"  {name}:", "dim")
            yield from (f"    {_show_line(line)}".rstrip() for line in text.removesuffix("\n").split("\n"))


def _describe_end(run: CapabilityRun) -> str:
    if run.failure is not None:
        return f"{escape(run.failure.reason, limit=40)}: {escape(run.failure.message, limit=2000)}"
    return "cached" if run.cached else "ended well"


def _show_line(line: str) -> str:
    return "\t".join(escape(part, limit=len(part)) for part in line.removesuffix("\r").split("\t"))
