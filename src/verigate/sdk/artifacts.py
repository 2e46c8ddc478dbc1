"""Write artifacts: deterministic JSON, atomic replacement, only inside the task folder."""

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

    Returns the path. Raises AdapterError, also for NaN, infinities and lone surrogates, which aren't strict JSON.
    """
    return write_bytes(task_dir, relative, json_bytes(value, relative) + b"\n")


def json_bytes(value: Any, relative: str) -> bytes:
    """Serialise ``value`` as ``write_json`` does, without the newline. Raises AdapterError that names ``relative``."""
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
    """Write an artifact piece by piece, without holding all of it in memory.

    An exception from ``pieces`` propagates and leaves no artifact. Returns the path; raises AdapterError.
    """
    pure = PurePosixPath(relative)
    if pure.is_absolute() or not pure.parts or ".." in pure.parts:
        raise AdapterError("an artifact's path must be relative and stay in the task folder", where=relative)
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
    r"""Convert a path to JSON text: bytes that aren't UTF-8 become ``\xNN``. Equal bytes give equal texts."""
    raw = path if isinstance(path, bytes) else os.fsencode(path)
    return raw.decode("utf-8", "backslashreplace")


def clean_text(text: str | bytes, limit: int | None = None) -> str:
    """Escape what isn't valid Unicode, so that the text is strict JSON. ``limit`` is in characters."""
    if text.isascii() and isinstance(text, str):
        clean = text
    elif isinstance(text, bytes):
        clean = text.decode("utf-8", "backslashreplace")
    else:
        clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
    if limit is not None and len(clean) > limit:
        return clean[: max(limit - 1, 0)] + "…"
    return clean
