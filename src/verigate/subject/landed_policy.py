"""Find the policy files that changed since the base in commits of their own, which is how a change of policy lands.

A task is older than such a commit if its base is. What the commit changed isn't the task's work, as long as the commit
changes nothing but policy, and doesn't name the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from verigate.subject.git import Git, decode_path
from verigate.subject.resolve_subject import is_artifact
from verigate.subject.tree_listing import TreeEntry, list_tree

_MOST_COMMITS = 200
"""Of a longer range nothing is known to have landed."""


def find_landed_policy(
    git: Git,
    changed: Iterable[str],
    entries: Mapping[bytes, TreeEntry],
    *,
    base: str,
    head: str,
    task_id: str,
    is_policy: Callable[[str], bool],
) -> dict[str, tuple[str, ...]]:
    """Map those of the ``changed`` policy files that landed between ``base`` and ``head`` to the commits' ids.

    ``entries`` are the subject's; a file that differs from ``head`` is changed by the subject itself. A commit that
    changes anything but policy, or has the trailer of ``task_id``, lands nothing. Raises SubjectError where git fails.
    """
    paths = {path: path.encode("utf-8", "surrogateescape") for path in changed}
    at_head = list_tree(git, head)
    same = {path: name for path, name in paths.items() if at_head.get(name) == entries.get(name)}
    apart: dict[str, bool] = {}
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(same):
        asked = ("log", "--full-history", "--format=%H", f"--max-count={_MOST_COMMITS + 1}", f"{base}..{head}")
        commits = git.run(*asked, "--", f":(top,literal){path}").decode("ascii").split()
        for commit in commits:
            if commit not in apart:
                apart[commit] = _is_apart(git, commit, task_id, is_policy)
        if commits and len(commits) <= _MOST_COMMITS and all(apart[commit] for commit in commits):
            found[path] = tuple(commits)
    return found


def _is_apart(git: Git, commit: str, task_id: str, is_policy: Callable[[str], bool]) -> bool:
    form = "--format=%(trailers:key=Gate-Task,valueonly,unfold)"
    named = git.run("log", "-1", form, commit).decode("utf-8", "replace").split()
    if task_id in named:
        return False
    # Of a merge: the files that are as in none of its parents.
    options = ("-r", "-z", "--root", "-c", "--no-commit-id", "--name-only", "--no-renames")
    names = [name for name in git.run("diff-tree", *options, commit).split(b"\0") if name]
    return all(is_artifact(name) or is_policy(decode_path(name)) for name in names)
