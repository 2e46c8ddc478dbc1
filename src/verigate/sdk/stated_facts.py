"""What the statements of a claim state of one artifact, for the adapter that writes it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any


def list_stated(claim: Mapping[str, Any], artifact: str, words: Collection[str]) -> Iterator[str]:
    """Yield what statements with one of ``words``, in lower case, state of ``artifact``: the names of its facts."""
    stated = read_body(claim).get("statements")
    items = stated if isinstance(stated, list) else ()
    texts = [text for item in items if isinstance(text := item["text"] if _has_text(item) else item, str)]
    chosen = [text for text in texts if any(word in text.lower() for word in words)]
    if not chosen:
        return
    from verigate.statements.reading import read_statement  # most claims say nothing of it

    for text in chosen:
        for fact in read_statement(text).facts:
            if fact.artifact == artifact:
                yield fact.what


def read_body(claim: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is claimed; empty in a document of another shape."""
    body = claim.get("claim", claim.get("claimed"))
    return body if isinstance(body, dict) else {}


def _has_text(item: Any) -> bool:
    return isinstance(item, dict) and "text" in item
