"""``gate verify``: the whole flow, ending in one of the exit codes of the contracts."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from verigate.cli.output import say, use_colour, warn, width
from verigate.cli.target import Target, subject_options, task_argument
from verigate.domain.execution import CapabilityRun
from verigate.evidence.store import encode, write_atomically

NO_VERDICT_SCHEMA = "verigate:no-verdict.v1"


class Progress:
    """A line per capability on stderr as it ends."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def started(self, capability: str) -> None:
        """Nothing is shown: what ends tells more than what begins."""

    def finished(self, run: CapabilityRun) -> None:
        """One line with how the capability ended and how long it took."""
        if self._quiet:
            return
        from verigate.reporting.notices import render_progress

        click.echo(render_progress(run, colour=use_colour(sys.stderr), width=width()), err=True, color=True)


@click.command(name="verify")
@task_argument
@subject_options
@click.option("--only", multiple=True, metavar="CAPABILITY", help="Run only these; prints, writes no verdict.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Report format.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--output", type=click.Path(path_type=Path), help="Write the report to this file, atomically.")
@click.option("--no-llm", is_flag=True, help="Decide from facts alone, whatever the profile says.")
@click.option("--no-cache", is_flag=True, help="Run every capability, also where its evidence is cached.")
@click.option("--verbose", "-v", is_flag=True, help="Show every check, not only what speaks against a pass.")
@click.option("--quiet", "-q", is_flag=True, help="No progress lines.")
def command(
    target: Target,
    only: tuple[str, ...],
    format_: str,
    as_json: bool,
    output: Path | None,
    no_llm: bool,  # noqa: ARG001 - facts alone decide; accepted so that callers can insist on it
    no_cache: bool,
    verbose: bool,
    quiet: bool,
) -> int:
    """Verify TASK_ID, or the task that is current, or else what differs from the base.

    Exit codes: 0 pass, 1 fail, 2 usage or configuration, 3 error, 4 inconclusive, 130 interrupted.
    """
    from verigate import composition, pipeline

    composition.preload()
    services = composition.services(target.root, listener=Progress(quiet=quiet))
    names = tuple(name.strip() for item in only for name in item.split(",") if name.strip())
    if only and not names:
        raise click.UsageError("--only names no capability")
    verified = pipeline.verify(target.request(services, only=names, use_cache=not no_cache), services)
    warn(verified.warnings)
    if verified.verdict is None:
        why = "nothing to verify: the subject does not differ from its base"
        click.echo(why, err=True)
        if as_json or format_ == "json":
            _put(encode({"schema": NO_VERDICT_SCHEMA, "message": why}).decode(), output)
        elif output is not None:
            _put(f"{why}\n", output)
        return 0
    from verigate.reporting.formats import FORMATS, Look

    to_terminal = output is None and use_colour(sys.stdout)
    report = FORMATS["json" if as_json else format_](verified.verdict, Look(to_terminal, width(), verbose))
    _put(report, output)
    return verified.verdict.status.exit_code


def _put(report: str, output: Path | None) -> None:
    """The report on stdout or in its file, where it replaces that of an earlier run."""
    if output is None:
        say(report)
    else:
        write_atomically(output, report.encode())
