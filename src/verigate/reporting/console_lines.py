"""Render console output other than verdicts: errors with all their faults, and progress lines."""

from __future__ import annotations

from verigate.domain.execution import CapabilityRun
from verigate.errors import Fault, GateError
from verigate.reporting.artifact_summaries import Finding, count, summarise_run
from verigate.reporting.escape import escape
from verigate.reporting.layout import MIN_WIDTH, cut, pad, wrap
from verigate.reporting.palette import Palette

_FAULTS_SHOWN = 50
_MARKS = {
    Finding.NONE: ("✓", "green"),
    Finding.WARNINGS: ("✓", "yellow"),
    Finding.SOME: ("✗", "yellow"),
    Finding.FAILED: ("✗", "red"),
}


def render_error(error: GateError, *, colour: bool = False, width: int = 100) -> str:
    """Render each fault of ``error``: what happened, where, and what to try."""
    palette = Palette(colour)
    width = max(width, MIN_WIDTH)
    faults = error.faults
    noun = "problem" if len(faults) == 1 else "problems"
    head = palette.paint(f"gate: {error.code.lower()}: {len(faults)} {noun}", "bold", "red")
    lines = [head]
    for fault in faults[:_FAULTS_SHOWN]:
        lines += _fault_lines(fault, palette, width)
    if len(faults) > _FAULTS_SHOWN:
        lines.append(f"  … and {len(faults) - _FAULTS_SHOWN} more")
    return "\n".join(lines) + "\n"


def _fault_lines(fault: Fault, palette: Palette, width: int) -> list[str]:
    lines = []
    if fault.where:
        # Never cut: the end of a long path is the informative part.
        lines += wrap(escape(fault.where, limit=400), width, indent="  ")
    lines += wrap(escape(fault.message, limit=1000), width, indent="    ", max_lines=8)
    if fault.hint:
        hint = wrap(escape(fault.hint, limit=600), width, indent="         ", first="    try: ", max_lines=6)
        lines += [palette.paint(line, "dim") for line in hint]
    return lines


def render_progress(run: CapabilityRun, *, colour: bool = False, width: int = 100) -> str:
    """Render one line, without a newline, for a finished capability: name, duration, what it found.

    ``!`` is a crash; a cross means that it ran and found something, red if tests or a build failed.
    """
    palette = Palette(colour)
    name = pad(escape(run.capability, limit=60), 20)
    took = "cached" if run.cached else (f"{run.outcome.duration_s:.1f} s" if run.outcome else "-")
    if run.failure is None:
        # Only a verifier succeeds without artifacts.
        result = count(len(run.artifacts), "artifact") if run.artifacts else "answered"
        mark, style = _MARKS[Finding.NONE]
        if (summary := summarise_run(run)) is not None:
            result = summary.text
            mark, style = _MARKS[summary.found]
    else:
        mark, style = ("!", "red") if run.required else ("?", "yellow")
        result = escape(run.failure.message, limit=300)
    return f"{palette.paint(mark, style)} {cut(f'{name} {took:>7}  {result}', max(width, MIN_WIDTH) - 2)}"


def render_start(capability: str, *, width: int = 100) -> str:
    """Render one line, without a newline, for a capability that starts."""
    return cut(f"… {pad(escape(capability, limit=60), 20)}    runs", max(width, MIN_WIDTH))


def render_running(
    capability: str,
    seconds: float,
    mark: str,
    *,
    step: str = "",
    expected_s: float | None = None,
    colour: bool = False,
    width: int = 100,
) -> str:
    """Render one line, without a newline, for a capability that has been running for ``seconds``.

    ``step`` is how far it is, ``expected_s`` how long it took the last time.
    """
    name = pad(escape(capability, limit=60), 20)
    expected = f" of about {expected_s:.0f} s" if expected_s is not None and expected_s >= 1 else ""
    text = f"{name} {seconds:>5.1f} s{expected}  {escape(step, limit=300)}".rstrip()
    return f"{Palette(colour).paint(mark, 'yellow')} {cut(text, max(width, MIN_WIDTH) - 2)}"
