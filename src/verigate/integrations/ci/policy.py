"""Find the ref that a CI job reads the policy from: what the change lands on, as it is now."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.policy_source import POLICY_OPTION, PolicyRef
from verigate.errors import UsageError
from verigate.integrations.ci.base import find_base
from verigate.integrations.ci.change import Change, is_push, read_change
from verigate.integrations.ci.history import History


def find_policy(change: Change, history: History, fetched: str | None = None) -> str:
    """Return the ref, or the commit, for ``gate verify --policy-ref``.

    - A change with a target: the target branch, fetched now. What the event says of it may be old.
    - A push to another branch than the default one: the default branch, fetched now.
    - What is on that branch already: the state before, which is the base; without one, HEAD itself.

    ``fetched`` is a ref that was fetched a moment ago. Raises SubjectError where the remote or the clone lacks it.
    """
    head = history.commit("HEAD")
    if change.target is None and change.onto is None:
        if change.branch is not None and change.branch == change.default:
            return _find_before(change, history, head)
        reference = _fetch(change.default, history, fetched)
        return _find_before(change, history, head) if history.holds(reference, head) else reference
    return _fetch(change.target if change.target is not None else change.default, history, fetched)


def find_job_ref(environ: Mapping[str, str]) -> PolicyRef | None:
    """Find the ref that the job's change is judged by, for a call of the gate that names none. Nothing is fetched.

    It is the remote-tracking branch that the change lands on. What was pushed to the default branch has landed: there
    it is the commit before the push. None where nothing lands: a schedule, a run by hand. Raises UsageError for an
    event that can't be read, and for a push that names no commit before it.
    """
    change = read_change(environ)
    target = change.target
    if target is None and (change.branch is None or change.branch != change.default):
        target = change.default
    if target is not None:
        return PolicyRef(f"refs/remotes/origin/{target}", "the target branch of the CI job")
    if change.branch is None or change.branch != change.default or not is_push(environ):
        return None
    if change.before is not None and change.before.strip("0"):
        return PolicyRef(change.before, "the CI job, as the commit before the push")
    raise UsageError(
        f"the policy is that of the commit before the push to {change.branch!a}, and the CI job names none: it is the "
        "first push, or a system that doesn't say it",
        where=POLICY_OPTION,
        hint=f'name it: {POLICY_OPTION} "$(gate-ci policy)", or {POLICY_OPTION} HEAD for the first push',
    )


def fetch_target(change: Change, history: History) -> str | None:
    """Fetch the branch that ``find_policy`` reads from, and return its ref; None for a change that needs none."""
    target = change.target
    if target is None and (change.branch is None or change.branch != change.default):
        target = change.default
    return None if target is None else history.fetch(target)


def _fetch(name: str | None, history: History, fetched: str | None) -> str:
    if name is not None and fetched == f"refs/remotes/origin/{name}":
        return fetched
    return history.fetch(name)


def _find_before(change: Change, history: History, head: str) -> str:
    base = find_base(change, history)
    # Before the first commit there was no policy.
    return head if base == history.empty_tree() else base
