"""What a commitment and a claim say is fixed: the tests that they name, and whether they say so at all.

Both are written by who is judged: names are compared with those of tests, and go into no command line as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

MOST_NAMES = 100
MOST_CHARACTERS = 500
"""Names beyond these limits are left out, so that nothing supports them."""

_PREFIX = "fix:"
_ARTIFACT = "counterfactual.json"
_ABOUT_FIXES = frozenset({"fixes", "regression_tests"})


class AskedFixes(Struct, frozen=True):
    """``names`` are tests that must prove a fix, as they are written; ``some``: any test that proves one counts."""

    names: tuple[str, ...] = ()
    some: bool = False


def read_asked_fixes(commitment: Mapping[str, Any], claim: Mapping[str, Any]) -> AskedFixes:
    """Read the documents of an adapter's request. What has another shape than the schema's says nothing."""
    stated = list(_read_statements(claim))
    names = [*_read_commitment(commitment), *_read_units(claim)]
    names += [name.removeprefix(_PREFIX) for name in stated if name.startswith(_PREFIX)]
    chosen = dict.fromkeys(name for name in map(str.strip, names) if 0 < len(name) <= MOST_CHARACTERS)
    return AskedFixes(tuple(chosen)[:MOST_NAMES], any(name in _ABOUT_FIXES for name in stated))


def _read_commitment(commitment: Mapping[str, Any]) -> Iterator[str]:
    promised = _object(commitment.get("commitments"))
    for holder in (_object(commitment.get("requirements")), _object(promised.get("scope"))):
        yield from (name.strip().removeprefix(_PREFIX) for name in _texts(holder.get("fixes")))


def _read_units(claim: Mapping[str, Any]) -> Iterator[str]:
    for text in _texts(_body(claim).get("units_list")):
        kind, colon, key = text.strip().partition(":")
        if colon and f"{kind.lower()}:" == _PREFIX:
            yield key


def _read_statements(claim: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the statements of a claim state of fixes."""
    stated = _body(claim).get("statements")
    items = stated if isinstance(stated, list) else ()
    texts = [text for item in items if isinstance(text := item["text"] if _has_text(item) else item, str)]
    chosen = [text for text in texts if "fix" in text.lower() or "regress" in text.lower()]
    if not chosen:
        return
    from verigate.statements.reading import read_statement  # most claims say nothing about fixes

    for text in chosen:
        for fact in read_statement(text).facts:
            if fact.artifact == _ARTIFACT:
                yield fact.what


def _has_text(item: Any) -> bool:
    return isinstance(item, dict) and "text" in item


def _body(claim: Mapping[str, Any]) -> Mapping[str, Any]:
    return _object(claim.get("claim", claim.get("claimed")))


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> Sequence[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
