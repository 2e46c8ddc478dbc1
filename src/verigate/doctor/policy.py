"""Report the ref that the policy is read from, where one is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verigate.doctor.finding import DoctorFinding, Level
from verigate.domain.policy_source import PolicySource

_SHORT = 12
_HINT = "whoever is judged can move it: name the remote's branch, and read the policy in CI from there"


def examine_policy(source: PolicySource | None, warnings: Sequence[str]) -> Iterable[DoctorFinding]:
    """Report the ref with its commit and who names it; nothing where the policy is that of what is verified."""
    if source is not None:
        message = f"policy is read from {source.name} ({source.commit[:_SHORT]}), named by {source.where}"
        yield DoctorFinding("policy", Level.INFO, message)
        yield from (DoctorFinding("policy", Level.WARN, warning, _HINT) for warning in warnings)
