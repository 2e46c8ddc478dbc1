from __future__ import annotations

from verigate.domain.execution import CapabilityRun, SandboxReport
from verigate.usecases.sandbox_lacks import list_sandbox_lacks

NEXT = " (gate doctor says what to install or allow; sandbox: require refuses it): "


def run(name: str, mechanism: str, *missing: str) -> CapabilityRun:
    report = SandboxReport(mechanism, network=False, read_only=False, missing=missing)
    return CapabilityRun(capability=name, required=True, sandbox=report)


def test_nothing_is_said_of_a_sandbox_that_holds_everything() -> None:
    assert list(list_sandbox_lacks([run("a:b", "bubblewrap"), run("a:c", "namespaces")])) == []


def test_each_lack_names_the_capabilities_and_what_confined_them() -> None:
    runs = [run("a:b", "landlock", "loopback", "sockets", "signals"), run("a:c", "landlock", "signals", "sockets")]
    assert list(list_sandbox_lacks([*runs, run("a:d", "process-group", "network"), run("a:e", "namespaces")])) == [
        f"sandboxed by Landlock alone, for a:b{NEXT}not closed: signals, sockets at paths; no loopback",
        f"sandboxed by Landlock alone, for a:c{NEXT}not closed: signals, sockets at paths",
        f"without a sandbox, for a:d{NEXT}not closed: the network",
    ]


def test_capabilities_are_not_named_where_all_lack_the_same() -> None:
    runs = [run(name, "landlock", "signals") for name in ("a:b", "a:c")]
    assert list(list_sandbox_lacks(runs)) == [f"sandboxed by Landlock alone{NEXT}not closed: signals"]


def test_a_grant_that_this_machine_lacks_is_no_lack_of_the_sandbox() -> None:
    assert list(list_sandbox_lacks([run("a:b", "bubblewrap", "bind /x")])) == []
