"""Say how a remote-tracking branch got to where it is, by its log in this repository.

A fetch and a push note there that they were it; ``git update-ref`` and an editor don't. Who can write the ref can write
its log as well: this is for honest mistakes and for lazy ones, and CI asks the remote.
"""

from __future__ import annotations

import re

from verigate.subject.git import Git
from verigate.subject.policy_ref import PolicyCommit

FETCHED = "as the last fetch brought it"
PUSHED = "as the last push left it"
CLONED = "as the clone has it"
MOVED = "moved by hand"

_REMOTE = "refs/remotes/"
_FETCH = re.compile(r"(fetch|pull|clone|remote)\b")
_PUSH = "update by push"


def find_known(git: Git, found: PolicyCommit) -> str:
    """Return one of the texts above; "" for what is no remote-tracking branch."""
    if not found.ref.startswith(_REMOTE):
        return ""
    asked = ("log", "--walk-reflogs", "--max-count=1", "--format=%H %gs", "--end-of-options", found.ref, "--")
    # With the user's setting it would print what it finds of signatures first.
    done = git.attempt("-c", "log.showSignature=false", *asked)
    commit, _, message = done.stdout.decode("utf-8", "replace").strip().partition(" ")
    if done.returncode != 0 or not commit:
        return CLONED
    if commit != found.commit:
        return MOVED
    if message == _PUSH:
        return PUSHED
    return FETCHED if _FETCH.match(message) else MOVED


def describe_doubts(name: str, found: PolicyCommit, known: str) -> tuple[str, ...]:
    """Return the warnings about a ref that others than the remote have moved, or can move."""
    if found.is_local:
        return (f"the policy is read from {name}, which every commit here can move: name a branch of the remote",)
    if known == MOVED:
        remote, _, branch = found.ref.removeprefix(_REMOTE).partition("/")
        return (f"{name} was moved by hand, says its log, and not by the remote: run git fetch {remote} {branch}",)
    return ()
