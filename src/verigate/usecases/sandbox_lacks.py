"""Warn where the machine couldn't give what adapters' manifests ask of their sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verigate.domain.execution import BUBBLEWRAP, LANDLOCK, NAMESPACES, CapabilityRun

_SHOWN = 5
_WORDS = {
    "network": "the network",
    "filesystem": "files outside of the subject",
    "read-only": "writing the subject",
    "pid-namespace": "other processes",
    "file-attributes": "modes and times of files outside",
    "sockets": "sockets at paths",
    "signals": "signals",
    "system-calls": "system calls",
}
_LOOPBACK = "loopback"
_WITH = {
    BUBBLEWRAP: "sandboxed by bubblewrap",
    NAMESPACES: "sandboxed by user namespaces",
    LANDLOCK: "sandboxed by Landlock alone",
}


def list_sandbox_lacks(runs: Iterable[CapabilityRun]) -> Iterator[str]:
    """List in which ways capabilities that ran were less limited than asked, or more: a warning for those alike.

    It is short, since it comes with each verdict of such a machine. Capabilities are named unless all are alike.
    """
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    every = 0
    for run in runs:
        if run.sandbox is not None:
            every += 1
            lacks = tuple(sorted({*_WORDS, _LOOPBACK}.intersection(run.sandbox.missing)))
            if lacks:
                how = _WITH.get(run.sandbox.mechanism, "without a sandbox")
                alike.setdefault((how, lacks), []).append(run.capability)
    for (how, lacks), names in sorted(alike.items()):
        named = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
        where = "" if len(names) == every else f", for {named}"
        lacking = [_WORDS[lack] for lack in lacks if lack in _WORDS]
        said = [f"not closed: {', '.join(lacking)}"] if lacking else []
        said += ["no loopback"] if _LOOPBACK in lacks else []
        hint = "gate doctor says what to install or allow; sandbox: require refuses it"
        yield f"{how}{where} ({hint}): {'; '.join(said)}"
