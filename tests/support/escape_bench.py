"""Try the attempts of ``tests/corpus/escapes`` through the runner, against targets of the same user outside.

Run as a script, by root or by anybody: ``escape_bench.py MECHANISM PROGRAMS`` prints a JSON object of attempt -> "out",
"held" or what broke. MECHANISM is that of a report, or ``none``; PROGRAMS holds the attempts, compiled. HOME is where
the secrets are planted, and is the caller's to remove.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from escape_table import Attempt, read_attempts
from fake_workspace import Bench, plan
from processes_alive import with_marker

import verigate
from verigate.domain.manifest import Capability, SandboxPolicy
from verigate.execution.runner import run_plan
from verigate.processes import sandbox

MARKS = ("C", "CLONE", "PY", "SH", "NOHUP", "NODE")
_SECRETS = (".ssh/id", ".pgpass", ".my.cnf", ".secret-of-tomorrow", ".bashrc")
_CODES = {10: "out", 20: "held"}
_TOOLS = ("grep", "python3", "node", "bash", "mount", "umount", "unshare", "setsid")


def find_sandbox(mechanism: str) -> sandbox.Sandbox | None:
    """Find the sandbox of one mechanism, whatever else works here."""
    if mechanism == "bubblewrap":
        return sandbox.probe_bubblewrap(sandbox.find_bubblewrap(os.environ))
    if mechanism == "namespaces":
        return sandbox.probe_namespaces(sys.executable)
    return sandbox.probe_landlock(sys.executable) if mechanism == "landlock" else None


class Targets:
    """What an attempt is after, made outside of the sandbox by the same user: ``variables`` name it."""

    def __init__(self, folder: Path, bench: Bench) -> None:
        self.home = Path(os.environ["HOME"])
        self.marks = {name: f"verigate-escape-{name}-{os.getpid()}-{time.monotonic_ns()}" for name in MARKS}
        self.variables = {f"T_MARK_{name}": mark for name, mark in self.marks.items()}
        self.variables |= {"T_HOME": str(self.home), "T_GATE": str(os.getpid())}
        self._ends: list[Callable[[], Any]] = []
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._plant_files(folder, bench)
        self._open_sockets(folder, bench)
        self._start_victims()
        self._share_memory()

    def _plant_files(self, folder: Path, bench: Bench) -> None:
        for name in _SECRETS:
            (self.home / name).parent.mkdir(exist_ok=True)
            (self.home / name).write_text("secret\n")
        shown = Path(bench.workspace.path, "shown")
        shown.mkdir()
        for name in ("file", "other", "mode"):
            (shown / name).write_text("text")
        os.mkfifo(self.home / "fifo")
        # A reader, or a writer would wait.
        reader = os.open(self.home / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        self._ends.append(lambda: os.close(reader))
        memory = tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="verigate-escape-")  # noqa: SIM115
        memory.write(b"secret")
        memory.flush()
        self._ends.append(memory.close)
        disks = [
            path for path in map(str, Path("/dev").iterdir()) if path.startswith(("/dev/vd", "/dev/sd", "/dev/nvme"))
        ]
        self.variables |= {
            "T_SHOWN": str(shown),
            "T_FIFO": str(self.home / "fifo"),
            "T_DEV_SHM": memory.name,
            "T_TMP": str(folder / "secret"),
            "T_RUN": os.environ.get("T_RUN", "/run/utmp"),
            "T_WORKSPACE": bench.workspace.path,
            "T_GATE_FILE": str(Path(verigate.__file__).with_name("escaped")),
            "T_DISK": min(disks, default="/dev/vda"),
        }
        (folder / "secret").write_text("secret")

    def _open_sockets(self, folder: Path, bench: Bench) -> None:
        paths = {
            "T_SOCKET_TMP": str(folder / "tmp.sock"),
            "T_SOCKET_SHOWN": str(Path(bench.workspace.path, "shown.sock")),
            "": str(self.home / "agent.sock"),
        }
        for path in paths.values():
            self._keep(socket.socket(socket.AF_UNIX)).bind(path)
            self._last.listen(16)
        abstract = f"verigate-escape-{os.getpid()}"
        self._keep(socket.socket(socket.AF_UNIX)).bind(f"\0{abstract}")
        self._last.listen(16)
        ports = {}
        for name, family, address in (("T_TCP", socket.AF_INET, ""), ("T_TCP6", socket.AF_INET6, "::1")):
            server = self._keep(socket.socket(family))
            server.bind((address, 0))
            server.listen(64)
            ports[name] = str(server.getsockname()[1])
        for name, family, address in (("T_UDP", socket.AF_INET, "127.0.0.1"), ("T_UDP6", socket.AF_INET6, "::1")):
            server = self._keep(socket.socket(family, socket.SOCK_DGRAM))
            server.bind((address, 0))
            ports[name] = str(server.getsockname()[1])
            threading.Thread(target=_echo, args=(server,), daemon=True).start()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            with contextlib.suppress(OSError):
                line.connect(("192.0.2.1", 9))
            host = line.getsockname()[0]
        self.variables |= {name: path for name, path in paths.items() if name} | ports
        self.variables |= {"T_ABSTRACT": abstract, "T_HOST": host if host != "0.0.0.0" else "127.0.0.2"}  # noqa: S104

    def _keep(self, made: socket.socket) -> socket.socket:
        self._last = made
        self._ends.append(made.close)
        return made

    def _start_victims(self) -> None:
        self._victims = []
        for name in ("T_PID", "T_KILL", "T_KILL_TOO"):
            victim = subprocess.Popen(["/bin/sleep", "300"], env={"VICTIM_SECRET": "secret"})
            self._victims.append(victim)
            self.variables[name] = str(victim.pid)
        deadline = time.monotonic() + 5
        while (
            b"VICTIM" not in Path(f"/proc/{self._victims[0].pid}/environ").read_bytes() and time.monotonic() < deadline
        ):
            time.sleep(0.01)
        maps = Path(f"/proc/{self._victims[0].pid}/maps").read_text("ascii")
        self.variables["T_ADDRESS"] = maps.split("-")[0]

    def _share_memory(self) -> None:
        libc = self._libc
        libc.shmat.restype = ctypes.c_void_p
        memory = libc.shmget(0, 4096, 0o1600)
        place = libc.shmat(memory, None, 0)
        ctypes.memmove(place, b"secret", 6)
        semaphore, queue = libc.semget(os.getpid(), 1, 0o1600), libc.msgget(os.getpid(), 0o1600)
        name = f"/verigate-escape-{os.getpid()}"
        libc.mq_open(name.encode(), os.O_CREAT | os.O_RDWR, 0o600, None)
        # add_key(2) into the keyring of the user, by its number on this machine.
        number = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
        libc.syscall(number, b"user", name[1:].encode(), b"secret", ctypes.c_size_t(6), -4)
        self._ends += [
            lambda: libc.shmctl(memory, 0, None),
            lambda: libc.semctl(semaphore, 0, 0),
            lambda: libc.msgctl(queue, 0, None),
            lambda: libc.mq_unlink(name.encode()),
            lambda: self._forget_keys(name[1:], number),
        ]
        self.variables |= {"T_SHM": str(memory), "T_IPC_KEY": str(os.getpid()), "T_MQ": name, "T_KEY": name[1:]}

    def _forget_keys(self, name: str, add_key: int) -> None:
        """Unlink what was added to the user's keyring, here and by an attempt without a sandbox."""
        keyctl = add_key + 2
        for each in (name, "verigate-escape-left"):
            key = self._libc.syscall(keyctl, 10, -4, b"user", each.encode(), 0)
            if key > 0:
                self._libc.syscall(keyctl, 9, key, -4)

    def list_harmed(self) -> Iterator[str]:
        """List the attempts that came through after all: what they were after is gone, or lives on."""
        for name, victim in zip(("", "py:kill_victim", "sh:signal"), self._victims, strict=True):
            if name and victim.poll() is not None:
                yield name
        lives = {"C": "c:daemon", "CLONE": "c:clone_daemon", "PY": "py:daemon", "SH": "sh:daemon"}
        for mark, name in (lives | {"NOHUP": "sh:disowned", "NODE": "node:daemon"}).items():
            if with_marker(self.marks[mark]):
                yield name

    def close(self) -> None:
        """End the victims and remove what isn't a file."""
        for victim in self._victims:
            victim.kill()
            victim.wait()
        for end in reversed(self._ends):
            end()


