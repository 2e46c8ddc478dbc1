"""Write files of the subject, where the gate leaves that to the call.

A capability with the flag ``writes_its_files`` may get a checkout of which only the index is there, with git's
``skip-worktree`` bit for each file; ``GATE_CHECKOUT`` is ``on_demand`` then. It writes what it reads before it reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.sdk.subject.repository import Repository, find_repository

if TYPE_CHECKING:
    from verigate.sdk.request import Request

_ISOLATED = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
"""No settings of a user, such as line ends: the files are those that the gate would have written."""

_PARALLEL = ("-c", "checkout.workers=0")


def is_on_demand(request: Request) -> bool:
    """Whether the call writes the subject's files itself."""
    return request.gated and request.environ.get("GATE_CHECKOUT") == "on_demand"


def write_files(request: Request, paths: Iterable[str]) -> None:
    """Write these files and links, as ``list_paths`` has them. What differs from the subject is written again.

    Does nothing unless ``is_on_demand``. Raises ToolFailed if git can't write one of them.
    """
    repository = find_repository(request) if is_on_demand(request) else None
    names = b"".join(os.fsencode(path) + b"\0" for path in paths) if repository is not None else b""
    if repository is None or not names:
        return
    own: Repository = replace(repository, extra={**repository.extra, **_ISOLATED})
    own.git("update-index", "--no-skip-worktree", "-z", "--stdin", stdin=names)
    own.git(*_PARALLEL, "checkout-index", "--force", "--index", "--quiet", "-z", "--stdin", stdin=names)
