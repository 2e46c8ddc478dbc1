"""Read the approvals that a commit or an index carries in ``.artifacts/.approvals``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from verigate.domain.approval import MAX_BYTES
from verigate.domain.task_folder import APPROVALS_FOLDER
from verigate.subject.git import Git, decode_path
from verigate.subject.tree_listing import GITLINK, LINK, TreeEntry

_FOLDER = os.fsencode(f"{APPROVALS_FOLDER}/")
_MOST = 500


def read_approval_entries(git: Git, artifacts: Mapping[bytes, TreeEntry]) -> Iterator[tuple[str, bytes | None]]:
    """Yield the path and the content of each, None for one that is too large. ``artifacts`` are entries of the subject.

    At most 500, in the order of their paths. Raises SubjectError if an object is missing.
    """
    names = sorted(
        path
        for path, entry in artifacts.items()
        if path.startswith(_FOLDER) and path.endswith(b".json") and entry.mode not in {LINK, GITLINK}
    )[:_MOST]
    for name in names:
        oid = artifacts[name].oid
        large = int(git.run("cat-file", "-s", oid)) > MAX_BYTES
        yield decode_path(name), None if large else git.run("cat-file", "blob", oid)
