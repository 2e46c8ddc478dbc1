"""List, read and compare the subject of a call: its files, its git repository, its changes since the base.

Every function expects a hostile repository. The modules document what each of them refuses.
"""

from __future__ import annotations

from verigate.removal import remove
from verigate.sdk.subject.changes import Change, changed_paths, read_changes, read_changes_between
from verigate.sdk.subject.file_marks import FileMarks, Mark
from verigate.sdk.subject.files import (
    MAX_TEXT_BYTES,
    Paths,
    Subject,
    UnreadableFileError,
    find_subject,
    is_regular,
    list_files,
    list_paths,
    read_file,
)
from verigate.sdk.subject.held_git import accept_git, is_gates_checkout, restore_git
from verigate.sdk.subject.index_listing import LINK, SUBMODULE, IndexEntry, IndexListing, list_index
from verigate.sdk.subject.on_demand import is_on_demand, write_files
from verigate.sdk.subject.repository import (
    DIFF,
    EXCLUDE_ARTIFACTS,
    Repository,
    find_repository,
    open_repository,
    resolve_base,
)

__all__ = [
    "DIFF",
    "EXCLUDE_ARTIFACTS",
    "LINK",
    "MAX_TEXT_BYTES",
    "SUBMODULE",
    "Change",
    "FileMarks",
    "IndexEntry",
    "IndexListing",
    "Mark",
    "Paths",
    "Repository",
    "Subject",
    "UnreadableFileError",
    "accept_git",
    "changed_paths",
    "find_repository",
    "find_subject",
    "is_gates_checkout",
    "is_on_demand",
    "is_regular",
    "list_files",
    "list_index",
    "list_paths",
    "open_repository",
    "read_changes",
    "read_changes_between",
    "read_file",
    "remove",
    "resolve_base",
    "restore_git",
    "write_files",
]
