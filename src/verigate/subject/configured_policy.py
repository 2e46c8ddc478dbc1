"""Find the policy ref that the repository itself names, in config/policy.json.

A change must not take the setting away, turn it to a ref of its own, nor bring one that names its own commit. So it
counts only where the change can't reach it: in the remote's default branch as fetched last, else in the base.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from verigate.domain.policy_source import POLICY_FILE, POLICY_OPTION, PolicyRef
from verigate.errors import SubjectError
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.subject.git import Git, Repository

KEY = "policy_ref"
_REMOTE = b"refs/remotes/origin/"
_DEFAULT_BRANCH = "refs/remotes/origin/HEAD"
_SUBJECT = "the subject"
_MOST_BYTES = 4 * 1024 * 1024

Read = Callable[[], bytes | None]


def find_configured_ref(git: Git, repository: Repository, base: Read, subject: Read) -> PolicyRef | None:
    """Return the ref that the default branch names, else the base; None if neither does.

    ``base`` and ``subject`` read config/policy.json there. Raises SubjectError for a file that can't be read, also one
    of the subject: what it asks for isn't known.
    """
    found = None
    for place, content in _list_places(git, repository, base, subject):
        named = None if content is None else parse_policy_ref(content, place)
        if named is not None and found is None and place != _SUBJECT:
            found = PolicyRef(named, f"{POLICY_FILE} of {place}")
    return found


def parse_policy_ref(content: bytes, place: str) -> str | None:
    """Return the ``policy_ref`` of a policy.json, None if it names none. Raises SubjectError."""
    try:
        document = loads(content, max_bytes=_MOST_BYTES)
    except StrictJsonError as problem:
        raise _refuse(str(problem), place) from None
    named = document.get(KEY) if isinstance(document, dict) else document
    if named is not None and not isinstance(named, str):
        raise _refuse(f"{KEY} is no text", place)
    return named


def _list_places(git: Git, repository: Repository, base: Read, subject: Read) -> Iterator[tuple[str, bytes | None]]:
    if _may_have_default_branch(repository) and _is_symbolic(git):
        yield "origin/HEAD", _read_blob(git, f"{_DEFAULT_BRANCH}:{POLICY_FILE}")
    yield "the base", base()
    yield _SUBJECT, subject()


def _may_have_default_branch(repository: Repository) -> bool:
    """Whether to start git for it. A symbolic ref is a file of its own, or in a reftable."""
    common = os.path.dirname(repository.objects)
    return os.path.lexists(f"{common}/{_DEFAULT_BRANCH}") or os.path.isdir(f"{common}/reftable")


def _is_symbolic(git: Git) -> bool:
    """Whether it names a branch of the remote, as a clone sets it; a branch called HEAD can be pushed by anybody."""
    done = git.attempt("symbolic-ref", "--quiet", _DEFAULT_BRANCH)
    return done.returncode == 0 and done.stdout.startswith(_REMOTE)


def _read_blob(git: Git, name: str) -> bytes | None:
    done = git.attempt("cat-file", "blob", name)
    return done.stdout if done.returncode == 0 else None


def _refuse(why: str, place: str) -> SubjectError:
    return SubjectError(
        f"{POLICY_FILE} of {place} can't be read, so the policy that counts isn't known: {why}",
        where=POLICY_FILE,
        hint=f"name the ref with {POLICY_OPTION} REF, and land a file that can be read",
    )
