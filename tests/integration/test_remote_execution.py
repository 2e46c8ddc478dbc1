"""Workers find what a trusted key of theirs signs; whatever else they or their server do costs a local run, no more."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from gated_repository import GATE, GatedRepository
from hostile_executor import HostileExecutor, end, stage
from remote_repository import ADAPTER, Machines
from worker_grid import Worker, WorkerGrid

from verigate.domain.remote_call import CacheStage
from verigate.domain.remote_server import parse_address
from verigate.remote.action import from_message, to_message
from verigate.remote.blobs import Digest
from verigate.remote.execution import ExecutionEndedError, RemoteExecutor
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import grpc, reapi

SLOW = ADAPTER.replace("set -e\n", "set -e\nsleep 4\n", 1)


@pytest.fixture
def server() -> Iterator[HostileExecutor]:
    found = HostileExecutor()
    yield found
    found.close()


@pytest.fixture
def machines(tmp_path: Path, server: HostileExecutor) -> Machines:
    """Machines whose server knows what its workers find of the text ``two``."""
    found = Machines(tmp_path, server.address)
    found.verify(found.machine("teacher"), writes="ci")
    server.learn()
    return found


def execute(machines: Machines, machine: GatedRepository, *arguments: str, **environ: str) -> dict[str, Any]:
    given = {"GATE_REMOTE_CACHE": "", "GATE_REMOTE_EXECUTOR_WAIT": "20", **environ}
    run = machines.verify(machine, "--executor", machines.address, *arguments, **given)
    (call,) = run["invocations"]
    assert call["failure"] is None, call
    return run


def list_notes(run: dict[str, Any]) -> list[str]:
    return [note for note in run["warnings"] if note.startswith("remote executor")]


def list_executed(run: dict[str, Any]) -> list[str]:
    found: list[str] = run["remote"]["executor"]["executed"]
    return found


def read_verdict(machine: GatedRepository) -> Any:
    verdict = machine.verdict("implicit")
    del verdict["metadata"]
    return verdict


def test_what_a_worker_found_is_taken_and_the_inputs_are_sent(machines: Machines, server: HostileExecutor) -> None:
    machine = machines.machine("a")
    run = execute(machines, machine)
    assert (list_executed(run), list_notes(run)) == (["my:check"], [])
    assert run["invocations"][0]["cached"] is True
    assert machine.published("words.json", "implicit") == {"words": "two"}
    assert (machine.root / ".artifacts/implicit/logs/my.check.out").read_text() == "looked at work.txt\n"
    assert Digest.of(b"two") in server.blobs
    assert "Execute" in server.asked
    # The second time all inputs are there.
    again = execute(machines, machines.machine("b"))
    assert again["remote"]["executor"]["sent_bytes"] < run["remote"]["executor"]["sent_bytes"]


def test_no_cache_executes_here(machines: Machines, server: HostileExecutor) -> None:
    run = execute_here(machines, machines.machine("a"), "--no-cache")
    assert "Execute" not in server.asked
    assert "executor" not in run["remote"]


def execute_here(machines: Machines, machine: GatedRepository, *arguments: str) -> dict[str, Any]:
    return machines.verify(machine, *arguments, GATE_REMOTE_CACHE="", GATE_REMOTE_EXECUTOR=machines.address)


def test_without_a_policy_ref_nothing_is_sent(machines: Machines, server: HostileExecutor) -> None:
    machine = machines.machine("a")
    given = {"CI": "1", "GATE_REMOTE_EXECUTOR": machines.address}
    done = machine.gate("verify", "--quiet", **given)
    assert done.code == 4, done.output
    (note,) = list_notes(machine.published("run.json", "implicit"))
    assert "nothing is sent: no policy ref lists whose results count" in note
    assert "Execute" not in server.asked


def test_what_sees_the_base_stays_here(tmp_path: Path, server: HostileExecutor) -> None:
    machines = Machines(tmp_path, server.address)
    manifest = machines.origin.sample.path / "adapters/my/manifest.json"
    manifest.write_text(manifest.read_text().replace('"sees": []', '"sees": ["base"]'))
    machines.origin.sample.commit("it sees the base")
    run = execute(machines, machines.machine("a"))
    assert run["remote"]["local"] == {"my:check": "workers don't have the base, which it sees"}
    assert "Execute" not in server.asked


def _unsigned(server: HostileExecutor) -> None:
    for result in server.known.values():
        kept = [each for each in result.output_files if not each.path.endswith(".sig")]
        del result.output_files[:]
        result.output_files.extend(kept)


def _wrong_files(server: HostileExecutor) -> None:
    server.change_blob = lambda _digest, content: content.replace(b"two", b"2.0") if b"words" in content else content


def _huge(server: HostileExecutor) -> None:
    for result in server.known.values():
        for each in result.output_files:
            each.digest.size_bytes = 1 << 40


def _lost(server: HostileExecutor) -> None:
    for digest in [digest for digest, content in server.blobs.items() if content.startswith(b'{"words"')]:
        del server.blobs[digest]


def _refused(server: HostileExecutor) -> None:
    server.stages = lambda action, _: iter([end(action, reapi.ActionResult(), 9, "this worker differs in cat")])


def _no_worker(server: HostileExecutor) -> None:
    def wait(action: Digest, _method: str) -> Iterator[Any]:
        yield stage(action, reapi.ExecutionStage.QUEUED)
        time.sleep(3)

    server.stages = wait


def _no_service(server: HostileExecutor) -> None:
    server.fault = lambda name, context: (
        context.abort(grpc.StatusCode.UNIMPLEMENTED, "no scheduler") if name == "Execute" else None
    )


def _full(server: HostileExecutor) -> None:
    server.blobs.clear()
    server.fault = lambda name, context: (
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "full") if name == "BatchUpdateBlobs" else None
    )


def _breaks_off(server: HostileExecutor) -> None:
    def stop(action: Digest, _method: str) -> Iterator[Any]:
        yield stage(action, reapi.ExecutionStage.EXECUTING)

    server.stages = stop


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (_unsigned, "a result without a signed statement"),
        (_wrong_files, "another blob came for"),
        pytest.param(_huge, "no digest, or is too large", marks=pytest.mark.release),
        pytest.param(_lost, "void, too large, or not there any more", marks=pytest.mark.release),
        (_refused, "a worker refused: this worker differs in cat"),
        (_no_worker, "is too slow: no worker began within 1 seconds"),
        pytest.param(_no_service, "refuses: no scheduler", marks=pytest.mark.release),
        pytest.param(_full, "has no room", marks=pytest.mark.release),
        pytest.param(_breaks_off, "can't be reached: the stream", marks=pytest.mark.release),
    ],
)
def test_a_fault_costs_a_local_run_and_is_reported_once(
    machines: Machines, server: HostileExecutor, fault: Callable[[HostileExecutor], None], said: str
) -> None:
    fault(server)
    machine = machines.machine("a")
    wait = "1" if fault is _no_worker else "20"
    run = execute(machines, machine, GATE_REMOTE_EXECUTOR_WAIT=wait)
    (note,) = list_notes(run)
    assert said in note
    assert (list_executed(run), run["invocations"][0]["cached"]) == ([], False)
    assert machine.published("words.json", "implicit") == {"words": "two"}


@pytest.mark.release
def test_a_result_of_another_action_is_refused(machines: Machines, server: HostileExecutor) -> None:
    (known,) = server.known.values()
    server.stages = lambda action, _: iter([end(action, known)])
    machine = machines.machine("a", "three")
    run = execute(machines, machine)
    (note,) = list_notes(run)
    assert "of another action" in note
    assert machine.published("words.json", "implicit") == {"words": "three"}


def test_a_key_that_is_not_listed_for_the_stage_does_not_count(tmp_path: Path, server: HostileExecutor) -> None:
    machines = Machines(tmp_path, server.address)
    machines.verify(machines.machine("teacher"), writes="developer")
    server.learn()
    run = execute(machines, machines.machine("a"))
    (note,) = list_notes(run)
    assert "a result that doesn't count: signed by developer@example.org" in note


@pytest.mark.release
def test_a_broken_stream_is_waited_for_again(machines: Machines, server: HostileExecutor) -> None:
    def breaks(action: Digest, method: str) -> Iterator[Any]:
        yield stage(action, reapi.ExecutionStage.EXECUTING)
        if method == "WaitExecution":
            yield end(action, server.known[action])

    server.stages = breaks
    run = execute(machines, machines.machine("a"))
    assert (list_executed(run), list_notes(run)) == (["my:check"], [])
    assert "WaitExecution" in server.asked


@pytest.mark.release
def test_an_interrupted_run_does_not_wait_for_a_worker(machines: Machines, server: HostileExecutor) -> None:
    began, over = threading.Event(), threading.Event()

    def stall(action: Digest, _method: str) -> Iterator[Any]:
        yield stage(action, reapi.ExecutionStage.EXECUTING)
        began.set()
        over.wait(40)

    server.stages = stall
    machine = machines.machine("a")
    environ = machine.environ(CI="1", GATE_REMOTE_EXECUTOR=machines.address)
    argv = (*GATE, "verify", "--quiet", "--policy-ref", "HEAD")
    with subprocess.Popen(argv, cwd=machine.root, env=environ, stderr=subprocess.PIPE) as process:
        assert began.wait(60)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert time.monotonic() - start < 30
    over.set()
    assert not machine.has_verdict("implicit")


def test_commits_of_a_range_are_verified_with_workers(machines: Machines, server: HostileExecutor) -> None:
    machine = machines.machine("a")
    base = machine.sample.git("rev-parse", "HEAD")
    machine.sample.commit("the change")
    given = {"CI": "1", "GATE_REMOTE_EXECUTOR_WAIT": "20"}
    arguments = ("verify", "--range", f"{base}..HEAD", "--policy-ref", base, "--executor", server.address)
    done = machine.gate(*arguments, **given)
    assert done.code == 4, done.output
    assert "Execute" in server.asked


@pytest.mark.parametrize(
    ("value", "wait", "said"),
    [
        ("grpc://h:1/blobs", "1", "reserves a word"),
        ("grpc://x", "1", "is not the address of a server"),
        ("grpc://127.0.0.1:1", "0", "is no time to wait"),
    ],
)
def test_what_is_configured_wrongly_is_an_error(machines: Machines, value: str, wait: str, said: str) -> None:
    machine = machines.machine("a")
    done = machine.gate("verify", "--executor", value, "--policy-ref", "HEAD", GATE_REMOTE_EXECUTOR_WAIT=wait)
    assert (done.code, said in done.err) == (2, True), done.output


def wait_for_lease(worker: Worker) -> None:
    wait_for(lambda: any(worker.log.parent.glob("tmp/verigate-lease-*/input/adapters")), worker)


@pytest.mark.slow
def test_a_real_worker_finds_what_is_found_here(tmp_path: Path, started: WorkerGrid) -> None:
    machines = Machines(tmp_path, started.address)
    here = machines.machine("here")
    machines.verify(here, GATE_REMOTE_CACHE="off")
    worker = started.worker(machines.keys["ci"], "--actions", "1")
    there = machines.machine("elsewhere/there")
    run = execute(machines, there)
    assert (list_executed(run), list_notes(run)) == (["my:check"], [])
    assert read_verdict(here) == read_verdict(there)
    for path in ("words.json", "logs/my.check.out", "logs/my.check.err"):
        found = [(each.root / ".artifacts/implicit" / path).read_bytes() for each in (here, there)]
        assert found[0] == found[1]
    assert worker.process.wait(timeout=60) == 0, worker.log.read_text()
    # From now on the server's cache has it, and nobody needs a worker.
    again = execute(machines, machines.machine("again"))
    assert (again["remote"]["taken"], list_executed(again)) == (["my:check"], [])


@pytest.mark.slow
def test_a_worker_with_another_tool_refuses(tmp_path: Path, started: WorkerGrid) -> None:
    machines = Machines(tmp_path, started.address)
    other = tmp_path / "bin/cat"
    other.parent.mkdir()
    other.write_text('#!/bin/sh\nexec /bin/cat "$@"\n')
    other.chmod(0o755)
    started.worker(machines.keys["ci"], PATH=f"{other.parent}:{os.environ['PATH']}")
    machine = machines.machine("a", "other")
    run = execute(machines, machine)
    (note,) = list_notes(run)
    assert "a worker refused: this worker differs in verigate.tools" in note
    assert machine.published("words.json", "implicit") == {"words": "other"}


@pytest.mark.release
@pytest.mark.slow
def test_what_fails_at_a_worker_runs_here(tmp_path: Path, started: WorkerGrid) -> None:
    machines = Machines(
        tmp_path, started.address, adapter=ADAPTER.replace("set -e\n", "set -e\ntest ! -e work.txt\n", 1)
    )
    started.worker(machines.keys["ci"])
    given = {"GATE_REMOTE_CACHE": "", "GATE_REMOTE_EXECUTOR": started.address}
    run = machines.verify(machines.machine("a"), code=3, **given)
    (note,) = list_notes(run)
    assert "a worker refused: my:check failed: ADAPTER_CRASH" in note
    (call,) = run["invocations"]
    assert (call["failure"]["reason"], call["cached"]) == ("ADAPTER_CRASH", False)


@pytest.mark.release
@pytest.mark.slow
def test_what_names_folders_of_a_worker_is_not_signed(tmp_path: Path, started: WorkerGrid) -> None:
    machines = Machines(tmp_path, started.address, adapter=ADAPTER.replace("looked at", "looked in $PWD at"))
    started.worker(machines.keys["ci"])
    run = execute(machines, machines.machine("a"))
    (note,) = list_notes(run)
    assert "a worker refused: what it wrote names folders of this machine" in note


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.release)])
def test_a_killed_workers_action_is_anothers(tmp_path: Path, started: WorkerGrid, number: signal.Signals) -> None:
    machines = Machines(tmp_path, started.address, adapter=SLOW)
    first = started.worker(machines.keys["ci"])
    machine = machines.machine("a", f"ended by {number}")
    with ThreadPoolExecutor(1) as pool:
        verified = pool.submit(execute, machines, machine, GATE_REMOTE_EXECUTOR_WAIT="60")
        wait_for_lease(first)
        first.kill(number)
        second = started.worker(machines.keys["ci"])
        run = verified.result(timeout=120)
    assert (list_executed(run), list_notes(run)) == (["my:check"], []), second.log.read_text()


@pytest.mark.slow
@pytest.mark.release
def test_a_server_that_dies_meanwhile_costs_a_local_run(tmp_path: Path) -> None:
    grid = WorkerGrid(tmp_path / "grid")
    try:
        machines = Machines(tmp_path, grid.address, adapter=SLOW)
        worker = grid.worker(machines.keys["ci"])
        machine = machines.machine("a")
        with ThreadPoolExecutor(1) as pool:
            verified = pool.submit(execute, machines, machine)
            wait_for_lease(worker)
            grid.kill()
            run = verified.result(timeout=120)
        (note,) = list_notes(run)
        assert "can't be reached" in note
        assert machine.published("words.json", "implicit") == {"words": "two"}
    finally:
        grid.close()


@pytest.mark.slow
def test_a_worker_stops_what_nobody_waits_for(tmp_path: Path, started: WorkerGrid) -> None:
    long = ADAPTER.replace("set -e\n", "set -e\ncase $(cat work.txt) in long*) sleep 4321;; esac\n", 1)
    machines = Machines(tmp_path, started.address, adapter=long)
    worker = started.worker(machines.keys["ci"])
    machine = machines.machine("a", "long")
    environ = machine.environ(CI="1", GATE_REMOTE_EXECUTOR=machines.address, GATE_REMOTE_EXECUTOR_WAIT="60")
    argv = (*GATE, "verify", "--quiet", "--policy-ref", "HEAD")
    with subprocess.Popen(argv, cwd=machine.root, env=environ, stderr=subprocess.PIPE) as process:
        wait_for(lambda: is_below(worker, "sleep 4321"), worker)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    wait_for(lambda: "it was cancelled" in worker.log.read_text(), worker)
    assert not is_below(worker, "sleep 4321")
    assert not list(worker.log.parent.glob("tmp/*"))
    # The same worker goes on, in the same session.
    run = execute(machines, machines.machine("b", "short"), GATE_REMOTE_EXECUTOR_WAIT="60")
    assert (list_executed(run), list_notes(run)) == (["my:check"], []), worker.log.read_text()
    # An interruption of the worker itself is none of an action.
    assert worker.kill(signal.SIGTERM) == 130


def is_below(worker: Worker, command: str) -> bool:
    """Whether a process that the worker started, in whatever session, has this command line."""
    return command in _list_below(worker.process.pid)


def _list_below(pid: int) -> str:
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with contextlib.suppress(OSError):
            found.append(Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
            found.append(_list_below(int(child)))
    return "\n".join(found)


def wait_for(holds: Callable[[], bool], worker: Worker) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, worker.log.read_text()
        time.sleep(0.05)


@pytest.mark.release
@pytest.mark.slow
def test_a_developers_stage_has_actions_of_its_own(tmp_path: Path, started: WorkerGrid) -> None:
    machines = Machines(tmp_path, started.address)
    worker = started.worker(machines.keys["developer"])
    run = execute(machines, machines.machine("a", "mine"), CI="")
    assert (run["remote"]["stage"], list_executed(run)) == (CacheStage.LOCAL.value, ["my:check"])
    run = execute(machines, machines.machine("b", "mine"))
    (note,) = list_notes(run)
    assert "signed by developer@example.org" in note
    assert worker.kill(signal.SIGTERM) == 130, worker.log.read_text()


def _other_arguments(command: Any, _action: Any) -> str:
    command.arguments[0] = "/bin/sh"
    return "this worker differs in the arguments"


def _other_variable(command: Any, _action: Any) -> str:
    command.environment_variables.add(name="LD_PRELOAD", value="/subject/work.txt")
    return "this worker differs in the variable LD_PRELOAD"


def _other_task(command: Any, _action: Any) -> str:
    for each in command.environment_variables:
        if each.name == "GATE_TASK_ID":
            each.value = "../../outside"
    return "its task has no id that names a folder"


def _no_stage(_command: Any, action: Any) -> str:
    action.salt = b""
    return "no stage is its salt"


@pytest.mark.slow
def test_a_worker_runs_no_action_but_a_call_of_its_own(
    tmp_path: Path, machines: Machines, server: HostileExecutor, started: WorkerGrid
) -> None:
    execute(machines, machines.machine("a"))
    (digest,) = server.known
    worker = started.worker(machines.keys["ci"])
    client = RemoteServer(parse_address(started.address, "test"))
    try:
        for change in (_other_arguments, _other_variable, _other_task, _no_stage):
            action = reapi.Action.FromString(server.blobs[digest])
            command = reapi.Command.FromString(server.blobs[from_message(action.command_digest)])
            said = change(command, action)
            content = command.SerializeToString(deterministic=True)
            action.command_digest.CopyFrom(to_message(Digest.of(content)))
            changed = action.SerializeToString(deterministic=True)
            client.write({**server.blobs, Digest.of(content): content, Digest.of(changed): changed})
            with pytest.raises(ExecutionEndedError, match=said):
                RemoteExecutor(client).execute(Digest.of(changed), 60)
        assert RemoteExecutor(client).execute(digest, 60).output_files, worker.log.read_text()
    finally:
        client.close()
