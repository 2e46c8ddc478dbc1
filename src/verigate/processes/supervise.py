"""The parent of an adapter without bubblewrap: no process that the adapter starts outlives it, or the gate.

Run as a script: ``python -I -S supervise.py CWD MEMORY_KIB ARGV...`` with a stream socket as stdin. Only the standard
library is used, and heavy modules are imported late: this runs once per adapter.

On the socket it sends ``ready``, waits for ``go``, and at the end sends ``exit CODE LEFTOVERS`` or ``signal NUMBER
LEFTOVERS``. End of file on the socket means that the gate is gone or wants everything ended: all descendants are
killed. It is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER), so that a daemon that forked twice is still its child.
"""

from __future__ import annotations

import os
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
SETUP_FAILED = 125
"""Exit code when the adapter could not be started at all."""


def list_children(pid: int) -> list[int]:
    """List the process ids of the children of ``pid`` (of all its threads); empty when it is gone."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as stream:
                found += map(int, stream.read().split())
    except FileNotFoundError:
        # A kernel without CONFIG_PROC_CHILDREN, or a process that is gone.
        return [child for child, parent in _list_parents() if parent == pid]
    except ProcessLookupError:
        pass
    return found


def _list_parents() -> list[tuple[int, int]]:
    pairs = []
    for name in os.listdir("/proc"):
        fields = read_stat_fields(int(name)) if name.isdigit() else []
        if fields:
            pairs.append((int(name), int(fields[1])))
    return pairs


def read_stat_fields(pid: int) -> list[bytes]:
    """Read proc(5) stat from the state on (state, ppid, pgrp, session, ...); empty when ``pid`` is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            # The name may hold spaces and parentheses; the process controls nothing after the last one.
            return stream.read().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def list_descendants(pid: int, *, below: int = 0) -> list[int]:
    """List all descendants of ``pid``, parents first, without the first ``below`` generations."""
    found: list[int] = []
    generation, depth, seen = list_children(pid), 0, {pid}
    while generation:
        if depth >= below:
            found += generation
        seen.update(generation)
        generation = [child for parent in generation for child in list_children(parent) if child not in seen]
        depth += 1
    return found


def send_signal(pids: list[int], number: int) -> None:
    """Send a signal to each that still exists and may be signalled."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def set_subreaper(*, on: bool) -> bool:
    """Make orphaned descendants children of this process from now on, or stop that; False if unavailable."""
    return _prctl(_PR_SET_CHILD_SUBREAPER, int(on))


def end_with_parent(number: int) -> bool:
    """Request signal ``number`` for when the thread that started this process ends (prctl(2), PR_SET_PDEATHSIG)."""
    return _prctl(_PR_SET_PDEATHSIG, number)


def _prctl(option: int, value: int) -> bool:
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def _start(argv: list[str], cwd: str, memory_kib: int) -> int:
    supervisor = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        import resource
        import signal

        os.setpgid(0, 0)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(SETUP_FAILED)
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if memory_kib:
            resource.setrlimit(resource.RLIMIT_DATA, (memory_kib * 1024, memory_kib * 1024))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(cwd)
        os.execv(argv[0], argv)  # noqa: S606 (an argument vector, no shell)
    except OSError as error:
        os.write(2, os.fsencode(f"{argv[0]}: {error.strerror}\n"))
        os._exit(126 if isinstance(error, PermissionError) else 127)
    except BaseException as error:  # noqa: BLE001 (the child must never return into the parent's code)
        os.write(2, os.fsencode(f"{argv[0]}: {error}\n"))
    os._exit(SETUP_FAILED)


def _reap() -> tuple[dict[int, int], bool]:
    """Collect all available statuses, and whether any child is left."""
    statuses: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return statuses, False
        if pid == 0:
            return statuses, True
        statuses[pid] = status


def _end_all(patience_s: float = 10.0) -> tuple[dict[int, int], int]:
    """Kill until no child is left: an orphan becomes a child of a subreaper, so without children all are gone."""
    import time

    own = os.getpid()
    statuses: dict[int, int] = {}
    ended: set[int] = set()
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        reaped, left = _reap()
        statuses |= reaped
        if not left:
            break
        living = [pid for pid in list_descendants(own) if read_stat_fields(pid)[:1] not in ([], [b"Z"])]
        ended.update(living)
        send_signal(living, 9)
        time.sleep(0.001)
    return statuses, len(ended)


def _main(arguments: list[str]) -> int:
    import select
    import signal
    import socket

    cwd, memory_kib, *argv = arguments
    set_subreaper(on=True)
    line = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    wake_out, wake_in = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda received, _: stopped.append(received))
    line.sendall(b"ready\n")
    if line.recv(16) != b"go\n":
        return SETUP_FAILED
    main = _start(argv, cwd, int(memory_kib))
    status: int | None = None
    waits: list[socket.socket | int] = [line, wake_out]
    while status is None and not stopped:
        readable, _, _ = select.select(waits, [], [])
        if wake_out in readable:
            os.read(wake_out, 4096)
        if line in readable and not line.recv(16):
            break
        status = _reap()[0].get(main)
    interrupted = status is None
    statuses, leftovers = _end_all()
    status = statuses.get(main, status)
    if status is None:
        return SETUP_FAILED
    if interrupted:
        leftovers = max(0, leftovers - 1)
    kind, code = ("signal", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else ("exit", os.WEXITSTATUS(status))
    try:
        line.sendall(f"{kind} {code} {leftovers}\n".encode())
    except OSError:
        return SETUP_FAILED
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
