"""A profile: the active rules with their thresholds, flattened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

BASELINE_FILE = "config/verigate-baseline.json"
"""The repository's file of findings that are suppressed until a date (``domain.baseline``)."""

SANDBOX_FILE = "config/sandbox.json"
"""The repository's file of what the sandboxes of its adapters open (``domain.grants``)."""


class Profile(Struct, frozen=True):
    """``rules`` maps rule keys to thresholds with ``extends`` resolved and the commitment's quality merged in.

    ``digest`` is the sha256 of the RFC 8785 form of ``rules``; ``source`` the file it came from.
    """

    name: str
    rules: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""
    source: str = ""
    description: str = ""
