"""Read a text of the subject as bytes, bounded."""

from __future__ import annotations

from pathlib import Path

from verigate.sdk.subject import UnreadableFileError, read_file

MAX_TEXT_BYTES = 16 << 20
"""Size limit of a text, which is read as a whole."""


def read_text_bytes(root: Path, path: str) -> bytes:
    """Read the text ``path`` of the subject. Raises UnreadableFileError if ``read_file`` refuses it."""
    try:
        return read_file(root, path, MAX_TEXT_BYTES)
    except UnreadableFileError as error:
        hint = 'exclude it with "exclude" of the content adapter in config/adapters.json'
        raise UnreadableFileError(error.message, where=error.where, hint=hint) from error
