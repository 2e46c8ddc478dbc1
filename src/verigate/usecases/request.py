"""The request of one verification: the task, the subject, and what the caller decides about the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.policy_source import PolicyRef, PolicyUse
from verigate.domain.subject import SubjectKind
from verigate.domain.task import IMPLICIT_TASK_ID
from verigate.domain.weakening import Stage

if TYPE_CHECKING:
    from verigate.domain.review import Reviews


class Request(Struct, frozen=True):
    """What to verify. Without ``task_id`` the task is implicit; ``only`` limits the run to these capabilities.

    ``commitment`` is the content of commitment.json if the caller read it. ``statements_reported``: the statements of
    the claim are an agent's message; where the profile doesn't say how to take statements, undecided ones don't prevent
    a pass. Without ``marks_count`` the marks of earlier unverified turns don't count: they concern what lands, not the
    turn that fixes it. Without ``llm`` no verifier is asked, whatever the profile says. With ``whole`` the subject
    is judged as it is, though nothing differs from its base. ``notes`` are warnings about the choice of the task.
    ``touched`` leaves out what a change of documents doesn't concern, as the git hooks do; ``affected`` the tests of
    packages that the change doesn't affect. With ``reuse`` what passed
    within the hour isn't run again; never set it for an agent's turn, which may reach the user's folders. With
    ``policy_landed`` changes of policy that landed since the commitment's base in commits of their own don't count as
    the task's; never set it for an agent's turn, which can commit as well. ``stage`` is where the gate is called, and
    decides which disclosures of weakenings count; ``pull_request`` is the text of the pull request, title and body.
    ``message`` is that of the commit that is being made; ``amends``: in place of the commit that is verified, or that
    the index stands on, whose own message doesn't count. With ``only_planned`` what ``only`` names and the plan
    doesn't is left out. ``message_follows``: the verdict says whether the message could disclose all that it lacks.
    ``states`` is the message of a commit, which an implicit task then claims. ``reviews`` are those of the pull
    request, which count in CI. ``policy_ref`` is the ref that the caller
    names for the policy; without one, what the user, the CI job or the repository says counts. ``policy_use``: OWN for
    runs that judge a configuration in the making; TRY for the subject's own policy next to that of the ref: nothing is
    published, and it decides nothing. ``policy_sets_base`` is as in PolicyWanted.
    """

    task_id: str | None = None
    kind: SubjectKind = SubjectKind.WORKTREE
    ref: str | None = None
    base: str | None = None
    profile: str | None = None
    only: tuple[str, ...] = ()
    use_cache: bool = True
    statements_reported: bool = False
    marks_count: bool = True
    llm: bool = True
    commitment: bytes | None = None
    whole: bool = False
    notes: tuple[str, ...] = ()
    policy_landed: bool = False
    touched: bool = False
    affected: bool = False
    reuse: bool = False
    stage: Stage | None = None
    pull_request: str | None = None
    message: str | None = None
    amends: bool = False
    only_planned: bool = False
    message_follows: bool = False
    states: str | None = None
    reviews: Reviews | None = None
    policy_ref: PolicyRef | None = None
    policy_use: PolicyUse = PolicyUse.JUDGE
    policy_sets_base: bool = False

    @property
    def folder_name(self) -> str:
        """The name of the task's folder: its id, also that of the implicit task."""
        return self.task_id or IMPLICIT_TASK_ID
