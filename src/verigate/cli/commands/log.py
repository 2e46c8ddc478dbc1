"""``gate log``: hold the messages of commits against what the commits do."""

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
    from verigate.domain.ledger import LedgerEntry


@click.command(name="log")
@click.argument("range", required=False, default="HEAD", metavar="[RANGE]")
@click.option("-n", "--max-count", "most", type=click.IntRange(1, 10_000), default=20, help="Read so many commits; 20.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the shares by week into this SVG.")
@with_options(JSON)
def command(most: int, plot: Path | None, as_json: bool, **named: str) -> int:
    """Print a ledger of the commits in RANGE, such as main..HEAD: what each message says, and what holds, is refuted
    or open.

    Each message is judged by the diff of its own commit. Nothing of the project runs. Merges are left out.

    Exits with 0 whatever the messages say: `gate verify --range` decides.
    """
    from verigate import composition
    from verigate.composition.history import list_commits
    from verigate.reporting import ledger
    from verigate.usecases.ledger import judge_commits
    from verigate.usecases.verify import verify

    if plot is not None:
        _draw([])  # whether it can be drawn is asked before the work
    root = find_repository()
    colour = use_colour(sys.stdout)
    commits = list_commits(root, os.environ, named["range"], most)
    entries: list[LedgerEntry] = []
    services = composition.services(root)
    for entry in judge_commits(commits, lambda request: verify(request, services).verdict):
        entries.append(entry)
        if not as_json:
            say(ledger.render_entry(entry, colour=colour, width=width()))
    if plot is not None:
        plot.write_bytes(_draw(entries))
    if as_json:
        print_json(ledger.ledger_document(entries))
    else:
        say(ledger.render_sum(entries))
    return 0


def _draw(entries: Sequence[LedgerEntry]) -> bytes:
    from verigate.composition.history import name_week
    from verigate.reporting.ledger_plot import draw_shares

    try:
        return draw_shares(entries, name_week)
    except ImportError as problem:
        from verigate.extras import lack_of

        lack = lack_of("plot", [problem.name or "pygal"])
        raise UsageError(f"{lack.message} ({problem})", where="--plot", hint=lack.command) from problem
