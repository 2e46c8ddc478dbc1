"""Where in the repository something is, as the formats write it."""

from __future__ import annotations

from typing import Any

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_LONGEST = 4096
"""Bytes of a path (Linux PATH_MAX)."""


def repository_path(path: Any) -> str | None:
    """``path`` if it names a file below the repository's root, without a leading ``./``; else None.

    Whoever wrote an artifact chose the path; one that leads out must not become a link to somewhere else.
    """
    if not isinstance(path, str):
        return None
    cleaned = path.removeprefix("./")
    if not cleaned or len(cleaned) > _LONGEST or cleaned.startswith("/") or "\0" in cleaned:
        return None
    return None if {"..", ""} & set(cleaned.split("/")) else cleaned


def parse_line_number(value: Any) -> int | None:
    """``value`` if it counts lines or columns from 1."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else None


def relative_uri(path: str) -> str:
    """A relative path as a URI reference (RFC 3986): every byte but the unreserved and ``/`` percent-encoded.

    That includes ``:``, so that no first segment can be read as a scheme. Bytes of a file name that aren't UTF-8,
    which Python holds as lone surrogates, become themselves again.
    """
    try:
        content = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        content = path.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in content)


def replace_surrogates(path: str) -> str:
    """``path`` as text that UTF-8 can hold: lone surrogates are replaced."""
    return path.encode("utf-8", "replace").decode("utf-8")
