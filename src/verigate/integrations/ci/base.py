"""Find the base commit of a CI job: the state before the change, which the change itself can't influence."""

from __future__ import annotations

from verigate.integrations.ci.change import Change
from verigate.integrations.ci.history import History


def find_base(change: Change, history: History) -> str:
    """The base for ``gate verify --ref HEAD --base``, an ancestor of HEAD or the empty tree.

    - A change that the CI system merged for the job: the merge's first parent, which is the branch it lands on.
    - Any other change with a target: the last commit that both have in common.
    - A push to the default branch: what was there before.
    - A push to another branch: where it left the default branch. Not what was there before: a bad push would be
      forgotten with the next one.
    - Whatever is on the default branch already: its first parent, so that something is looked at.

    Raises SubjectError where the clone doesn't have what it takes.
    """
    head = history.commit("HEAD")
    if (sides := _find_sides(change, head, history)) is not None:
        return sides[0]
    if change.onto is not None:
        return history.merge_base(history.commit(change.onto), head)
    if change.target is not None:
        return history.merge_base(history.branch(change.target), head)
    if change.before is not None and change.branch is not None and change.branch == change.default:
        if not change.before.strip("0"):
            return history.empty_tree()
        found = history.merge_base(history.commit(change.before), head)
    else:
        found = history.merge_base(history.branch(change.default), head)
    return _find_parent(head, history) if found == head else found


def find_proposed(change: Change, history: History) -> str | None:
    """Return the tip of the change itself if HEAD is the merge that the CI system made of it, else None."""
    sides = _find_sides(change, history.commit("HEAD"), history)
    return None if sides is None else sides[1]


def _find_sides(change: Change, head: str, history: History) -> tuple[str, str] | None:
    """Return the target and the tip of a merge that the CI system made. None for any other HEAD."""
    parents = history.parents(head) if change.merged == head else ()
    return (parents[0], parents[1]) if len(parents) == 2 else None


def _find_parent(commit: str, history: History) -> str:
    if history.is_cut(commit):
        # Raise an error with a hint.
        return history.commit(f"{commit}^1")
    return next(iter(history.parents(commit)), history.empty_tree())
