from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from processes_alive import gone, with_marker

from verigate.domain.execution import Invocation
from verigate.errors import ExecutionError, Interrupted
from verigate.processes import sandbox, sandbox_view
from verigate.processes.job import EndedProcess, Launch
from verigate.processes.process_loop import Processes
from verigate.processes.stop_request import StoppedError, StopRequest
from verigate.processes.streams import Redactor

BWRAP = sandbox.Bubblewrap("/usr/bin/bwrap")
Start = Callable[..., None]


@pytest.fixture(params=["bubblewrap", "supervisor"])
def containment(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def wait_for(path: Path, within_s: float = 10.0) -> None:
    until = time.monotonic() + within_s
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert path.exists()


class Harness:
    def __init__(self, folder: Path, containment: str) -> None:
        self.folder = folder
        self.containment = containment
        self.streams: dict[str, tuple[bytes, bytes]] = {}

    def launch(self, argv: tuple[str, ...], memory_mb: int | None = None) -> Launch:
        if self.containment == "supervisor":
            return sandbox.launch_under_supervisor(sys.executable, argv, str(self.folder), memory_mb)
        tmp, links, empty = self.folder / "tmp", self.folder / "links", self.folder / "empty"
        tmp.mkdir(exist_ok=True)
        links.mkdir(exist_ok=True)
        empty.touch()
        confinement = sandbox_view.Confinement(
            root=str(self.folder),
            mounts=(),
            visible=(str(self.folder),),
            writable=(str(self.folder),),
            tmp=str(tmp),
            links=(str(links), {}),
            masked=(),
            empty=str(empty),
            network=False,
            read_only=False,
        )
        return sandbox.launch_in_sandbox(BWRAP, confinement, argv, memory_mb)

    def start(self, processes: Processes, key: str, script: str, *arguments: str, **fields: object) -> None:
        argv = ("/bin/sh", "-c", script, *arguments)
        self.start_argv(processes, key, argv, **fields)

    def start_argv(self, processes: Processes, key: str, argv: tuple[str, ...], **fields: object) -> None:
        invocation = Invocation(
            argv=argv,
            cwd=str(self.folder),
            env={"PATH": "/usr/bin:/bin"},
            timeout_s=float(str(fields.get("timeout_s", 30.0))),
            stream_limit=int(str(fields.get("stream_limit", 10_000))),
        )
        memory = fields.get("memory_mb")
        processes.start(key, invocation, self.launch(argv, int(str(memory)) if memory else None))

    def run(self, script: str, *arguments: str, grace_s: float = 0.3, **fields: object) -> EndedProcess:
        with Processes(Redactor(["hunter2"]), grace_s=grace_s) as processes:
            self.start(processes, "one", script, *arguments, **fields)
            return self.wait(processes)

    def wait(self, processes: Processes) -> EndedProcess:
        ended = processes.wait()
        assert ended.streams is not None
        self.streams[ended.key] = ended.streams
        return ended

    def out(self, key: str = "one") -> bytes:
        return self.streams[key][0]

    def err(self, key: str = "one") -> bytes:
        return self.streams[key][1]


@pytest.fixture
def harness(tmp_path: Path, containment: str) -> Harness:
    return Harness(tmp_path, containment)


def test_streams_exit_code_and_working_directory(harness: Harness) -> None:
    ended = harness.run("pwd; echo problem >&2; exit 3")
    assert (ended.outcome.exit_code, ended.outcome.signal, ended.contained) == (3, None, True)
    assert harness.out() == f"{harness.folder}\n".encode()
    assert harness.err() == b"problem\n"
    assert ended.last_line == "problem"
    assert (ended.outcome.stdout_bytes, ended.outcome.stderr_bytes) == (len(harness.out()), 8)


def test_stdin_is_empty_and_no_other_descriptor_is_open(harness: Harness) -> None:
    ended = harness.run("cat; ls /proc/self/fd | tr '\\n' ' '; readlink /proc/self/fd/0")
    assert ended.outcome.ok
    # 3 is ls's own, the folder that it reads.
    assert harness.out() == b"0 1 2 3 /dev/null\n"


def test_arguments_arrive_as_they_are(harness: Harness) -> None:
    harness.run('printf "<%s>" "$@"', "sh", "-rf", "$(x)", "a b", "new\nline", "")
    assert harness.out() == b"<-rf><$(x)><a b><new\nline><>"


def test_a_signal_is_reported_as_one(harness: Harness) -> None:
    outcome = harness.run("kill -SEGV $$").outcome
    assert (outcome.exit_code, outcome.signal) == (None, signal.SIGSEGV)


@pytest.mark.parametrize("containment", ["bubblewrap"])
def test_who_reports_the_end_of_a_sandboxed_program_cannot_be_replaced(harness: Harness) -> None:
    script = (
        "import ctypes, os, signal\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "taken = libc.syscall(438, os.pidfd_open(1), 0, 0)\n"
        "if taken >= 0:\n"
        "    os.write(taken, b'exit 0 0\\n')\n"
        "os.kill(1, signal.SIGKILL)\n"
        "try:\n"
        "    open('/proc/1/mem', 'r+b')\n"
        "except PermissionError:\n"
        "    raise SystemExit(9)\n"
    )
    ended = harness.run(f'exec {sys.executable} -c "$0"', script)
    assert ended.outcome.exit_code == 9, harness.err()


def test_what_cannot_be_executed_ends_with_126_or_127(harness: Harness) -> None:
    plain = harness.folder / "plain"
    plain.write_text("x")
    with Processes(Redactor()) as processes:
        for argv, code in ((("/no/such/file",), 127), ((str(plain),), 126)):
            harness.start_argv(processes, "one", argv)
            ended = processes.wait()
            assert (ended.outcome.exit_code, ended.contained) == (code, True)
            assert argv[0] in ended.last_line


def test_a_containment_that_does_not_come_up_is_told_from_a_crash(tmp_path: Path) -> None:
    harness = Harness(tmp_path, "bubblewrap")
    harness.folder = tmp_path / "gone"
    harness.folder.mkdir()
    launch = harness.launch(("/bin/true",))
    (harness.folder / "tmp").rmdir()
    invocation = Invocation(("/bin/true",), "/", {}, 5.0)
    with Processes(Redactor()) as processes:
        processes.start("one", invocation, launch)
        ended = processes.wait()
    assert not ended.contained
    assert ended.outcome.exit_code == 1
    assert "bwrap" in ended.last_line


def test_a_containment_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    harness = Harness(tmp_path, "bubblewrap")
    good = harness.launch(("/bin/true",))
    invocation = Invocation(("/bin/true",), "/", {}, 5.0)
    with Processes(Redactor()) as processes:
        for argv in (("/no/such/bwrap",), (*good.argv, "nul\0byte")):
            with pytest.raises(ExecutionError, match="can't start"):
                processes.start("one", invocation, Launch(argv, good.containment))
        assert len(processes) == 0


def test_timeout_is_told_politely_first(harness: Harness) -> None:
    ended = harness.run("trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done", timeout_s=0.4, grace_s=5.0)
    assert ended.outcome.timed_out
    assert ended.outcome.exit_code == 7
    assert not ended.outcome.ok
    assert ended.outcome.duration_s < 4
    assert harness.out() == b"bye\n"


def test_timeout_kills_what_does_not_listen(harness: Harness) -> None:
    marker = f"stubborn-{harness.containment}-{os.getpid()}"
    script = "trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1; done' \"$0\" & while :; do sleep 1; done"
    ended = harness.run(script, marker, timeout_s=0.4, grace_s=0.2)
    assert ended.outcome.timed_out
    assert ended.outcome.signal == signal.SIGKILL
    assert ended.outcome.duration_s < 5
    assert gone(marker)


def test_daemons_are_ended_and_counted_and_their_pipes_do_not_block(harness: Harness) -> None:
    marker = f"daemon-{harness.containment}-{os.getpid()}"
    script = 'for i in 1 2 3; do setsid sh -c \'trap "" TERM HUP; while :; do sleep 1; done\' "$0" & done; sleep 0.2'
    started = time.monotonic()
    ended = harness.run(script, marker)
    # With bubblewrap they are gone already when wait returns: nothing can write while evidence is read.
    assert not with_marker(marker)
    assert ended.outcome.ok
    assert ended.outcome.leftover_processes >= 3
    assert time.monotonic() - started < 5


def test_a_clean_end_leaves_nothing_over(harness: Harness) -> None:
    assert harness.run("true | true; true").outcome.leftover_processes == 0


def test_a_flood_is_bounded_and_counted(harness: Harness) -> None:
    ended = harness.run("head -c 200000000 /dev/zero >&2; echo >&2; echo last words >&2", stream_limit=1000)
    assert ended.outcome.ok
    assert ended.outcome.stderr_bytes == 200_000_012
    assert len(harness.err()) < 1100
    assert b"bytes left out" in harness.err()
    assert ended.last_line == "last words"


def test_secrets_are_redacted(harness: Harness) -> None:
    ended = harness.run("echo out hunter2; echo err hunter2 >&2")
    assert harness.out() == b"out [redacted]\n"
    assert harness.err() == b"err [redacted]\n"
    assert ended.last_line == "err [redacted]"


@pytest.mark.slow
def test_memory_is_limited(harness: Harness) -> None:
    # The interpreter behind the environment's link: the environment may lie in a folder that the sandbox replaces.
    script = f"exec {Path(sys.executable).resolve()} -I -S -c 'bytearray(600 << 20); print(1)'"
    assert harness.run(script, memory_mb=2000).outcome.ok
    assert not harness.run(script, memory_mb=300).outcome.ok
    assert harness.err().endswith(b"MemoryError\n")


@pytest.mark.slow
def test_memory_that_is_only_reserved_is_not_limited(harness: Harness) -> None:
    # Its runtime reserves gigabytes, as those of Go, Java and WebAssembly do.
    script = f"exec {shutil.which('node')} -e 'new WebAssembly.Memory({{initial: 1, maximum: 65536}})'"
    assert harness.run(script, memory_mb=700).outcome.ok, harness.err()


@pytest.mark.slow
def test_many_run_at_once(harness: Harness) -> None:
    with Processes(Redactor()) as processes:
        started = time.monotonic()
        for number in range(8):
            harness.start(processes, f"p{number}", "sleep 2; echo $0", str(number))
        ended = [harness.wait(processes) for _ in range(8)]
        assert time.monotonic() - started < 12
    assert sorted(each.key for each in ended) == [f"p{number}" for number in range(8)]
    assert all(harness.out(f"p{number}") == f"{number}\n".encode() for number in range(8))
    with Processes(Redactor()) as processes, pytest.raises(ValueError, match="no process"):
        processes.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_gate_ends_everything(harness: Harness, number: signal.Signals) -> None:
    marker = f"interrupted-{harness.containment}-{number}-{os.getpid()}"
    before = signal.getsignal(number)
    daemon = "setsid sh -c 'while :; do sleep 1; done' \"$0\" &"
    script = f"trap 'touch cleaned; exit 0' TERM; {daemon} touch ready; while :; do sleep 0.1; done"

    def interrupt() -> None:
        wait_for(harness.folder / "ready")
        time.sleep(0.1)
        os.kill(os.getpid(), number)

    thread = threading.Thread(target=interrupt)
    with Processes(Redactor(), grace_s=3.0) as processes:
        harness.start(processes, "one", script, marker)
        thread.start()
        with pytest.raises(Interrupted):
            processes.wait()
        with pytest.raises(Interrupted):
            harness.start(processes, "two", "true")
    thread.join()
    assert not with_marker(marker)
    assert signal.getsignal(number) is before
    assert (harness.folder / "cleaned").exists()


def test_a_request_of_another_thread_ends_everything(harness: Harness) -> None:
    marker = f"requested-{harness.containment}-{os.getpid()}"
    script = "trap 'touch cleaned; exit 0' TERM; touch ready; while :; do sleep 0.1; done"
    stop = StopRequest()

    def request() -> None:
        wait_for(harness.folder / "ready")
        stop.set()

    thread = threading.Thread(target=request)
    with Processes(Redactor(), grace_s=3.0, stop=stop) as processes:
        harness.start(processes, "one", script, marker)
        thread.start()
        with pytest.raises(StoppedError):
            processes.wait()
    thread.join()
    assert not with_marker(marker)
    assert (harness.folder / "cleaned").exists()
    # It stays set for what runs next, until it is cleared.
    with Processes(Redactor(), stop=stop) as processes:
        harness.start(processes, "two", "sleep 60")
        with pytest.raises(StoppedError):
            processes.wait()
    stop.clear()
    stop.clear()
    with Processes(Redactor(), stop=stop) as processes:
        harness.start(processes, "three", "true")
        assert harness.wait(processes).outcome.exit_code == 0


@pytest.mark.slow
def test_a_second_signal_does_not_wait_for_the_grace(harness: Harness) -> None:
    marker = f"impatient-{harness.containment}-{os.getpid()}"

    def interrupt() -> None:
        wait_for(harness.folder / "ready")
        time.sleep(0.1)
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)

    thread = threading.Thread(target=interrupt)
    started = time.monotonic()
    with Processes(Redactor(), grace_s=60.0) as processes:
        harness.start(processes, "one", "trap '' TERM; touch ready; sh -c 'while :; do sleep 1; done' \"$0\"", marker)
        thread.start()
        with pytest.raises(Interrupted):
            processes.wait()
    thread.join()
    assert time.monotonic() - started < 20
    assert gone(marker)


def test_an_exception_in_the_gate_ends_everything(harness: Harness) -> None:
    marker = f"exception-{harness.containment}-{os.getpid()}"

    def explode() -> None:
        with Processes(Redactor(), grace_s=60.0) as processes:
            harness.start(processes, "one", "trap '' TERM; sh -c 'while :; do sleep 1; done' \"$0\"", marker)
            harness.start(processes, "quick", "sleep 0.5")
            processes.wait()
            assert with_marker(marker)
            raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        explode()
    assert gone(marker)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_descriptors_are_not_leaked(harness: Harness) -> None:
    harness.run("true")
    before = open_descriptors()
    for _ in range(5):
        harness.run("true")
    assert open_descriptors() == before
