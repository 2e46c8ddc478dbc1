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
_WITH = {LANDLOCK: "sandboxed without bubblewrap, by Landlock alone"}


def list_sandbox_lacks(runs: Iterable[CapabilityRun]) -> Iterator[str]:
    """List in which ways capabilities that ran were less limited than asked, or more: a warning for those alike."""
    lacking: dict[tuple[str, str], list[str]] = {}
    for run in runs:
        for lack in run.sandbox.missing if run.sandbox is not None else ():
            mechanism = run.sandbox.mechanism if run.sandbox is not None else ""
            lacking.setdefault((_WITH.get(mechanism, "without a sandbox"), lack), []).append(run.capability)
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (how, lack), capabilities in sorted(lacking.items()):
        if lack in _WORDS:
            alike.setdefault((how, tuple(capabilities)), []).append(_WORDS[lack])
    for (how, names), said in alike.items():
        named = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
        yield f"{how} (gate doctor says why, sandbox: require refuses it): {'; '.join(said)}; for {named}"
