"""Hostile executables of ``tests/adapters`` through the runner, with bubblewrap and without it."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from escape_bench import find_sandbox
from fake_workspace import Bench, plan
from processes_alive import gone, with_marker

from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Capability, SandboxPolicy
from verigate.domain.plan import Plan
from verigate.execution.runner import run_plan

ADAPTERS = Path(__file__).resolve().parents[1] / "adapters"
ENV = {"env": ["MARKER", "TARGET"]}


@pytest.fixture(params=["require", "off", "namespaces", "landlock"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def home() -> Iterator[Path]:
    """A caller's home with secrets, outside the folders that a sandbox hides anyway."""
    folder = Path(tempfile.mkdtemp(prefix=".verigate-test-home-", dir=Path.home()))
    (folder / ".ssh").mkdir()
    (folder / ".ssh" / "id").write_text("private key")
    (folder / ".netrc").write_text("machine example.org password token")
    yield folder
    shutil.rmtree(folder)


def go(
    bench: Bench, name: str, mode: str, policy: SandboxPolicy | None = None, environ: dict[str, str] | None = None
) -> CapabilityRun:
    capability = Capability("x:y", flags=ENV)
    adapter = bench.manifest(ADAPTERS / name, capability, policy=policy)
    [record] = run(bench, plan((adapter, "x:y")), mode, environ={"PATH": "/usr/bin:/bin", **(environ or {})})
    return record


def run(bench: Bench, planned: Plan, mode: str, **fields: Any) -> tuple[CapabilityRun, ...]:
    """Run a plan under a policy, or in the sandbox of a mechanism that isn't the best one here."""
    if mode in {"require", "off"}:
        context, probed = bench.context(mode, **fields), None
    else:
        context, probed = bench.context("prefer", **fields), partial(find_sandbox, mode)
    return run_plan(planned, bench.workspace, bench.staging, context, bench.listener, probed=probed)


def reason(record: CapabilityRun) -> str | None:
    return record.failure.reason if record.failure else None


def marker(mode: str, what: str) -> str:
    return f"{what}-{mode}-{time.monotonic_ns()}"


def test_a_daemon_does_not_outlive_its_capability(bench: Bench, mode: str) -> None:
    policy = SandboxPolicy(tools=("python3",))
    mark = marker(mode, "daemon")
    record = go(bench, "daemon", mode, policy, {"MARKER": mark})
    assert not with_marker(mark)
    assert reason(record) is None
    assert record.outcome is not None
    assert record.outcome.leftover_processes >= 1


def test_a_daemon_does_not_outlive_a_timeout(bench: Bench, mode: str) -> None:
    policy = SandboxPolicy(tools=("python3",), timeout_s=1.5)
    mark = marker(mode, "daemon-hang")
    record = go(bench, "daemon", mode, policy, {"MARKER": mark})
    assert not with_marker(mark)
    assert reason(record) == "ADAPTER_TIMEOUT"
    assert record.artifacts == ()


