"""Warn where the machine couldn't give what adapters' manifests ask of their sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verigate.domain.execution import LANDLOCK, CapabilityRun

_SHOWN = 5
_WORDS = {
    "network": "the network wasn't closed",
    "filesystem": "files outside of the subject weren't hidden",
    "read-only": "the subject could be written",
    "pid-namespace": "other processes could be seen",
    "file-attributes": "modes, owners and times of files outside could be changed",
    "sockets": "sockets at a path outside could be reached",
    "signals": "signals could be sent to processes outside",
    "loopback": "there was no loopback either",
    "system-calls": "system calls weren't filtered",
}
_WITH = {LANDLOCK: "with Landlock alone"}


def list_sandbox_lacks(runs: Iterable[CapabilityRun]) -> Iterator[str]:
    """List a warning for each way in which capabilities that ran were less limited than asked, or more."""
    lacking: dict[tuple[str, str], list[str]] = {}
    for run in runs:
        for lack in run.sandbox.missing if run.sandbox is not None else ():
            mechanism = run.sandbox.mechanism if run.sandbox is not None else ""
            lacking.setdefault((_WITH.get(mechanism, "without a sandbox"), lack), []).append(run.capability)
    for (how, lack), capabilities in sorted(lacking.items()):
        if lack in _WORDS:
            named = ", ".join(capabilities[:_SHOWN])
            named += f" and {len(capabilities) - _SHOWN} more" if len(capabilities) > _SHOWN else ""
            yield f"{how} {_WORDS[lack]} for {named}: see gate doctor; sandbox: require refuses this"
