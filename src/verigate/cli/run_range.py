"""Run ``gate verify --range``: a verdict for each commit, and one for all of them as one change."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.cli.target import Target, find_repository
from verigate.cli.verified_commits import MOST_LISTED, describe_unverified
from verigate.domain.commit_verdict import CommitVerdict
from verigate.domain.range_shard import RangeVerdicts, Shard, parse_shard
from verigate.domain.verdict import Status
from verigate.domain.verification_job import Job, JobSettings
from verigate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from verigate.domain.commit_text import CommitText
    from verigate.domain.range_shard import RangePlan
    from verigate.domain.verdict import Verdict
    from verigate.domain.verification_job import JobResult
    from verigate.subject.merges import Merge
    from verigate.usecases.verified_commits import VerifiedCommits

MOST_COMMITS = 200
"""The most commits of a range that one process verifies."""

MOST_UNVERIFIED = 50
"""The newest commits that ``--unverified`` verifies by themselves: a push can have thousands, and each takes a run."""

_WHERE = "--range"
_MOST_SHOWN = 600
"""Characters of why a whole has no verdict."""


class _Range(Struct, frozen=True):
    """A range as it was found. ``chosen`` are verified by themselves, the newest first; ``unknown`` never were."""

    root: Path
    base: str
    tip: str
    commits: tuple[CommitText, ...]
    chosen: tuple[CommitText, ...]
    unknown: tuple[CommitText, ...]
    known: VerifiedCommits | None
    merges: tuple[Merge, ...]


def run_range(
    span: str,
    settings: JobSettings,
    *,
    as_json: bool,
    verbose: bool,
    advisory: bool,
    quiet: bool,
    only_unverified: bool,
    shard: str | None = None,
    output: Path | None = None,
    executor: str | None = None,
) -> int:
    """Verify the commits of ``span`` and their sum; return the code of the worst verdict, 0 if ``advisory``.

    ``only_unverified`` leaves out, by themselves, commits that were verified on this machine, and all but the newest
    of the others. With ``shard`` it is this share of them, and ``output`` gets its document. ``executor`` says what
    verifies them, None for this process.
    """
    from verigate.cli.output import warn

    part = _parse_shard(shard, output, as_json=as_json, only_unverified=only_unverified)
    if output is not None:
        output.unlink(missing_ok=True)
    asked = _find_range(span, only_unverified=only_unverified, most=MOST_LISTED if part or executor else MOST_COMMITS)
    ordered = tuple(reversed(asked.chosen))
    commits = ordered if part is None else part.take(ordered)
    takes_whole = asked.base != asked.tip and (part is None or part.takes_whole)
    # Where one process verifies all of them, what ends the whole without a verdict ends the command.
    stays_here = part is None and executor is None
    # A whole may be a task's, of which only this repository has the files.
    sends_away = executor is not None and executor.startswith("dask://")
    jobs = [Job(each.id, ref=each.id, alone=True) for each in commits]
    if takes_whole and not stays_here and not sends_away:
        jobs.append(make_whole_job(asked.root, asked.base, asked.tip, settings))
    notes: list[str] = []
    found, whole, problem = _verify(jobs, commits, settings, asked, executor, as_json=as_json, quiet=quiet, notes=notes)
    if takes_whole and stays_here:
        whole = _verify_whole(settings, asked, notes, quiet=quiet)
    elif takes_whole and sends_away:
        own = [make_whole_job(asked.root, asked.base, asked.tip, settings)]
        _, whole, problem = _verify(own, (), settings, asked, None, as_json=as_json, quiet=quiet, notes=notes)
    warn(notes)
    verdicts = RangeVerdicts(tuple(found), whole, problem)
    if part is not None and output is not None:
        _write_shard(output, part, settings, asked, verdicts)
    return report_range(verdicts, asked.merges, part, as_json=as_json, verbose=verbose, advisory=advisory)


def report_range(
    found: RangeVerdicts, merges: Sequence[Merge], part: Shard | None, *, as_json: bool, verbose: bool, advisory: bool
) -> int:
    """Report what follows the lines of the commits, or all of it as JSON; return the exit code."""
    from verigate.cli.output import print_json, say
    from verigate.reporting.commit_range import find_worst_of_range, range_document, render_merges

    if as_json:
        print_json(range_document(found, merges))
    else:
        if merges:
            say(render_merges(merges))
        if part is None or part.takes_whole:
            _say_whole(found, verbose=verbose)
        else:
            say(f"the range as a whole is verified by shard {part.of}/{part.of}", err=True)
    return 0 if advisory else find_worst_of_range(found).exit_code


def _parse_shard(text: str | None, output: Path | None, *, as_json: bool, only_unverified: bool) -> Shard | None:
    """Return the shard; None where none is asked for. Raises UsageError."""
    if text is None:
        if output is not None:
            hint = "--shard 1/8, or send what --json prints to a file"
            raise UsageError("a range writes a file for a shard alone", where="--output", hint=hint)
        return None
    if output is None:
        raise UsageError("its verdicts go to a file", where="--shard", hint="--output FILE, which gate merge reads")
    if as_json or only_unverified:
        option = "--json" if as_json else "--unverified"
        raise UsageError(f"it doesn't go with {option}", where="--shard", hint="the file has it all")
    try:
        return parse_shard(text)
    except ValueError as problem:
        raise UsageError(str(problem), where="--shard", hint="write the number and how many there are: 2/8") from None


def _find_range(span: str, *, only_unverified: bool, most: int) -> _Range:
    """Find the commits and what is known of them. Raises SubjectError, and UsageError for more than ``most``."""
    from verigate.composition.history import find_ends, list_commits, list_range_merges, name_span
    from verigate.composition.verified_commits import open_verified_commits

    root = find_repository()
    base, tip = find_ends(root, os.environ, span)
    named = name_span(root, os.environ, base, tip)
    commits = list_commits(root, os.environ, named, MOST_LISTED if only_unverified else most + 1)
    known = open_verified_commits(root, os.environ)
    unknown = () if known is None else known.find_unknown(commits)
    chosen = (commits if known is None else unknown)[:MOST_UNVERIFIED] if only_unverified else commits
    if only_unverified:
        _say_left_out(commits, unknown, chosen)
    elif len(commits) > most:
        hint = "verify a part of it at a time, or by several processes: --executor local, --shard 1/8"
        raise UsageError(f"it has more than {most} commits", where=_WHERE, hint=hint)
    merges = list_range_merges(root, os.environ, named)
    return _Range(root, base, tip, commits, chosen, unknown, known, merges)


def _verify(
    jobs: Sequence[Job],
    commits: Sequence[CommitText],
    settings: JobSettings,
    asked: _Range,
    executor: str | None,
    *,
    as_json: bool,
    quiet: bool,
    notes: list[str],
) -> tuple[list[CommitVerdict], Verdict | None, str]:
    """Verify the jobs, of which all but that of the whole are ``commits``; return what was found of both.

    ``notes`` gets what the runs say of servers. What a task claims, its commits have together: each is judged by its
    rules alone.
    """
    from verigate.cli.fleet import verify_by

    by_id = {each.id: each for each in commits}
    never = {each.id for each in asked.unknown}
    found: list[CommitVerdict] = []
    whole: JobResult | None = None
    with verify_by(executor, jobs, settings, asked.root, quiet=quiet) as (results, print_above):
        for result in results:
            notes.extend(result.server_notes)
            if not result.job.alone:
                whole = result
                continue
            commit = by_id[result.job.name]
            each = CommitVerdict(commit, result.verdict, result.problem, never_verified=commit.id in never)
            found.append(each)
            if asked.known is not None and settings.profile is None and each.status is Status.PASS:
                asked.known.keep(commit.tree, commit.parents)
            if not as_json:
                print_above(partial(say_commit, each))
    return (found, None, "") if whole is None else (found, whole.verdict, whole.problem)


def _verify_whole(settings: JobSettings, asked: _Range, notes: list[str], *, quiet: bool) -> Verdict | None:
    """Verify the range as one change. Raises GateError if there can be no verdict."""
    from verigate import composition
    from verigate.cli.progress import watch_running
    from verigate.cli.verify_jobs import judge_job
    from verigate.domain.remote_call import find_server_notes

    job = make_whole_job(asked.root, asked.base, asked.tip, settings)
    with watch_running(asked.root, quiet=quiet) as running:
        verified = judge_job(job, settings, composition.services(asked.root, listener=running))
    notes.extend(find_server_notes(verified.warnings))
    return verified.verdict


def make_whole_job(root: Path, base: str, tip: str, settings: JobSettings) -> Job:
    """Return the job of a range as one change: the task's that the repository names for it, if it names one."""
    target = Target(root, None, ref=tip, base=base, profile=settings.profile, policy_ref=settings.policy_ref)
    return Job("the whole", ref=tip, base=base, task_id=target.choice().task_id, whole=True)


