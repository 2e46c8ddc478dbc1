"""A profile: the active rules with their thresholds, flattened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from verigate.domain import policy_names

BASELINE_FILE = policy_names.BASELINE_FILE
"""The repository's file of findings that are suppressed until a date (``domain.baseline``)."""

APPROVALS_FILE = policy_names.APPROVALS_FILE
"""The repository's file of how approvals count: its id, keys, reviewers, what is revoked (``domain.approval``)."""

SIGNERS_FILE = policy_names.SIGNERS_FILE
"""The repository's file of the keys that approve and attest, an allowed signers file of ssh-keygen(1)."""

SANDBOX_FILE = policy_names.SANDBOX_FILE
CACHE_FILE = policy_names.CACHE_FILE
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
