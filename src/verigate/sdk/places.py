"""Places in documents and in a repository, as the gate reads them: JSON pointers, and the paths that a scope names."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.scope_paths import named_by
from verigate.formats import pointer

__all__ = ["CommittedScope", "committed_scope", "named_by", "pointer"]


class CommittedScope(Struct, frozen=True):
    """What a scope names: ``files`` as ``named_by`` takes them, and the folder ``directory``, "" for none."""

    files: tuple[str, ...]
    directory: str


def committed_scope(commitment: Mapping[str, Any]) -> CommittedScope | None:
    """The scope of a commitment (commitment.json); None where it names neither files nor a folder of the repository.

    The repository itself, and a folder outside of it, narrow nothing.
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
