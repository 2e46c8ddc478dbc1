"""The id of a weakening: what a disclosure names, and what becomes void once the weakened thing changes again.

An id covers what was weakened (kind, path, test) and both forms of it. A form is the text of the smallest named unit
around the finding: the function of a test, else the key or line of a setting, else the file. It holds no line numbers,
so the id is the same after a rebase.
"""

from __future__ import annotations

import hashlib
import json

__all__ = ["ID_DIGITS", "digest_form", "make_weakening_id"]

ID_DIGITS = 12
"""Hex digits of an id."""


def digest_form(text: str | None) -> str | None:
    """Compute the digest of a form, 64 hex digits; None if there is none.

    Line endings and white space around the text don't count: git and editors change them.
    """
    if text is None:
        return None
    return _sha256(text.replace("\r\n", "\n").replace("\r", "\n").strip())


def make_weakening_id(kind: str, path: str, test: str | None, base_form: str | None, head_form: str | None) -> str:
    """Make the id of a weakening, 12 hex digits.

    ``test`` is the name of the test, None if it is about none. ``base_form`` and ``head_form`` are digests by
    ``digest_form``, None where base or head doesn't have it.
    """
    parts = [kind, path, test, base_form, head_form]
    return _sha256(json.dumps(parts, ensure_ascii=True, separators=(",", ":")))[:ID_DIGITS]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
