"""A real BuildGrid with a scheduler on loopback, the PostgreSQL that it keeps its queue in, and workers of the gate.

The servers end with the test: PostgreSQL runs as its own user, since it refuses root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import build_grid
import gated_repository as gr

CONFIGURATION = """\
server:
  - !channel
    address: 127.0.0.1:{port}
    insecure-mode: true
description: workers of a test
authorization:
  method: none
connections:
  - !sql-connection &sql
    connection-string: postgresql+psycopg2://bgd@/postgres?host={database}
    pool-size: 8
    max-overflow: 8
storages:
  - !disk-storage &cas
    path: {folder}/cas
caches:
  - !lru-action-cache &results
    storage: *cas
    max-cached-refs: 1000
    allow-updates: true
schedulers:
  - !sql-scheduler &scheduler
    storage: *cas
    sql: *sql
    action-cache: *results
    bot-session-keepalive-timeout: {keepalive}
    session-expiry-timer-interval: 1.0
    max-job-attempts: 3
    poll-interval: 0.1
    assigners:
      - !priority-age-assigner
        count: 1
        interval: 0.05
        jitter-factor: 0.05
        failure-backoff: 0.5
    property-set:
      !dynamic-property-set
      match-property-keys:
        - verigate.needs
      wildcard-property-keys:
        - verigate.base
        - verigate.capability
        - verigate.gate
        - verigate.missing
        - verigate.sandbox
        - verigate.system
        - verigate.tools
instances:
  - name: '{instance}'
    services:
      - !cas
        storage: *cas
      - !bytestream
        storage: *cas
      - !action-cache
        cache: *results
      - !execution
        scheduler: *scheduler
        operation-stream-keepalive-timeout: 2
thread-pool-size: 32
"""
_POSTGRES = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "listen_addresses=")
_PATIENCE_S = 120


class Postgres:
    """A database server at a socket in ``folder``, with BuildGrid's tables."""

    def __init__(self) -> None:
        # Not below the test's folder: the server's user can't enter that.
        self.folder = Path(tempfile.mkdtemp(prefix="verigate-postgres-", dir="/tmp"))
        self._user: tuple[str, ...] = ()
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            ids = (f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups")
            self._user = ("setpriv", *ids, "--pdeathsig=KILL", "--")
        programs = find_programs()
        data = f"{self.folder}/data"
        options = ("-U", "bgd", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self._run(f"{programs}/initdb", "-D", data, *options)
        self.start()
        address = f"postgresql+psycopg2://bgd@/postgres?host={self.folder}"
        bgd = build_grid.environment() / "bgd"
        subprocess.run((bgd, "migrate", "apply", address), check=True, capture_output=True, cwd="/")

    def start(self) -> None:
        """Start it, again where it was killed."""
        programs = find_programs()
        argv = (*self._user, f"{programs}/postgres", "-D", f"{self.folder}/data", "-k", str(self.folder), *_POSTGRES)
        ready = (f"{programs}/pg_isready", "-q", "-h", str(self.folder))
        until = time.monotonic() + _PATIENCE_S
        while True:
            with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
                self._process = subprocess.Popen(argv, stdout=log, stderr=log, cwd="/")
            # While processes of one that was killed still end, it gives up.
            while self._process.poll() is None:
                assert time.monotonic() < until, "PostgreSQL doesn't start"
                if subprocess.run(ready, check=False).returncode == 0:
                    return
                time.sleep(0.05)
            assert time.monotonic() < until, "PostgreSQL doesn't start"
            time.sleep(0.2)

    def kill(self) -> None:
        """End it as a machine that loses power."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder.parent / f"{self.folder.name}.log").unlink(missing_ok=True)

    def _run(self, *argv: str) -> None:
        subprocess.run((*self._user, *argv), check=True, capture_output=True, cwd="/")


def find_programs() -> Path:
    """The folder of PostgreSQL's programs, which Debian keeps off PATH."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


class WorkerGrid(build_grid.BuildGrid):
    """The server; ``keepalive`` is after how many seconds of silence a worker counts as lost."""

    def __init__(
        self, folder: Path, instance: str = "", *, keepalive: int = 30, configuration: str = CONFIGURATION
    ) -> None:
        self.postgres = Postgres()
        self.workers: list[Worker] = []
        try:
            database = str(self.postgres.folder)
            super().__init__(folder, instance, configuration=configuration, database=database, keepalive=keepalive)
        except BaseException:
            self.postgres.close()
            raise

    def worker(self, key: Path, *arguments: str, address: str = "", **environ: str) -> Worker:
        """Start a worker that signs with a key, of another ``address`` of the server if there is one."""
        place = self.folder / f"worker-{len(self.workers)}"
        found = Worker(place, address or self.address, key, arguments, environ)
        self.workers.append(found)
        return found

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
        super().close()
        self.postgres.close()


class Worker:
    """A worker in a process of its own, with a home of its own."""

    def __init__(
        self, folder: Path, address: str, key: Path, arguments: tuple[str, ...], environ: dict[str, str]
    ) -> None:
        (folder / "tmp").mkdir(parents=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "GIT_"))}
        env = {**kept, "HOME": str(folder), "TMPDIR": str(folder / "tmp"), "GATE_REMOTE_CACHE_KEY": str(key), **environ}
        self.log = folder / "log"
        with self.log.open("ab") as log:
            argv = (*gr.GATE, "worker", "--remote", address, "--name", folder.name, *arguments)
            self.process = subprocess.Popen(
                argv, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self, number: int = signal.SIGKILL) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=60)
