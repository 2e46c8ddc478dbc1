"""Summarise what the repository's configuration opened in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.verdict import Verdict

_SHOWN = 12


def summarise_grants(verdict: Verdict) -> str:
    """Summarise the grants in force in one line; empty if nothing was opened."""
    account = verdict.policy.get("sandbox")
    granted = account.get("granted") if isinstance(account, Mapping) else None
    words = list(_describe(granted)) if isinstance(granted, list) else []
    more = f"; and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return f"sandbox opened: {'; '.join(words[:_SHOWN])}{more}" if words else ""


def _describe(granted: list[Any]) -> Iterator[str]:
    """Describe each grant; accepts anything, because a verdict may have been edited."""
    for grant in granted:
        if isinstance(grant, Mapping):
            mode = f" {grant['mode']}" if "mode" in grant else ""
            yield f"{grant.get('adapter')} {grant.get('kind')} {grant.get('what')}{mode} ({grant.get('reason')})"
