"""Warn where the machine couldn't give what adapters' manifests ask of their sandbox: nothing was limited there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verigate.domain.execution import CapabilityRun

_SHOWN = 5
_WORDS = {
    "network": "the network wasn't closed",
    "filesystem": "files outside of the subject weren't hidden",
    "read-only": "the subject could be written",
    "pid-namespace": "other processes could be seen",
}


def list_sandbox_lacks(runs: Iterable[CapabilityRun]) -> Iterator[str]:
    """List a warning for each way in which capabilities that ran were less limited than asked."""
    lacking: dict[str, list[str]] = {}
    for run in runs:
        for lack in run.sandbox.missing if run.sandbox is not None else ():
            lacking.setdefault(lack, []).append(run.capability)
    for lack, capabilities in sorted(lacking.items()):
        if lack in _WORDS:
            named = ", ".join(capabilities[:5]) + (
                f" and {len(capabilities) - 5} more" if len(capabilities) > 5 else ""
            )
            yield f"without a sandbox {_WORDS[lack]} for {named}: see gate doctor; sandbox: require refuses this"
