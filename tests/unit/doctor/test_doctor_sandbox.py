"""What the doctor says of the sandbox, by what really holds here with bubblewrap and without."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from verigate.doctor.finding import Level
from verigate.doctor.sandbox import examine_sandbox
from verigate.domain.execution import SandboxReport
from verigate.domain.manifest import SandboxPolicy
from verigate.processes.sandbox import probe_landlock, probe_namespaces, quote_bubblewrap_error, report_sandbox

CLOSED = SandboxPolicy(network=False, read_only=True)


def namespaces() -> SandboxReport:
    return report_sandbox(probe_namespaces(sys.executable), CLOSED)


def landlock() -> SandboxReport:
    return report_sandbox(probe_landlock(sys.executable), CLOSED)


@pytest.mark.parametrize("probe", [namespaces, landlock, lambda: report_sandbox(None, CLOSED)])
def test_what_is_not_installed_is_not_said_to_work_badly(probe: Callable[[], SandboxReport]) -> None:
    (finding,) = examine_sandbox(probe, is_installed=False, is_root=False)
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
    (finding,) = examine_sandbox(probe, is_installed=True, is_root=False)
    assert "apt-get" not in finding.hint
    assert "isn't installed" not in finding.message


@pytest.mark.parametrize(
    ("probe", "level"), [(namespaces, Level.INFO), (lambda: report_sandbox(None, CLOSED), Level.WARN)]
)
def test_the_error_of_a_bubblewrap_that_fails_is_quoted(
    tmp_path: Path, probe: Callable[[], SandboxReport], level: Level
) -> None:
    fails = tmp_path / "bwrap"
    fails.write_text("#!/bin/sh\necho first >&2\nprintf 'bwrap: No permissions \\033[1m\\n' >&2\nexit 1\n")
    fails.chmod(0o755)
    (finding,) = examine_sandbox(
        probe, is_installed=True, is_root=False, quote=lambda: quote_bubblewrap_error(str(fails))
    )
    assert finding.level is level
    assert finding.message.endswith(r"; bubblewrap says: bwrap: No permissions \x1b[1m"), finding.message


def test_a_bubblewrap_that_cannot_start_is_quoted_and_one_that_works_is_not(tmp_path: Path) -> None:
    assert quote_bubblewrap_error(str(tmp_path / "bwrap")) == "No such file or directory"
    assert quote_bubblewrap_error("/bin/true") == ""


NO_MOUNT = "bwrap: Failed to make / slave: Invalid argument"
NO_RIGHT = "bwrap: No permissions to create a new namespace"


@pytest.mark.parametrize(
    ("printed", "is_root", "is_installed", "hint"),
    [
        (NO_MOUNT, True, True, "outside of the chroot: mount --rbind FOLDER FOLDER"),
        (NO_MOUNT, False, True, "outside of the chroot: mount --rbind FOLDER FOLDER"),
        (NO_RIGHT, True, True, "in a container, start it with the options in docs/other-systems.md"),
        (NO_RIGHT, False, True, "allow unprivileged user namespaces (sysctl"),
        ("", True, False, "apt-get install bubblewrap; in a container, start it"),
        ("", False, False, "apt-get install bubblewrap; allow unprivileged user namespaces"),
    ],
)
def test_the_hint_fits_the_cause_and_the_user(printed: str, *, is_root: bool, is_installed: bool, hint: str) -> None:
    (finding,) = examine_sandbox(
        lambda: report_sandbox(None, CLOSED), is_installed=is_installed, is_root=is_root, quote=lambda: printed
    )
    assert finding.hint.startswith(hint)
    assert ("sysctl" in finding.hint) is (not is_root and printed != NO_MOUNT)
    assert finding.message.endswith("/ is no mount point, as in a plain chroot") is (printed == NO_MOUNT)
