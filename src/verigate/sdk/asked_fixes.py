"""What a commitment and a claim say is fixed: the tests that they name, and whether they say so at all.

Both are written by who is judged: names are compared with those of tests, and go into no command line as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.sdk.stated_facts import list_stated, read_body

MOST_NAMES = 100
MOST_CHARACTERS = 500
"""Names beyond these limits are left out, so that nothing supports them."""

_PREFIX = "fix:"
_ARTIFACT = "counterfactual.json"
_WORDS = ("fix", "regress")
_ABOUT_FIXES = frozenset({"fixes", "regression_tests"})


class AskedFixes(Struct, frozen=True):
    """``names`` are tests that must prove a fix, as they are written; ``some``: any test that proves one counts."""

    names: tuple[str, ...] = ()
    some: bool = False


def read_asked_fixes(commitment: Mapping[str, Any], claim: Mapping[str, Any]) -> AskedFixes:
    """Read the documents of an adapter's request. What has another shape than the schema's says nothing."""
    stated = list(list_stated(claim, _ARTIFACT, _WORDS))
    names = [*_read_commitment(commitment), *_read_units(claim)]
    names += [name.removeprefix(_PREFIX) for name in stated if name.startswith(_PREFIX)]
    chosen = dict.fromkeys(name for name in map(str.strip, names) if 0 < len(name) <= MOST_CHARACTERS)
    return AskedFixes(tuple(chosen)[:MOST_NAMES], any(name in _ABOUT_FIXES for name in stated))


def _read_commitment(commitment: Mapping[str, Any]) -> Iterator[str]:
    promised = _object(commitment.get("commitments"))
    for holder in (_object(commitment.get("requirements")), _object(promised.get("scope"))):
        yield from (name.strip().removeprefix(_PREFIX) for name in _texts(holder.get("fixes")))


def _read_units(claim: Mapping[str, Any]) -> Iterator[str]:
    for text in _texts(read_body(claim).get("units_list")):
        kind, colon, key = text.strip().partition(":")
        if colon and f"{kind.lower()}:" == _PREFIX:
            yield key


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> Sequence[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
