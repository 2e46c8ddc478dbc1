"""Resolve the name of a policy ref to a commit. Only names that can mean one thing are accepted.

``git rev-parse main`` takes a tag before a branch, and ``origin/main`` the tag or the local branch of that name before
the remote-tracking one. Whoever is judged could make such a ref. So a name is a full commit id, ``HEAD``, a full
``refs/...``, or the short name of exactly one ref.
"""

from __future__ import annotations

import re

from msgspec import Struct

from verigate.domain.policy_source import PolicyRef
from verigate.errors import SubjectError, UsageError
from verigate.subject.git import Git, Repository, escape_bytes
from verigate.subject.ref_names import REMOTE, list_refs_named, make_ambiguity_error

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT_ID = re.compile(r"[0-9a-f]{4,39}")
_REF = re.compile(r"(?![-/.])(?!.*(?:\.\.|//|@\{|/\.|\.lock(?:/|$)))[^\x00-\x20\x7f~^:?*\[\\]+(?<![/.])")
"""The names of git-check-ref-format(1), and none that begins like an option."""

_LOCAL = "refs/heads/"


class PolicyCommit(Struct, frozen=True):
    """What a name means now: the full name of the ref (an id or HEAD stands for itself), and the commit's id."""

    ref: str
    commit: str

    @property
    def is_local(self) -> bool:
        """Whether it is a branch of this repository, which every commit here can move."""
        return self.ref.startswith(_LOCAL) or self.ref == "HEAD"


def check_ref_name(name: str, where: str) -> None:
    """Raise UsageError for a name that can't be one ref: an option, an expression, an abbreviated id."""
    if _ID.fullmatch(name) or _REF.fullmatch(name):
        return
    shown = escape_bytes(name.encode("utf-8", "surrogateescape"))[:200]
    hint = "write the ref itself, such as origin/main or refs/tags/policy-1, or a full commit id (git rev-parse)"
    raise UsageError(f"{shown!r} is no name of a ref", where=where, hint=hint)


def resolve_policy_ref(git: Git, wanted: PolicyRef, repository: Repository) -> PolicyCommit:
    """Resolve the ref to its commit now. ``git`` sees the repository's refs.

    Raises UsageError for a name that can't be one ref, or means several; SubjectError for one that isn't here.
    """
    name, where = wanted.name, wanted.where
    check_ref_name(name, where)
    if _ID.fullmatch(name) or name == "HEAD":
        found = [name]
    elif name.startswith("refs/"):
        found = [name] if _read_ref(git, name) is not None else []
    else:
        found = list_refs_named(git, name)
    if len(found) > 1:
        raise make_ambiguity_error(name, found, where)
    commit = _read_commit(git, found[0]) if found else None
    if commit is None:
        shown = escape_bytes(name.encode("utf-8", "surrogateescape"))
        message = f"the policy is to be read from {shown}, which is not in this repository"
        raise SubjectError(message, where=where, hint=_advise(git, name, repository))
    return PolicyCommit(found[0], commit)


def _read_commit(git: Git, ref: str) -> str | None:
    """Return the commit of an id, of HEAD or of the full name of a ref; None if it isn't here."""
    name = _read_ref(git, ref) if ref.startswith("refs/") else ref
    if name is None:
        return None
    done = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    commit = done.stdout.decode("ascii", "replace").strip()
    # A missing object has a name as well.
    there = done.returncode == 0 and git.attempt("cat-file", "-e", commit).returncode == 0
    return commit if there else None


def _read_ref(git: Git, ref: str) -> str | None:
    """Return the id that this very ref holds: other commands also look for a branch of that whole name."""
    done = git.attempt("show-ref", "--verify", "--hash", "--", ref)
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else None


def _advise(git: Git, name: str, repository: Repository) -> str:
    """Return the command that fetches the ref; ``name`` was checked."""
    remotes = sorted(git.attempt("remote").stdout.decode("utf-8", "replace").split(), key=len, reverse=True)
    short = name.removeprefix(REMOTE)
    if _SHORT_ID.fullmatch(name) and (commit := _read_commit(git, name)) is not None:
        return f"a commit is named by its whole id: {commit}"
    for remote in remotes:
        if short.startswith(f"{remote}/") and not name.startswith("refs/heads/"):
            branch = short.removeprefix(f"{remote}/")
            spec = f"{branch}:{REMOTE}{short}" if repository.shallow else branch
            return f"git fetch {remote} {spec}"
    if not remotes:
        return "name a ref that exists: git for-each-ref shows them"
    if _ID.fullmatch(name):
        return f"git fetch {remotes[-1]} {name}"
    return f"git fetch {remotes[-1]}, or name the remote's branch: {remotes[-1]}/{short.removeprefix('refs/heads/')}"
