"""kill -9 of the gate leaves no process behind, with bubblewrap and without it, at whatever moment."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes_alive import gone

SUPPORT = Path(__file__).resolve().parents[1] / "support"
ADAPTERS = Path(__file__).resolve().parents[1] / "adapters"

GATE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from fake_workspace import Bench, plan
from verigate.domain.manifest import Capability, SandboxPolicy
from verigate.execution.runner import run_plan
from verigate.errors import Interrupted

_, _, adapter, folder, mode, marker = sys.argv
bench = Bench(Path(folder))
names = ("x:a", "x:b")
policy = SandboxPolicy(tools=("python3",))
manifest = bench.manifest(
    Path(adapter), *(Capability(name, needs=(), flags={"env": ["MARKER"]}) for name in names), policy=policy
)
context = bench.context(mode, environ={"PATH": "/usr/bin:/bin", "MARKER": marker}, jobs=2)
print("ready", flush=True)
try:
    run_plan(plan(*((manifest, name) for name in names)), bench.workspace, bench.staging, context, bench.listener)
except Interrupted:
    sys.exit(130)
"""


@pytest.fixture(params=["require", "off"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def gate(folder: Path, adapter: str, mode: str, marker: str) -> subprocess.Popen[bytes]:
    folder.mkdir()
    argv = [sys.executable, "-c", GATE, str(SUPPORT), str(ADAPTERS / adapter), str(folder), mode, marker]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def end(process: subprocess.Popen[bytes], number: int) -> int:
    process.send_signal(number)
    code = process.wait(30)
    if process.stdout:
        process.stdout.close()
    return code


@pytest.mark.parametrize("adapter", ["daemon", "stubborn"])
def test_kill_at_any_moment(tmp_path: Path, mode: str, adapter: str) -> None:
    moments = random.Random(adapter + mode)  # noqa: S311 (moments, not secrets)
    for attempt in range(12):
        marker = f"killed-hang-{adapter}-{mode}-{attempt}-{time.monotonic_ns()}"
        process = gate(tmp_path / str(attempt), adapter, mode, marker)
        # The first half falls into the start of the containments, the second into the adapters' own time.
        time.sleep(moments.uniform(0, 0.08) if attempt < 6 else moments.uniform(0.2, 0.8))
        end(process, signal.SIGKILL)
        assert gone(marker, 10), (attempt, marker)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_signal_ends_the_run_with_130(tmp_path: Path, mode: str, number: signal.Signals) -> None:
    marker = f"stopped-hang-{mode}-{number}-{time.monotonic_ns()}"
    process = gate(tmp_path / "run", "stubborn", mode, marker)
    time.sleep(0.6)
    assert end(process, number) == 130
    assert gone(marker, 0)