def _write_shard(output: Path, part: Shard, settings: JobSettings, asked: _Range, found: RangeVerdicts) -> None:
    from verigate.cli.output import say
    from verigate.evidence.store import encode_json, write_atomically
    from verigate.reporting.range_shard import shard_document

    write_atomically(output, encode_json(shard_document(_plan_range(settings, asked), part, found)))
    say(f"shard {part}: {len(found.commits)} of {len(asked.chosen)} commits, in {output}", err=True)


def _plan_range(settings: JobSettings, asked: _Range) -> RangePlan:
    from verigate import __version__
    from verigate.composition.history import list_judged_trees
    from verigate.composition.range_policy import describe_policy
    from verigate.domain.range_shard import ListedCommit, RangePlan
    from verigate.reporting.commit_range import describe_merges

    policy = describe_policy(asked.root, os.environ, settings)
    commits = tuple(reversed(asked.chosen))
    trees = list_judged_trees(asked.root, os.environ, commits)
    listed = tuple(
        ListedCommit(each.id, tree, CommitVerdict(each, None).subject)
        for each, tree in zip(commits, trees, strict=True)
    )
    return RangePlan(__version__, asked.base, asked.tip, policy, listed, tuple(describe_merges(asked.merges)))


def say_commit(each: CommitVerdict) -> None:
    """Print the line of a commit."""
    from verigate.cli.output import say, use_colour
    from verigate.reporting.commit_range import render_commit

    say(render_commit(each, colour=use_colour(sys.stdout)))