def test_a_gigabyte_on_stderr_needs_neither_memory_nor_disk(bench: Bench, mode: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    record = go(bench, "flood", mode)
    assert reason(record) is None
    assert record.outcome is not None
    assert record.outcome.stderr_bytes > 1 << 30
    assert len(bench.log("x:y")) < 1_100_000
    assert bench.log("x:y").endswith(b"the last words\n")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_who_ignores_every_signal_is_killed(bench: Bench, mode: str) -> None:
    mark = marker(mode, "stubborn")
    record = go(bench, "stubborn", mode, SandboxPolicy(timeout_s=0.5), {"MARKER": mark})
    assert reason(record) == "ADAPTER_TIMEOUT"
    assert record.failure is not None
    assert "won't go" in record.failure.message
    assert record.outcome is not None
    assert record.outcome.duration_s < 6
    assert not with_marker(mark)


def test_who_cleans_up_gets_the_time_for_it(bench: Bench, mode: str) -> None:
    record = go(bench, "polite", mode, SandboxPolicy(timeout_s=3 if mode == "landlock" else 0.5))
    assert reason(record) == "ADAPTER_TIMEOUT"
    assert record.outcome is not None
    assert record.outcome.exit_code == 7
    assert bench.log("x:y").endswith(b"cleaned up\n")
    assert record.artifacts == ()


def test_half_an_artifact_is_none(bench: Bench, mode: str) -> None:
    record = go(bench, "dies_half_way", mode)
    assert reason(record) == "ADAPTER_CRASH"
    assert record.failure is not None
    assert record.failure.message == "it was killed by SIGKILL (9); stderr: about to \\x1b[31mdie\\x1b[0m"
    assert record.artifacts == ()


def test_who_kills_its_parent_wins_nothing(bench: Bench, mode: str) -> None:
    mark = marker(mode, "patricide")
    record = go(bench, "patricide", mode, SandboxPolicy(tools=("setsid",)), {"MARKER": mark})
    # Landlock doesn't let it send the signal, and process 1 of a namespace isn't ended by those in it.
    assert reason(record) == ("ADAPTER_CRASH" if mode == "off" else "ARTIFACT_MISSING")
    assert gone(mark)


def test_the_sandbox_keeps_what_it_promises(bench: Bench, home: Path) -> None:
    environ = {"TARGET": str(home), "HOME": str(home)}
    record = go(bench, "burglar", "require", SandboxPolicy(tools=("grep",)), environ)
    assert reason(record) is None
    answers = dict(reversed(line.split(" ", 1)) for line in bench.artifact("burglar.txt").splitlines())
    worked = {what for what, answer in answers.items() if answer == "yes"}
    (folder,) = (str(home.parent) for home in Path(bench.workspace.path, "calls").glob("*/home.d"))
    assert worked == {
        f"write {bench.workspace.repository}/code.py",
        f"write {folder}/home.d/ours",
        "write /tmp/ours",
    }
    assert (home / ".ssh" / "id").read_text() == "private key"
    assert Path(bench.workspace.repository, "code.py").read_text() == "answer = 42\n"
    assert record.subject_changes == ("code.py",)
    assert int(bench.artifact("processes.txt")) < 10
    assert bench.artifact("interfaces.txt") == "1\n"


def test_a_read_only_subject_is_read_only(bench: Bench, home: Path) -> None:
    environ = {"TARGET": str(home), "HOME": str(home)}
    record = go(bench, "burglar", "require", SandboxPolicy(tools=("grep",), read_only=True), environ)
    assert record.sandbox is not None
    assert record.sandbox.read_only
    assert f"no write {bench.workspace.repository}/code.py" in bench.artifact("burglar.txt")
    assert record.subject_changes == ()


def test_the_network_is_there_only_if_declared(bench: Bench) -> None:
    script = "python3 -c 'import socket, sys; socket.create_connection((\"127.0.0.1\", int(sys.argv[1])), 2)' PORT"
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        script = (
            script.replace("PORT", str(server.getsockname()[1]))
            + ' && echo reached > "$3/net.txt" || echo cut > "$3/net.txt"'
        )
        for network, expected in ((True, "reached\n"), (False, "cut\n")):
            adapter = bench.manifest(script, "x:y", policy=SandboxPolicy(tools=("python3",), network=network))
            [record] = run_plan(
                plan((adapter, "x:y")), bench.workspace, bench.staging, bench.context("require"), bench.listener
            )
            assert reason(record) is None
            assert bench.artifact("net.txt") == expected
            bench.renew()


def test_secrets_reach_neither_adapter_nor_logs(bench: Bench, mode: str) -> None:
    environ = {"DEPLOY_TOKEN": "tok-1234567890", "MARKER": "named", "TARGET": "also", "PATH": "/usr/bin:/bin"}
    record = go(bench, "chatterbox", mode, environ=environ)
    assert reason(record) is None
    for stream in ("out", "err"):
        assert b"DEPLOY_TOKEN" not in bench.log("x:y", stream)
        assert b"MARKER=named" in bench.log("x:y", stream)


def test_a_secret_that_the_declaration_names_is_passed_and_redacted(bench: Bench, mode: str) -> None:
    adapter = bench.manifest(ADAPTERS / "chatterbox", Capability("x:y", flags={"env": ["DEPLOY_TOKEN"]}))
    run(bench, plan((adapter, "x:y")), mode, environ={"DEPLOY_TOKEN": "tok-1234567890", "PATH": "/usr/bin:/bin"})
    assert b"DEPLOY_TOKEN=[redacted]" in bench.log("x:y")
    assert b"tok-1234567890" not in bench.log("x:y") + bench.log("x:y", "out")


def test_the_next_capability_sees_the_subject_again(bench: Bench, mode: str) -> None:
    adapter = bench.manifest(ADAPTERS / "vandal", "x:y")
    honest = bench.manifest('cat code.py > "$3/honest.txt"; ls > "$3/files.txt"', "x:z")
    planned = plan((adapter, "x:y"), (honest, "x:z"))
    first, second = run(bench, planned, mode, jobs=1)
    assert bench.artifact("seen.txt") == "answer = 41\n"
    assert first.subject_changes == ("code.py", "left/behind")
    assert bench.artifact("honest.txt") == "answer = 42\n"
    assert bench.artifact("files.txt") == "code.py\n"
    assert second.subject_changes == ()


def test_the_path_holds_what_is_declared_and_no_more(bench: Bench, mode: str) -> None:
    script = (
        'for tool in git python3 perl cat sh; do which $tool >/dev/null && echo $tool; done > "$3/tools.txt"; exit 0'
    )
    adapter = bench.manifest(script, "x:y", policy=SandboxPolicy(tools=("git",)))
    run(bench, plan((adapter, "x:y")), mode)
    assert bench.artifact("tools.txt").split() == ["git", "cat", "sh"]


def test_a_projects_python_keeps_its_environment(bench: Bench, mode: str) -> None:
    venv = Path(bench.workspace.repository, ".venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--", str(venv)], check=True)
    bench.workspace.project_envs = (str(venv),)
    bench.workspace.tool_folders = (f"{venv}/bin",)
    script = 'python -c "import sys; print(sys.prefix)" > "$3/prefix.txt"; echo $VIRTUAL_ENV > "$3/env.txt"'
    adapter = bench.manifest(script, "x:y", policy=SandboxPolicy(tools=("python",)))
    [record] = run(bench, plan((adapter, "x:y")), mode)
    assert record.failure is None
    assert bench.artifact("prefix.txt").strip() == str(venv)
    assert bench.artifact("env.txt").strip() == str(venv)


