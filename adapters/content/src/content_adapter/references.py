"""Resolve references in texts to files of the subject."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from urllib.parse import unquote_to_bytes

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_elsewhere(reference: str) -> bool:
    """Whether ``reference`` is an absolute URL (RFC 3986) or lacks only the scheme (``//host/path``)."""
    return reference.startswith("//") or _SCHEME.match(reference) is not None


def list_candidates(reference: str, page: str, roots: Sequence[str] = ("",)) -> list[str]:
    """List the paths of the subject that the relative ``reference`` in ``page`` may mean, most likely first.

    A reference is relative to its page; one that begins with "/" to a root of the site. ``roots`` are folders of the
    subject, "" for its root. Query and fragment are dropped, and so are paths outside the subject.
    """
    bare = re.split(r"[?#]", reference.strip(), maxsplit=1)[0]
    if not bare:
        return []
    path = unquote_to_bytes(bare).decode("utf-8", "surrogateescape")
    folders = [posixpath.dirname(page)]
    if path.startswith("/"):
        # A reference can't go above a site's root (RFC 3986, 5.2.4).
        folders, path = [root.strip("/") for root in roots], posixpath.normpath(path).lstrip("/")
    joined = [posixpath.normpath(posixpath.join(folder, path)) for folder in folders]
    return [name for name in joined if name != ".." and not name.startswith(("../", "/"))]


def resolve(reference: str, page: str, known: frozenset[str], roots: Sequence[str] = ("",)) -> str | None:
    """Return the file of the subject that ``reference`` means, or None."""
    return next((path for path in list_candidates(reference, page, roots) if path in known), None)
