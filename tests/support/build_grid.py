"""A real BuildGrid on loopback: the server of the Remote Execution API that PyPI has, in an environment of its own.

Its dependencies (boto3, SQLAlchemy, sentry-sdk, ...) are none of the gate's, so they don't share an environment.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from npm_tools import cache_folder

LOCK = Path(__file__).with_name("buildgrid.lock")
_PATIENCE_S = 180
CONFIGURATION = """\
server:
  - !channel
    address: 127.0.0.1:{port}
    insecure-mode: true
description: the cache of a test
authorization:
  method: none
instances:
  - name: '{instance}'
    storages:
      - !disk-storage &cas
        path: {folder}/cas
    caches:
      - !lru-action-cache &results
        storage: *cas
        max-cached-refs: 1000
        allow-updates: true
    services:
      - !cas
        storage: *cas
      - !bytestream
        storage: *cas
      - !action-cache
        cache: *results
thread-pool-size: 8
"""


def environment() -> Path:
    """The ``bin`` folder of the environment with BuildGrid; pip fetches it on the first call."""
    folder = cache_folder() / f"buildgrid-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".installed").exists():
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder / "venv")], check=True, timeout=300)
            install = [str(folder / "venv/bin/pip"), "install", "--quiet", "--no-deps", "--requirement", str(LOCK)]
            subprocess.run(install, check=True, stdin=subprocess.DEVNULL, timeout=900)
            (folder / ".installed").touch()
    return folder / "venv" / "bin"


def find_free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


class BuildGrid:
    """One server, which can be stopped and started again at the same address with the blobs that it had."""

    def __init__(
        self,
        folder: Path,
        instance: str = "",
        *,
        configuration: str = CONFIGURATION,
        disk_kib: int | None = None,
        **values: object,
    ) -> None:
        self.folder = folder
        self._disk_kib = disk_kib
        folder.mkdir(parents=True, exist_ok=True)
        self.port = find_free_port()
        text = configuration.format(port=self.port, folder=folder, instance=instance, **values)
        (folder / "server.yml").write_text(text)
        self.address = f"grpc://127.0.0.1:{self.port}{'/' if instance else ''}{instance}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        log = self.folder / "server.log"
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        with log.open("ab") as output:
            argv = (*self._limit_disk(), str(environment() / "bgd"), "server", "start", str(self.folder / "server.yml"))
            self._process = subprocess.Popen(argv, env=environ, stdout=output, stderr=output, cwd=self.folder)
        until = time.monotonic() + _PATIENCE_S
        while not self._listens():
            assert self._process.poll() is None, log.read_text("utf-8", "replace")[-2000:]
            assert time.monotonic() < until, log.read_text("utf-8", "replace")[-2000:]
            time.sleep(0.1)

    def _limit_disk(self) -> tuple[str, ...]:
        """What starts the server where its storage is a file system of its own, which nobody else sees."""
        if self._disk_kib is None:
            return ()
        (self.folder / "cas").mkdir(exist_ok=True)
        mount = f"mount -t tmpfs -o size={self._disk_kib}k none '{self.folder}/cas' && exec \"$@\""
        return ("unshare", *(() if os.geteuid() == 0 else ("-r",)), "-m", "sh", "-c", mount, "sh")

    def kill(self) -> None:
        """End it as a machine that loses power."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def blobs(self) -> list[Path]:
        """The files of its storage."""
        return [path for path in (self.folder / "cas").rglob("*") if path.is_file()]

    def _listens(self) -> bool:
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0
