"""Summarise what the repository's plan and configuration leave out: capabilities, test runners and linters."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.verdict import Verdict


def summarise_unchecked(verdict: Verdict) -> str:
    """Summarise what isn't checked, and why; empty if nothing is left out. Accepts an edited verdict."""
    account = verdict.policy.get("unchecked")
    words = [f"{name} ({reason})" for name, reason in account.items()] if isinstance(account, Mapping) else []
    return f"not checked: {'; '.join(words)}" if words else ""
