"""Summarise which ref the policy was read from, and what the change's own policy would have decided."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.verdict import Verdict

_SHORT = 12


def name_policy_ref(verdict: Verdict) -> str | None:
    """Return ``name (commit)`` of the ref, None where the policy is the subject's own. Accepts an edited verdict."""
    ref = verdict.policy.get("ref")
    return f"{ref.get('name')} ({str(ref.get('commit'))[:_SHORT]})" if isinstance(ref, Mapping) else None


def summarise_source(verdict: Verdict) -> str:
    """Summarise the ref, and who named it, in one sentence; empty where there is none."""
    ref, named = verdict.policy.get("ref"), name_policy_ref(verdict)
    if not isinstance(ref, Mapping):
        return ""
    known = f", {ref['known']}" if ref.get("known") else ""
    return f"policy of {named}, named by {ref.get('by')}{known}"


def summarise_base(verdict: Verdict) -> str:
    """Say what the subject is compared with, and how that is known; empty where the verdict doesn't say it."""
    base, known = verdict.subject.get("base"), verdict.subject.get("base_by")
    return f"compared with {str(base)[:_SHORT]}: {known}" if base and known else ""


def summarise_tried(verdict: Verdict) -> str:
    """Summarise what the change's own policy would have decided in one sentence; empty where it wasn't tried."""
    tried = verdict.policy.get("tried")
    if not isinstance(tried, Mapping):
        return ""
    return f"the change's own policy, tried as well: {_describe(tried)}; it decides nothing"


def _describe(tried: Mapping[str, object]) -> str:
    status = tried.get("status")
    if status is None:
        return f"no verdict ({tried.get('problem')})"
    reasons = tried.get("reasons")
    listed = [item for item in reasons if isinstance(item, Mapping)] if isinstance(reasons, list) else []
    words = ", ".join(f"{item.get('code')} of {item.get('check')}" for item in listed)
    return f"{status} ({words})" if words else str(status)
