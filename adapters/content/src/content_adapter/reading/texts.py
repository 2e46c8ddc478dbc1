"""One text of the subject as bytes."""

from __future__ import annotations

from pathlib import Path

from verigate.sdk.subject import UnreadableFileError, read_file

MAX_TEXT_BYTES = 16 << 20
"""A text above this size is refused: it is read as a whole."""


def read_text_bytes(root: Path, path: str) -> bytes:
    """The content of the subject's text ``path``. Raises UnreadableFileError where ``read_file`` refuses it."""
    try:
        return read_file(root, path, MAX_TEXT_BYTES)
    except UnreadableFileError as error:
        hint = 'to leave it out: "exclude" of the content adapter in config/adapters.json'
        raise UnreadableFileError(error.message, where=error.where, hint=hint) from error
