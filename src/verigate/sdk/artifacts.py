"""Writing artifacts: deterministic JSON, atomically, and only inside the task folder."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from verigate.sdk.errors import AdapterError


def write_json(task_dir: Path, relative: str, value: Any) -> Path:
    """Write ``value`` as ``<task_dir>/<relative>``: sorted keys, no spaces, one final newline, UTF-8.

    NaN, infinities and lone surrogates are refused, for they aren't strict JSON. Returns the path; raises AdapterError.
    """
    return write_bytes(task_dir, relative, json_bytes(value, relative) + b"\n")


def json_bytes(value: Any, relative: str) -> bytes:
    """``value`` as ``write_json`` writes it to ``relative``, without the newline. Raises AdapterError."""
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise AdapterError(f"the facts can't be written as JSON: {error}", where=relative) from error


def write_bytes(task_dir: Path, relative: str, content: bytes) -> Path:
    """Write ``content`` as ``<task_dir>/<relative>`` through a temporary file.

    Returns the path; raises AdapterError.
    """
    return write_pieces(task_dir, relative, (content,))


def write_pieces(task_dir: Path, relative: str, pieces: Iterable[bytes]) -> Path:
    """Write an artifact that needn't be in memory as a whole, as ``write_bytes`` does.

    What ``pieces`` raises is passed on, and nothing is left of the artifact. Returns the path; raises AdapterError.
    """
    pure = PurePosixPath(relative)
    if pure.is_absolute() or not pure.parts or ".." in pure.parts:
        raise AdapterError("an artifact's path is relative and stays in the task folder", where=relative)
    target = task_dir / pure
    try:
        handle, temporary = tempfile.mkstemp(prefix=".write-", dir=task_dir)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.writelines(pieces)
            _make_folder(target.parent, task_dir, relative)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise AdapterError(f"can't be written: {error.strerror}", where=str(target)) from error
    return target


def _make_folder(folder: Path, task_dir: Path, relative: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not folder.resolve().is_relative_to(task_dir.resolve()):
        raise AdapterError("the folder is a link that leads out of the task folder", where=relative)


def path_text(path: bytes | str | os.PathLike[str]) -> str:
    r"""A path as JSON text: bytes that aren't UTF-8 become ``\xNN``. The same bytes always give the same text."""
    raw = path if isinstance(path, bytes) else os.fsencode(path)
    return raw.decode("utf-8", "backslashreplace")


def clean_text(text: str | bytes, limit: int | None = None) -> str:
    """Text that is certain to be strict JSON: what isn't Unicode is escaped. ``limit`` bounds it in characters."""
    if text.isascii() and isinstance(text, str):
        clean = text
    elif isinstance(text, bytes):
        clean = text.decode("utf-8", "backslashreplace")
    else:
        clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
    if limit is not None and len(clean) > limit:
        return clean[: max(limit - 1, 0)] + "…"
    return clean
