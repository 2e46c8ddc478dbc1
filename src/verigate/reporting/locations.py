"""Paths and line numbers from artifacts, checked and encoded for the report formats."""

from __future__ import annotations

from typing import Any

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_LONGEST = 4096
"""Bytes of a path (Linux PATH_MAX)."""


def repository_path(path: Any) -> str | None:
    """Return ``path`` without a leading ``./`` if it is inside the repository, else None.

    The path is untrusted: one that leads out of the repository must not become a link.
    """
    if not isinstance(path, str):
        return None
    cleaned = path.removeprefix("./")
    if not cleaned or len(cleaned) > _LONGEST or cleaned.startswith("/") or "\0" in cleaned:
        return None
    return None if {"..", ""} & set(cleaned.split("/")) else cleaned


def parse_line_number(value: Any) -> int | None:
    """Return ``value`` if it is a line or column number, counted from 1, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else None


def relative_uri(path: str) -> str:
    """Convert a relative path to a URI reference (RFC 3986): percent-encodes all but unreserved bytes and ``/``.

    That includes ``:``, so that no first segment reads as a scheme. Bytes of a file name that aren't UTF-8 (lone
    surrogates in Python) are encoded as the original bytes.
    """
    try:
        content = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        content = path.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in content)


def replace_surrogates(path: str) -> str:
    """Replace lone surrogates in ``path``, so that it can be encoded as UTF-8."""
    return path.encode("utf-8", "replace").decode("utf-8")