def _say_left_out(commits: Sequence[CommitText], unknown: Sequence[CommitText], chosen: Sequence[CommitText]) -> None:
    """Say what isn't verified by itself, and what was never verified before."""
    from verigate.cli.output import say

    if unknown:
        what = "it is verified now" if len(unknown) == 1 else "they are verified now"
        say(describe_unverified(unknown, len(commits), what), err=True)
    left = len(unknown) - len(chosen)
    if left > 0:
        bounded = (
            f"verigate: only the newest {len(chosen)} of them by themselves; {left} older ones as part of the whole"
        )
        say(bounded, err=True)
    if len(commits) == MOST_LISTED:
        say(
            f"verigate: only the newest {MOST_LISTED} commits are looked up; older ones are part of the whole", err=True
        )


def _say_whole(found: RangeVerdicts, *, verbose: bool) -> None:
    from verigate.cli.output import say, use_colour, width
    from verigate.reporting.commit_range import render_difference
    from verigate.reporting.escape import escape
    from verigate.reporting.report import Report
    from verigate.reporting.text import render

    if found.whole_problem:
        say(f"ERROR        the range as a whole\n{'':<13}{escape(found.whole_problem, limit=_MOST_SHOWN)}")
        return
    if found.whole is None:
        say("nothing to verify: the range has no difference", err=True)
        return
    say("")
    say(render(Report(found.whole), colour=use_colour(sys.stdout), width=width(), verbose=verbose))
    if (difference := render_difference(found, colour=use_colour(sys.stdout))) is not None:
        say(f"\n{difference}")
