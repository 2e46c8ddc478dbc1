"""Write and remove the files of approvals; ``config.approval_files`` reads them."""

from __future__ import annotations

from pathlib import Path

from verigate.domain.approval import MAX_BYTES, SignedApproval
from verigate.domain.task_folder import APPROVALS_FOLDER
from verigate.errors import EvidenceError, UsageError
from verigate.evidence.store import artifacts_folder, encode_json, write_atomically
from verigate.subject.whole_file import remove_parts

_NAME_DIGITS = 16


def write_approval(root: Path, signed: SignedApproval) -> Path:
    """Write an approval into the folder of the repository; return its path.

    Raises UsageError for one that is too large, EvidenceError where the folder leads elsewhere.
    """
    content = encode_json({**signed.approval.document(), "signature": signed.signature})
    if len(content) > MAX_BYTES:
        raise UsageError(f"the approval is larger than {MAX_BYTES} bytes", hint="split the change")
    artifacts_folder(root)
    folder = root / APPROVALS_FOLDER
    if folder.is_symlink():
        hint = "remove it; approvals are only written inside the repository"
        raise EvidenceError("this is a symbolic link", where=str(folder), hint=hint)
    path = folder / f"{signed.id[:_NAME_DIGITS]}.json"
    remove_parts(folder)  # each approval has a name of its own, so nobody takes over what a killed one left
    write_atomically(path, content)
    return path


def remove_approval(root: Path, found: SignedApproval) -> None:
    """Remove the file from which an approval was read. Raises UsageError."""
    try:
        (root / found.place).unlink()
    except OSError as problem:
        raise UsageError(f"it can't be removed: {problem.strerror}", where=found.place) from None
