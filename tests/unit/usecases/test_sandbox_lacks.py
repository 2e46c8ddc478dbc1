from __future__ import annotations

from verigate.domain.execution import CapabilityRun, SandboxReport
from verigate.usecases.sandbox_lacks import list_sandbox_lacks

SIGNALS = "signals could be sent to processes outside"
SOCKETS = "sockets at a path outside could be reached"
NEXT = " (gate doctor says why, sandbox: require refuses it): "
LANDLOCK = f"sandboxed without bubblewrap, by Landlock alone{NEXT}"


def run(name: str, mechanism: str, *missing: str) -> CapabilityRun:
    report = SandboxReport(mechanism, network=False, read_only=False, missing=missing)
    return CapabilityRun(capability=name, required=True, sandbox=report)


def test_nothing_is_said_of_a_sandbox_that_holds_everything() -> None:
    assert list(list_sandbox_lacks([run("a:b", "bubblewrap"), run("a:c", "namespaces")])) == []


def test_each_lack_names_the_capabilities_and_what_confined_them() -> None:
    runs = [run("a:b", "landlock", "loopback", "sockets", "signals"), run("a:c", "landlock", "signals", "sockets")]
    assert list(list_sandbox_lacks([*runs, run("a:d", "process-group", "network")])) == [
        f"{LANDLOCK}there was no loopback either; for a:b",
        f"{LANDLOCK}{SIGNALS}; {SOCKETS}; for a:b, a:c",
        f"without a sandbox{NEXT}the network wasn't closed; for a:d",
    ]


def test_a_grant_that_this_machine_lacks_is_no_lack_of_the_sandbox() -> None:
    assert list(list_sandbox_lacks([run("a:b", "bubblewrap", "bind /x")])) == []
