"""Spec IDs and cap URNs, as the gate resolves and writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.media import MediaSpec, MediaSpecError, is_binary
from verigate.domain.media import resolve as resolve_in
from verigate.domain.urn.cap import from_tags
from verigate.domain.urn.tagged import UrnError

__all__ = ["MediaSpec", "MediaSpecError", "UrnError", "build_urn", "is_binary", "resolve"]


def resolve(spec_id: str, media_specs: Mapping[str, Any] | None = None) -> MediaSpec:
    """Resolve a spec ID in the table ``media_specs`` of a manifest, then among the built-in ones.

    Raises MediaSpecError for an unknown or invalid ID; the message names the nearest ones.
    """
    return resolve_in(spec_id, media_specs or {})


def build_urn(tags: Mapping[str, str]) -> str:
    """Build the canonical text of a cap URN from its tags: key -> value, ``*`` for any value.

    Values are quoted where they need it. Raises UrnError for a key or value that can't be written, and for an ``in`` or
    ``out`` that is no spec ID.
    """
    return str(from_tags(dict(tags)))
