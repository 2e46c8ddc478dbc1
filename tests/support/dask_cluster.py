"""A real Dask cluster on loopback: a scheduler and workers, each a process of its own that can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_READY = "Registered to"
_LISTENS = "Scheduler at:"
_PATIENCE_S = 90


class Cluster:
    """The scheduler's address as ``--executor`` has it, and the processes. ``home`` is the workers' HOME."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.workers: list[subprocess.Popen[bytes]] = []
        self._count = 0
        self.scheduler, log = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        line = _wait(log, _LISTENS, self.scheduler)
        self.address = line.rpartition("tcp://")[2].strip()

    @property
    def executor(self) -> str:
        return f"dask://{self.address}"

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker with one thread and wait until the scheduler knows it."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        place = ("--local-directory", str(self.folder / f"space-{self._count}"))
        worker, log = self._start("worker", self.address, *options, *place)
        self.workers.append(worker)
        _wait(log, _READY, worker)
        return worker

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(self, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
        self._count += 1
        log = self.folder / f"{arguments[0]}-{self._count}.log"
        environ: Mapping[str, str] = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "False",
        }
        with log.open("wb") as output:
            argv = (str(Path(sys.executable).with_name("dask")), *arguments)
            return subprocess.Popen(argv, env=environ, stdout=output, stderr=output, cwd=self.folder), log


def _wait(log: Path, text: str, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until and process.poll() is None:
        for line in log.read_text("utf-8", "replace").splitlines():
            if text in line:
                return line
        time.sleep(0.05)
    raise AssertionError(log.read_text("utf-8", "replace"))


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """A cluster with that many workers, gone at the end."""
    made = Cluster(folder)
    try:
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        made.close()
