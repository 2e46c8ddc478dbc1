"""Sort the entries of an artifact whose order carries no meaning, so that it is the same however its writer sorts."""

from __future__ import annotations

import json

from verigate.domain.standard_artifacts import BY_PATH
from verigate.formats.strict_json import StrictJsonError, loads

_UNORDERED = frozenset({"verigate:urlset.v1"})
_MOST_BYTES = 64 * 1024 * 1024


def sort_artifact(path: str, content: bytes) -> bytes:
    """Return ``content``, sorted if the artifact at this standard path is a list of texts without an order."""
    if path not in BY_PATH or BY_PATH[path].media_spec not in _UNORDERED:
        return content
    try:
        value = loads(content, max_bytes=_MOST_BYTES)
    except StrictJsonError:
        return content  # which says so when it is validated
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value) or value == sorted(value):
        return content
    return json.dumps(sorted(value), ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")
