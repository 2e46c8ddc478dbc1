"""Real hogs of memory, in Python and Node: what is used is limited, not what is reserved, and the limit is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_workspace import Bench, plan

from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import SandboxPolicy
from verigate.execution import run_setting
from verigate.execution.runner import run_plan
from verigate.processes.control_groups import MEMORY, ControlGroup, Limits, find_parents

PARENTS = find_parents()
KINDS = ["group", "process"] if MEMORY in PARENTS else ["process"]
HOGS = {
    "python": "python3 -I -c 'x = []\nwhile True: x.append(bytearray(1 << 24))'",
    "node": "node -e 'const x = []; for (;;) x.push(Buffer.alloc(1 << 24, 1))'",
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What limits: a control group, or RLIMIT_DATA as on machines where groups aren't delegated."""
    if request.param == "process":
        monkeypatch.setattr(run_setting, "find_parents", dict)
    return str(request.param)


@pytest.fixture(params=["require", "off"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def go(folder: Path, mode: str, script: str, memory_mb: int) -> CapabilityRun:
    bench = Bench(folder)
    policy = SandboxPolicy(tools=("python3", "node"), memory_mb=memory_mb, timeout_s=60)
    adapter = bench.manifest(f'{script} && echo ok > "$3/ok.txt"', "x:y", policy=policy)
    context = bench.context(mode, environ={"PATH": "/usr/bin:/bin"})
    [run] = run_plan(plan((adapter, "x:y")), bench.workspace, bench.staging, context, bench.listener)
    return run


@pytest.mark.parametrize("hog", sorted(HOGS))
def test_a_hog_is_ended_at_its_limit(tmp_path: Path, kind: str, mode: str, hog: str) -> None:
    failure = go(tmp_path, mode, HOGS[hog], 400).failure
    assert failure is not None
    assert failure.reason == "ADAPTER_CRASH"
    assert "it may use 400 MiB (memory_mb)" in failure.message


def test_node_starts_with_little(tmp_path: Path, kind: str, mode: str) -> None:
    assert go(tmp_path, mode, "node -e 'console.log(1)'", 400).failure is None


def test_the_processes_of_a_call_are_counted_together(tmp_path: Path, kind: str, mode: str) -> None:
    hog = "python3 -I -c 'x = bytearray(100 << 20); import time; time.sleep(1)'"
    script = f'pids=; for each in 1 2 3 4 5 6; do {hog} & pids="$pids $!"; done; '
    script += 'for each in $pids; do wait "$each" || exit 1; done; true'
    failure = go(tmp_path, mode, script, 400).failure
    assert (failure is not None) is (kind == "group")
    if failure is not None:
        assert "it may use 400 MiB (memory_mb)" in failure.message


def test_nothing_is_left_of_the_groups(tmp_path: Path) -> None:
    go(tmp_path, "require", "true", 400)
    ours = f"verigate-{os.getpid()}-"
    assert not [name for parent in PARENTS.values() for name in os.listdir(parent.folder) if name.startswith(ours)]  # noqa: PTH208


def test_the_group_of_a_gate_that_was_killed_is_removed_by_the_next() -> None:
    script = (
        "import os; from verigate.processes.control_groups import *; "
        "ControlGroup(Limits(find_parents(), 1 << 28)); os.kill(os.getpid(), 9)"
    )
    process = subprocess.Popen([sys.executable, "-c", script])
    process.wait()
    left = [path for parent in PARENTS.values() for path in Path(parent.folder).glob(f"verigate-{process.pid}-*")]
    assert len(left) == len({parent.folder for parent in PARENTS.values()})
    ControlGroup(Limits(PARENTS, 1 << 28)).close()
    assert not any(map(os.path.isdir, left))
