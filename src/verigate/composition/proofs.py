"""Prove the rules of a repository's profile."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from verigate.composition import services
from verigate.domain.policy_source import JUDGED
from verigate.domain.proof import Proof
from verigate.domain.subject import SubjectKind
from verigate.errors import UsageError
from verigate.integrations.setup.repository_scan import scan_repository
from verigate.subject.git_query import read_git_line
from verigate.usecases.prove.prove_rules import list_out_of_force, prove_rules


def prove_repository(root: Path, task_type: str, report: Callable[[str], None]) -> Iterator[Proof]:
    """Prove the active rules of the type's profile, one after the other. Raises GateError, UsageError without a commit.

    Rules and files are those of the present commit and of the policy that counts for it, as verification reads them:
    what the working tree or the index has instead decides nothing, and a rule that only the working tree has is missed.
    HEAD is looked up once.
    """
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
    head = read_git_line(root, os.environ, *asked)
    if head is None:
        raise UsageError("there is no commit yet", where=str(root), hint="commit, then try again")
    made = services(root)
    with made.workspaces.open(root, kind=SubjectKind.COMMIT, ref=head, base=head, policy=JUDGED) as workspace:
        profiles = made.policy.read(Path(workspace.policy_root)).profiles
        profile = profiles.resolve(profiles.default_for(task_type))
        scan = scan_repository(Path(workspace.checkout(0).path))
        yield from prove_rules(scan, made, profile, report, task_type=task_type, head=head)
        here = made.policy.read(root).profiles
        yield from list_out_of_force(here.resolve(here.default_for(task_type)), profile)