def _echo(server: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            content, sender = server.recvfrom(64)
            server.sendto(content, sender)


_ENTRY = """\
cd "$GATE_REPO_ROOT" || exit 1
run() {
  while IFS=' ' read -r program name; do
    [ "$program" = "$1" ] && [ "$name" != bomb ] || continue
    timeout 10 "$2" "$3" "$name" >>"$1.log" 2>&1 </dev/null
    echo "$program:$name $?" >>"$1.txt"
  done <"$T_PROGRAMS/wanted"
}
run c env "$T_PROGRAMS/attempts-c" &
run py python3 "$T_PROGRAMS/attempts.py" &
run sh bash "$T_PROGRAMS/attempts.sh" &
run node node "$T_PROGRAMS/attempts.mjs" &
wait
# By itself, since others would find no room for a process.
if grep -q '^c bomb$' "$T_PROGRAMS/wanted"; then
  timeout 20 "$T_PROGRAMS/attempts-c" bomb >>c.log 2>&1 </dev/null
  echo "c:bomb $?" >>c.txt
fi
cat ./*.log >"$3/log.txt"
cat ./*.txt >"$3/results.txt"
exit 0
"""


def try_escapes(mechanism: str, programs: Path, wanted: list[Attempt]) -> dict[str, str]:
    """Run the attempts in one call under ``mechanism``; attempt -> ``out``, ``held`` or what broke."""
    folder = Path(tempfile.mkdtemp(prefix="verigate-escape-"))
    try:
        bench = Bench(folder)
        copied = Path(bench.workspace.path, "programs")
        shutil.copytree(programs, copied)
        (copied / "wanted").write_text("".join(f"{each.program} {each.name}\n" for each in wanted))
        targets = Targets(folder, bench)
        try:
            variables = targets.variables | {"T_PROGRAMS": str(copied)}
            adapter = bench.manifest(
                _ENTRY,
                Capability("x:y", flags={"env": sorted(variables)}),
                policy=SandboxPolicy(tools=_TOOLS, timeout_s=120),
            )
            environ = {"PATH": "/usr/bin:/bin", "HOME": os.environ["HOME"], "PARENT_SECRET": "secret", **variables}
            context = bench.context("off" if mechanism == "none" else "prefer", environ=environ)
            found = find_sandbox(mechanism)
            [run] = run_plan(
                plan((adapter, "x:y")), bench.workspace, bench.staging, context, bench.listener, probed=lambda: found
            )
            used = run.sandbox.mechanism if run.sandbox else "nothing"
            if run.failure is not None or used != {"none": "process-group"}.get(mechanism, mechanism):
                raise SystemExit(f"in {used}: {run.failure}; {bench.log('x:y')!r}")
            codes = dict(line.split() for line in bench.artifact("results.txt").splitlines())
            results = {name: _CODES.get(int(code), f"broken: {code}") for name, code in codes.items()}
            results |= dict.fromkeys(set(targets.list_harmed()) & set(results), "out")
            if os.environ.get("T_LOG"):
                sys.stderr.write(bench.artifact("log.txt"))
            return results
        finally:
            targets.close()
    finally:
        shutil.rmtree(folder)


def main() -> int:
    """Try what the table has for a mechanism and print the results."""
    mechanism, programs = sys.argv[1], Path(sys.argv[2])
    column = {"none": "outside", "landlock": "landlock"}.get(mechanism, "whole")
    wanted = [each for each in read_attempts() if getattr(each, column) != "-"]
    print(json.dumps(try_escapes(mechanism, programs, wanted)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
