"""Read the commits of a range, for the ledger."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from verigate.domain.commit_text import CommitText
from verigate.errors import SubjectError, UsageError
from verigate.subject.commit_messages import read_range
from verigate.subject.git import Git, is_git
from verigate.subject.judged_tree import find_judged_trees
from verigate.subject.merges import Merge, list_merges
from verigate.subject.ref_names import refuse_ambiguous
from verigate.subject.resolve_subject import empty_tree_id


def list_commits(root: Path, environ: Mapping[str, str], span: str, most: int) -> tuple[CommitText, ...]:
    """List at most ``most`` commits of a range that are no merges, the newest first. Raises SubjectError."""
    if not is_git(root):
        raise SubjectError("this is no git repository, so it has no commits", where=str(root), hint="cd to a clone")
    return read_range(Git.from_root(str(root), environ), span, most)


def list_judged_trees(root: Path, environ: Mapping[str, str], commits: Sequence[CommitText]) -> tuple[str, ...]:
    """List which tree is verified of each commit: the one without ``.artifacts``. Raises SubjectError."""
    return find_judged_trees(Git.from_root(str(root), environ), [commit.id for commit in commits])


def list_range_merges(root: Path, environ: Mapping[str, str], span: str) -> tuple[Merge, ...]:
    """List the merges of a range. Raises SubjectError."""
    git = Git.from_root(str(root), environ)
    objects = git.run("rev-parse", "--path-format=absolute", "--git-path", "objects").decode().rstrip("\n")
    with tempfile.TemporaryDirectory(prefix="verigate-merges-") as folder:
        # The trees that are made to compare with don't stay in the repository.
        own = {"GIT_OBJECT_DIRECTORY": folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects}
        return list_merges(git.with_variables(**own), span)


def is_empty_tree(root: Path, environ: Mapping[str, str], name: str) -> bool:
    """Whether a name is the id of the tree without entries, which stands for what was before the first commit."""
    git = Git.from_root(str(root), environ)
    found = git.attempt("rev-parse", "--show-object-format").stdout.decode("ascii", "replace").strip()
    return found in {"sha1", "sha256"} and name == empty_tree_id(found)


def name_span(root: Path, environ: Mapping[str, str], base: str, tip: str) -> str:
    """Name the commits from ``base``, or from the first one if that is the empty tree, to ``tip``, as git does."""
    return tip if is_empty_tree(root, environ, base) else f"{base}..{tip}"


def find_ends(root: Path, environ: Mapping[str, str], span: str) -> tuple[str, str]:
    """Find where the ends of ``BASE..HEAD`` part, and its last commit. Raises SubjectError and UsageError.

    BASE may be the empty tree, for all of the history.
    """
    base, dots, tip = span.partition("..")
    if not base or not dots or tip.startswith("."):
        raise UsageError(f"{span!r} is no range", where="--range", hint="write BASE..HEAD, such as origin/main..HEAD")
    if not is_git(root):
        raise SubjectError("this is no git repository, so it has no commits", where=str(root), hint="cd to a clone")
    git = Git.from_root(str(root), environ)
    if is_empty_tree(root, environ, base):
        return base, _find_commit(git, tip or "HEAD", "--range")
    ends = [_find_commit(git, name or "HEAD", "--range") for name in (base, tip)]
    found = git.attempt("merge-base", *ends)
    if found.returncode != 0:
        raise UsageError("its ends have no history in common", where="--range", hint="fetch more of the history")
    return found.stdout.decode("ascii").strip(), ends[1]


def find_commit(root: Path, environ: Mapping[str, str], name: str, option: str) -> str:
    """Find the commit that an option names. Raises SubjectError and UsageError."""
    if not is_git(root):
        raise SubjectError("this is no git repository, so it has no commits", where=str(root), hint="cd to a clone")
    return _find_commit(Git.from_root(str(root), environ), name, option)


def _find_commit(git: Git, name: str, option: str) -> str:
    refuse_ambiguous(git, name, option)
    found = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if found.returncode != 0:
        raise UsageError(f"there is no commit {name!r}", where=option, hint="git log shows the commits")
    return found.stdout.decode("ascii").strip()


def name_week(moment: int) -> str:
    """Name the week of a moment, in seconds since 1970, by the date of its Monday in UTC."""
    day = datetime.fromtimestamp(moment, UTC).date()
    return (day - timedelta(days=day.weekday())).isoformat()
