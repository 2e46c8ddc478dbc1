"""A profile: the active rules with their thresholds, flattened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

BASELINE_FILE = "config/verigate-baseline.json"
"""The repository's file of findings that are suppressed until a date (``domain.baseline``)."""

APPROVALS_FILE = "config/approvals.json"
"""The repository's file of how approvals count: its id, keys, reviewers, what is revoked (``domain.approval``)."""

SIGNERS_FILE = "config/allowed-signers"
"""The repository's file of the keys that approve and attest, an allowed signers file of ssh-keygen(1)."""

SANDBOX_FILE = "config/sandbox.json"
CACHE_FILE = "config/cache.json"
"""The repository's file of what the sandboxes of its adapters open (``domain.grants``)."""


class Profile(Struct, frozen=True):
    """``rules`` maps rule keys to thresholds with ``extends`` resolved and the commitment's quality merged in.

    ``digest`` is the sha256 of the RFC 8785 form of ``rules``; ``source`` the file it came from. ``named``: the caller
    chose it in place of the task's own.
    """

    name: str
    rules: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""
    source: str = ""
    description: str = ""
    named: bool = False
