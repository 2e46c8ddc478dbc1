"""Where a reference in a text leads: to a file of the subject, elsewhere, or nowhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from urllib.parse import unquote_to_bytes

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_elsewhere(reference: str) -> bool:
    """Whether ``reference`` is an absolute URL (RFC 3986), or one without its scheme (``//host/path``)."""
    return reference.startswith("//") or _SCHEME.match(reference) is not None


def candidates(reference: str, page: str, roots: Sequence[str] = ("",)) -> list[str]:
    """The paths of the subject that the relative ``reference`` in ``page`` may mean, the likeliest first.

    A reference is relative to its page. One that begins with "/" is relative to a root of the site; ``roots`` are
    folders of the subject, "" for its root. Query and fragment are left out; a path that leads out of the subject is
    none.
    """
    bare = re.split(r"[?#]", reference.strip(), maxsplit=1)[0]
    if not bare:
        return []
    path = unquote_to_bytes(bare).decode("utf-8", "surrogateescape")
    folders = [posixpath.dirname(page)]
    if path.startswith("/"):
        # No reference leads above a site's root (RFC 3986, 5.2.4).
        folders, path = [root.strip("/") for root in roots], posixpath.normpath(path).lstrip("/")
    joined = [posixpath.normpath(posixpath.join(folder, path)) for folder in folders]
    return [name for name in joined if name != ".." and not name.startswith(("../", "/"))]


def resolve(reference: str, page: str, known: frozenset[str], roots: Sequence[str] = ("",)) -> str | None:
    """The file of the subject that ``reference`` means; None where there is none."""
    return next((path for path in candidates(reference, page, roots) if path in known), None)
