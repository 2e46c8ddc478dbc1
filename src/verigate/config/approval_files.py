"""Read the files of approvals. They stand outside of the tree that they approve, in ``.artifacts/.approvals``.

Whoever is judged can write there: what is read is only a claim until its signature is verified.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verigate.config.files import read_bytes
from verigate.config.validation import validate
from verigate.domain.approval import MAX_BYTES, Approval, SignedApproval, UnreadableApproval
from verigate.domain.task_folder import APPROVALS_FOLDER
from verigate.errors import ConfigError
from verigate.formats.strict_json import MAX_NAME, StrictJsonError, loads
from verigate.formats.visible import escape_invisible, format_path

MAX_FILES = 500
"""The most files that are read."""

_MEMBERS = ("namespace", "repository", "tree", "reason", "signed", "expires")


def parse_approval(content: bytes, place: str) -> SignedApproval | UnreadableApproval:
    """Parse the content of a file; ``place`` names it."""
    if len(content) > MAX_BYTES:
        return UnreadableApproval(place, f"it is larger than the {MAX_BYTES} bytes that are read")
    try:
        document: Any = loads(content, max_bytes=MAX_BYTES, max_name=MAX_NAME)
    except StrictJsonError as problem:
        return UnreadableApproval(place, str(problem))
    if faults := validate("approval", document):
        return UnreadableApproval(place, str(faults[0]))
    approval = Approval(findings=tuple(document["findings"]), **{name: document[name] for name in _MEMBERS})
    for text in (approval.reason, *approval.findings):
        if show_line(text) != text:
            return UnreadableApproval(place, "it has characters that can't be seen, so nobody saw what was signed")
    return SignedApproval(approval, document["signature"], place)


def show_line(text: str) -> str:
    """Return a text as one line of visible characters."""
    return escape_invisible(text).replace("\n", "\\n")


def read_approvals(root: Path) -> Iterator[SignedApproval | UnreadableApproval]:
    """Read the files of the working tree, in the order of their names; beyond MAX_FILES one that says so."""
    folder = root / APPROVALS_FOLDER
    try:
        for place in (folder.parent, folder):
            if place.is_symlink():
                yield UnreadableApproval(format_path(place.relative_to(root)), "it is a symbolic link: remove it")
                return
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))  # noqa: PTH208 - names alone
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as problem:
        yield UnreadableApproval(APPROVALS_FOLDER, f"it can't be read: {problem.strerror}")
        return
    for name in names[:MAX_FILES]:
        place_of_file = f"{APPROVALS_FOLDER}/{show_line(format_path(name))}"
        try:
            content = read_bytes(folder / name, shown=place_of_file, max_bytes=MAX_BYTES)
        except ConfigError as problem:
            yield UnreadableApproval(place_of_file, problem.faults[0].message)
            continue
        if content is not None:
            yield parse_approval(content, place_of_file)
    if len(names) > MAX_FILES:
        yield UnreadableApproval(APPROVALS_FOLDER, f"it has more than {MAX_FILES} files: remove those of other trees")
