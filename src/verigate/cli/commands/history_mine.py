"""``gate history mine``: what agents said to be done, next to what they ran."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.target import find_repository
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.domain.agent_history import PastSession, SaidDone


@click.command(name="mine")
@click.option("--host", "hosts", multiple=True, help="Read the sessions of this host: claude, codex or gemini; all.")
@click.option("--here", is_flag=True, help="Read only sessions that worked in this repository.")
@click.option("-n", "--max-count", "most", type=click.IntRange(0, 10_000), default=10, help="Show so many; 10.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the shares by week into this SVG.")
@with_options(JSON)
def command(hosts: Sequence[str], here: bool, most: int, plot: Path | None, as_json: bool) -> int:
    """Read the transcripts that coding agents left on this machine: what they said is done, which checks they really
    ran and how these ended, and what is there today.

    Nothing is sent anywhere, nothing of a project runs, and nothing is written but the SVG.
    """
    from verigate.composition import agent_history as composed
    from verigate.integrations.transcripts import SOURCES
    from verigate.integrations.transcripts.source import Reading
    from verigate.reporting.agent_history import history_document, render_history
    from verigate.usecases.mine_history import judge_sessions

    home = os.environ.get("HOME", "")
    if not home.startswith("/"):
        raise UsageError("transcripts lie in your home, and HOME names none", where="HOME", hint="set HOME")
    if plot is not None:
        _draw([])  # whether it can be drawn is asked before the work
    counts = dict.fromkeys(hosts or SOURCES, 0)

    def count(session: PastSession) -> PastSession:
        counts[session.host] += 1
        return session

    reading, around = Reading(), composed.Surroundings()
    below = find_repository() if here else None
    sessions = map(count, composed.read_sessions(Path(home), os.environ, hosts, reading, below))
    entries: list[SaidDone] = list(judge_sessions(sessions, composed.is_file_present, around.find_verdict))
    today = [around.describe(folder) for folder in sorted({entry.folder for entry in entries})]
    if plot is not None:
        plot.write_bytes(_draw(entries))
    if as_json:
        print_json(history_document(counts, entries, today, reading.unread()))
        return 0
    colour = use_colour(sys.stdout)
    say(render_history(counts, entries, today, reading.unread(), shown=most, colour=colour, width=width()))
    return 0


def _draw(entries: Sequence[SaidDone]) -> bytes:
    from verigate.composition.history import name_week
    from verigate.reporting.agent_history_plot import draw_history

    try:
        return draw_history(entries, name_week)
    except ImportError as problem:
        from verigate.extras import lack_of

        lack = lack_of("plot", [problem.name or "pygal"])
        raise UsageError(f"{lack.message} ({problem})", where="--plot", hint=lack.command) from problem
