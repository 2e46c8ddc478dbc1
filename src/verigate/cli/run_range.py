"""Run ``gate verify --range``: a verdict for each commit, and one for all of them as one change."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from verigate.cli.target import Target, find_repository
from verigate.cli.verified_commits import MOST_LISTED, describe_unverified
from verigate.domain.verdict import Status
from verigate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verigate.domain.commit_text import CommitText
    from verigate.domain.verdict import Verdict
    from verigate.domain.weakening import Stage

MOST_COMMITS = 200
MOST_UNVERIFIED = 50
"""The newest commits that ``--unverified`` verifies by themselves: a push can have thousands, and each takes a run."""

_WHERE = "--range"


def run_range(
    span: str,
    *,
    profile: str | None,
    policy_ref: str | None,
    stage: Stage | None,
    use_cache: bool,
    llm: bool,
    as_json: bool,
    verbose: bool,
    advisory: bool,
    only_unverified: bool,
    touched: bool,
) -> int:
    """Verify the commits of ``span`` and their sum; return the code of the worst verdict, 0 if ``advisory``.

    ``only_unverified`` leaves out, by themselves, commits that were verified on this machine, and all but the newest
    of the others.
    """
    from verigate import composition
    from verigate.cli.output import print_json, say, use_colour
    from verigate.composition.history import find_ends, list_commits, list_range_merges, name_span
    from verigate.composition.verified_commits import open_verified_commits
    from verigate.domain.commit_verdict import find_worst
    from verigate.reporting.commit_range import range_document, render_commit, render_merges
    from verigate.usecases.verify import verify
    from verigate.usecases.verify_range import verify_commits

    root = find_repository()
    base, tip = find_ends(root, os.environ, span)
    most = MOST_LISTED if only_unverified else MOST_COMMITS + 1
    commits = list_commits(root, os.environ, name_span(root, os.environ, base, tip), most)
    known = open_verified_commits(root, os.environ)
    unknown = () if known is None else known.find_unknown(commits)
    chosen = (commits if known is None else unknown)[:MOST_UNVERIFIED] if only_unverified else commits
    if only_unverified:
        _say_left_out(commits, unknown, chosen)
    elif len(commits) > MOST_COMMITS:
        raise UsageError(f"it has more than {MOST_COMMITS} commits", where=_WHERE, hint="verify a part of it at a time")
    services = composition.services(root)

    def judge(target: Target, task_id: str | None) -> Verdict | None:
        commitment = target.read_commitment(task_id)
        request = target.request(
            task_id, use_cache=use_cache, llm=llm, commitment=commitment, stage=stage, touched=touched
        )
        return verify(request, services).verdict

    def judge_commit(commit: CommitText) -> Verdict | None:
        # What a task claims, its commits have together: each by itself is judged by its rules alone.
        return judge(Target(root, None, ref=commit.id, profile=profile, policy_ref=policy_ref, alone=True), None)

    found = []
    colour = use_colour(sys.stdout)
    for each in verify_commits(reversed(chosen), judge_commit, never_verified=unknown):
        found.append(each)
        if known is not None and profile is None and each.status is Status.PASS:
            known.keep(each.commit.tree, each.commit.parents)
        if not as_json:
            say(render_commit(each, colour=colour))
    merges = list_range_merges(root, os.environ, name_span(root, os.environ, base, tip))
    together = Target(root, None, ref=tip, base=base, profile=profile, policy_ref=policy_ref)
    whole = judge(together, together.choice().task_id) if base != tip else None
    if as_json:
        print_json(range_document(found, whole, merges))
    else:
        if merges:
            say(render_merges(merges))
        _say_whole(whole, verbose=verbose)
    statuses = [*(each.status for each in found), *(() if whole is None else (whole.status,))]
    return 0 if advisory else find_worst(statuses).exit_code


def _say_left_out(commits: Sequence[CommitText], unknown: Sequence[CommitText], chosen: Sequence[CommitText]) -> None:
    """Say what isn't verified by itself, and what was never verified before."""
    from verigate.cli.output import say

    if unknown:
        say(describe_unverified(unknown, len(commits), "verified now"), err=True)
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


def _say_whole(whole: Verdict | None, *, verbose: bool) -> None:
    from verigate.cli.output import say, use_colour, width
    from verigate.reporting.report import Report
    from verigate.reporting.text import render

    if whole is None:
        say("nothing to verify: the range has no difference", err=True)
        return
    say("")
    say(render(Report(whole), colour=use_colour(sys.stdout), width=width(), verbose=verbose))
