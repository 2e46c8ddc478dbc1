"""``gate verify``: the whole flow, ending in one of the exit codes of the contracts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.report_options import report_options
from verigate.cli.target import Target, subject_options, task_argument

if TYPE_CHECKING:
    from verigate.cli.reports import Destination
    from verigate.pipeline import Verified


@click.command(name="verify")
@task_argument
@subject_options
@click.option("--only", multiple=True, metavar="CAPABILITY", help="Run only these; prints, writes no verdict.")
@report_options
@click.option("--no-llm", is_flag=True, help="Decide from facts alone, whatever the profile says.")
@click.option("--watch", is_flag=True, help="Show what the engine of a verifier says while it works, on stderr.")
@click.option("--no-cache", is_flag=True, help="Run every capability, also where its evidence is cached.")
@click.option("--verbose", "-v", is_flag=True, help="Show every check, not only what speaks against a pass.")
@click.option("--advisory", is_flag=True, help="Report and never block: end with 0 whatever the verdict is.")
@click.option("--quiet", "-q", is_flag=True, help="No progress lines.")
def command(
    target: Target,
    only: tuple[str, ...],
    formats: tuple[str, ...],
    as_json: bool,
    output: Path | None,
    no_llm: bool,
    watch: bool,
    no_cache: bool,
    verbose: bool,
    advisory: bool,
    quiet: bool,
) -> int:
    """Verify TASK_ID, or the task that is current, or else what differs from the base.

    Exit codes: 0 pass, 1 fail, 2 usage or configuration, 3 error, 4 inconclusive, 130 interrupted. With --advisory 0,
    but for a command line that can't be read (2) and an interruption.
    """
    names = tuple(name.strip() for item in only for name in item.split(",") if name.strip())
    if only and not names:
        raise click.UsageError("--only names no capability")
    task_id = target.choice().task_id
    # What git has to do takes as long as loading the rest: it is begun before that.
    from verigate.execution.ahead import Wanted, ahead_of

    code: int | None = None
    try:
        with ahead_of(target.root, Wanted(target.kind, target.ref, target.likely_base(task_id)), os.environ) as ahead:
            from verigate import composition, pipeline
            from verigate.cli.output import say_entry
            from verigate.cli.progress import progress
            from verigate.cli.reports import clear, destinations

            reports = destinations(formats, as_json=as_json, output=output)
            clear(reports)
            with progress(quiet=quiet) as listener:
                services = composition.services(
                    target.root, listener=listener, ahead=ahead, watch=say_entry if watch else None
                )
                request = target.request(task_id, only=names, use_cache=not no_cache, llm=not no_llm)
                verified = pipeline.verify(request, services)
            code = _tell(verified, reports, advisory=advisory, verbose=verbose)
    except KeyboardInterrupt:
        # With the verdict told only the run's private folder is left, which the next run would sweep.
        if code is None:
            raise
    return code


def _tell(verified: Verified, reports: Sequence[Destination], *, advisory: bool, verbose: bool) -> int:
    """Write the reports; returns the exit code."""
    from verigate.cli.output import warn
    from verigate.cli.reports import deliver, deliver_nothing, needs_texts, published_texts
    from verigate.reporting.report import ADVISORY, Report

    warn(verified.warnings)
    if verified.verdict is None:
        why = "nothing to verify: the subject does not differ from its base"
        if advisory:
            why = f"{why} ({ADVISORY})"
        click.echo(why, err=True)
        deliver_nothing(why, reports)
        return 0
    texts = published_texts(verified.folder) if verified.folder is not None and needs_texts(reports) else {}
    report = Report(verified.verdict, verified.runs, texts, verified.warnings, advisory, verified.baseline)
    deliver(report, reports, verbose=verbose)
    return 0 if advisory else verified.verdict.status.exit_code
