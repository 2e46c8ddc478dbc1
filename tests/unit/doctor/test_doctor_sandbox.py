"""What the doctor says of the sandbox, by what really holds here with bubblewrap and without."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from verigate.doctor.finding import Level
from verigate.doctor.sandbox import examine_sandbox
from verigate.domain.execution import SandboxReport
from verigate.domain.manifest import SandboxPolicy
from verigate.processes.sandbox import probe_landlock, probe_namespaces, report_sandbox

CLOSED = SandboxPolicy(network=False, read_only=True)


def namespaces() -> SandboxReport:
    return report_sandbox(probe_namespaces(sys.executable), CLOSED)


def landlock() -> SandboxReport:
    return report_sandbox(probe_landlock(sys.executable), CLOSED)


@pytest.mark.parametrize("probe", [namespaces, landlock, lambda: report_sandbox(None, CLOSED)])
def test_what_is_not_installed_is_not_said_to_work_badly(probe: Callable[[], SandboxReport]) -> None:
    (finding,) = examine_sandbox(probe, is_installed=False)
    assert "apt-get install bubblewrap" in finding.hint
    assert "bubblewrap doesn't work" not in finding.message
    if probe().mechanism == "namespaces":
        assert finding.message.startswith("bubblewrap isn't installed, user namespaces work")
        assert finding.level is (Level.WARN if probe().missing else Level.INFO)
    else:
        assert "bubblewrap isn't installed" in finding.message
        assert finding.level is Level.WARN


@pytest.mark.parametrize("probe", [namespaces, landlock])
def test_what_is_installed_and_fails_needs_no_installation(probe: Callable[[], SandboxReport]) -> None:
    (finding,) = examine_sandbox(probe, is_installed=True)
    assert "apt-get" not in finding.hint
    assert "isn't installed" not in finding.message
