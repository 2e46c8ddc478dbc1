"""The scope of a commitment and JSON pointers, read as the gate reads them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.scope_paths import named_by
from verigate.formats import pointer

__all__ = ["CommittedScope", "named_by", "pointer", "read_committed_scope"]


class CommittedScope(Struct, frozen=True):
    """The paths of a scope: ``files`` as ``named_by`` takes them, and the folder ``directory``, "" for none."""

    files: tuple[str, ...]
    directory: str


def read_committed_scope(commitment: Mapping[str, Any]) -> CommittedScope | None:
    """Read the scope of a commitment (commitment.json); None if it names neither files nor a folder.

    The repository's root and folders outside the repository count as no folder.
    """
    commitments = commitment.get("commitments")
    scope = commitments.get("scope") if isinstance(commitments, Mapping) else None
    if not isinstance(scope, Mapping):
        return None
    files, directory = scope.get("files"), scope.get("target_directory")
    names = tuple(name for name in files if isinstance(name, str)) if isinstance(files, list) else ()
    folder = directory if isinstance(directory, str) else ""
    if posixpath.normpath(folder).strip("/").split("/")[0] in {"", ".", ".."}:
        folder = ""
    return CommittedScope(names, folder) if names or folder else None
