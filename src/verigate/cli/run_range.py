"""Run ``gate verify --range``: a verdict for each commit, and one for all of them as one change."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from verigate.cli.target import Target, find_repository
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.domain.commit_text import CommitText
    from verigate.domain.verdict import Verdict
    from verigate.domain.weakening import Stage

MOST_COMMITS = 200
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
) -> int:
    """Verify the commits of ``span`` and their sum; return the code of the worst verdict, 0 if ``advisory``."""
    from verigate import composition
    from verigate.cli.output import print_json, say, use_colour
    from verigate.composition.history import find_ends, list_commits
    from verigate.domain.commit_verdict import find_worst
    from verigate.reporting.commit_range import range_document, render_commit
    from verigate.usecases.verify import verify
    from verigate.usecases.verify_range import verify_commits

    root = find_repository()
    base, tip = find_ends(root, os.environ, span)
    commits = list_commits(root, os.environ, f"{base}..{tip}", MOST_COMMITS + 1)
    if len(commits) > MOST_COMMITS:
        raise UsageError(f"it has more than {MOST_COMMITS} commits", where=_WHERE, hint="verify a part of it at a time")
    services = composition.services(root)

    def judge(target: Target, task_id: str | None) -> Verdict | None:
        commitment = target.read_commitment(task_id)
        request = target.request(task_id, use_cache=use_cache, llm=llm, commitment=commitment, stage=stage)
        return verify(request, services).verdict

    def judge_commit(commit: CommitText) -> Verdict | None:
        # What a task claims, its commits have together: each by itself is judged by its rules alone.
        return judge(Target(root, None, ref=commit.id, profile=profile, policy_ref=policy_ref), None)

    found = []
    colour = use_colour(sys.stdout)
    for each in verify_commits(reversed(commits), judge_commit):
        found.append(each)
        if not as_json:
            say(render_commit(each, colour=colour))
    together = Target(root, None, ref=tip, base=base, profile=profile, policy_ref=policy_ref)
    whole = judge(together, together.choice().task_id) if commits else None
    if as_json:
        print_json(range_document(found, whole))
    else:
        _say_whole(whole, verbose=verbose)
    statuses = [*(each.status for each in found), *(() if whole is None else (whole.status,))]
    return 0 if advisory else find_worst(statuses).exit_code


def _say_whole(whole: Verdict | None, *, verbose: bool) -> None:
    from verigate.cli.output import say, use_colour, width
    from verigate.reporting.report import Report
    from verigate.reporting.text import render

    if whole is None:
        say("nothing to verify: the range has no difference", err=True)
        return
    say("")
    say(render(Report(whole), colour=use_colour(sys.stdout), width=width(), verbose=verbose))