def test_the_gates_python_can_be_used(bench: Bench, mode: str) -> None:
    script = '"$GATE_PYTHON" -I -c "import verigate.domain.verdict" && echo ok > "$3/ok.txt"'
    adapter = bench.manifest(script, "x:y")
    [record] = run(bench, plan((adapter, "x:y")), mode)
    assert record.failure is None, bench.log("x:y")


def test_odd_names_of_repository_and_workspace_change_nothing(tmp_path: Path, mode: str) -> None:
    bench = Bench(tmp_path / "-rf $(touch pwned) 'it\"s'\nnew line\udcff")
    adapter = bench.manifest(
        'pwd > "$3/pwd.txt"; git --version > "$3/git.txt"', "x:y", policy=SandboxPolicy(tools=("git",))
    )
    [record] = run(bench, plan((adapter, "x:y")), mode)
    assert record.failure is None, (record.failure, bench.log("x:y"))
    assert bench.artifact("git.txt").startswith("git version")
    assert "\\xff" in " ".join(record.argv).encode().decode()
    assert bench.staging.accepted["pwd.txt"].endswith(b"\n")


def test_five_that_do_nothing_take_little(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"x:{letter}" for letter in "abcde"]
    adapters = [bench.manifest(':> "$3/${1#*:}.txt"', name) for name in names]
    entries = list(zip(adapters, names, strict=True))
    best = []
    for _ in range(5):
        started = time.perf_counter()
        records = run_plan(plan(*entries), bench.workspace, bench.staging, bench.context("require"), bench.listener)
        best.append(time.perf_counter() - started)
        assert [record.failure for record in records] == [None] * 5
        bench.renew()
    with capsys.disabled():
        print(f"\nfive do-nothing adapters in bubblewrap: {min(best) * 1000:.0f} ms at best of five")
