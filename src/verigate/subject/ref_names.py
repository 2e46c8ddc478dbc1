"""Refuse names that could mean another commit than the one that a reader has in mind.

``git rev-parse origin/main`` takes a tag, then a local branch of that name, before the remote-tracking branch. Whoever
is judged can push such a tag, and so turn a base to their own commit.
"""

from __future__ import annotations

import re

from verigate.errors import UsageError
from verigate.subject.git import Git

KINDS = ("refs/tags/", "refs/heads/", "refs/remotes/")
REMOTE = "refs/remotes/"
_LEADING = re.compile(r"[^~^:@]+(?:@(?!\{)[^~^:@]*)*")
_FULL_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT_ID = re.compile(r"[0-9a-f]{4,63}")
_EXACT = frozenset({"HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD"})
"""Names of files in the git directory, which git takes before any ref."""


def list_refs_named(git: Git, name: str) -> list[str]:
    """List the full names of the refs that a short name can mean: a tag, a branch, a branch of a remote."""
    full = [kind + name for kind in KINDS]
    known = git.run("for-each-ref", "--format=%(refname)", "--", *full).decode("utf-8", "surrogateescape")
    return [ref for ref in known.splitlines() if ref in full]


def refuse_ambiguous(git: Git, revision: str, where: str) -> None:
    """Raise UsageError if the ref that an expression (``main~1``, ``origin/main``) begins with can mean several."""
    leading = _LEADING.match(revision)
    name = leading.group() if leading else ""
    if not name or name in _EXACT or name.startswith("refs/") or _FULL_ID.fullmatch(name):
        return
    found = list_refs_named(git, name)
    if found and _SHORT_ID.fullmatch(name):
        found.append(f"an abbreviated id {name}")
    if len(found) == 1 and _resolve(git, name) != _resolve(git, found[0]):
        found.append(f"the file {name} in the git directory")
    if len(found) > 1:
        raise make_ambiguity_error(name, found, where)


def _resolve(git: Git, name: str) -> bytes:
    """Return the id that git takes a name for; git also knows files of its directory by their short names."""
    return git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", name).stdout


def make_ambiguity_error(name: str, found: list[str], where: str) -> UsageError:
    """Return the error for a name that means all of ``found``."""
    fetched = next((ref for ref in found if ref.startswith(REMOTE)), found[0])
    hint = f"write the full name, such as {fetched}"
    return UsageError(f"{name} is ambiguous: {', '.join(found)}", where=where, hint=hint)
