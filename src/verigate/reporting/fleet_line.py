"""Render how far a run of many jobs is, as one line."""

from __future__ import annotations

from verigate.reporting.layout import MIN_WIDTH, cut

_MINUTE, _HOUR = 60, 3600


def render_fleet(
    done: int, total: int, running: int, set_aside: int, seconds: float, *, before: int = 0, width: int = 100
) -> str:
    """Render the line, without a newline: jobs done of all, how many a second, the time that is left by that.

    ``seconds`` is how long it has run, ``before`` how many were done when it began.
    """
    parts = [f"{done} of {total}"]
    if done > before and seconds > 0:
        rate = (done - before) / seconds
        parts.append(f"{rate:.1f} a second" if rate >= 1 else f"{rate * _MINUTE:.1f} a minute")
        if done < total:
            parts.append(f"about {_format_time((total - done) / rate)} left")
    if running:
        parts.append(f"{running} running")
    if set_aside:
        parts.append(f"{set_aside} without a verdict")
    return cut("verify  " + ", ".join(parts), max(width, MIN_WIDTH))


def _format_time(seconds: float) -> str:
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < 2 * _HOUR else f"{seconds / _HOUR:.1f} h"
