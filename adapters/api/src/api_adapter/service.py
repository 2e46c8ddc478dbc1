"""Provide the service under test: use a running one, or start one and stop its process group."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from api_adapter.client import ApiCall, ApiClient
from api_adapter.redaction import Redaction
from api_adapter.settings import ServiceCommand, Settings
from verigate.sdk import AdapterUsageError, Request, ToolFailed, clean_text
from verigate.sdk.stragglers import adopt_orphans, end_stragglers, keep_leader

LOG_BYTES = 1 << 16
"""Bytes to keep of the end of a service's output."""

_GRACE_S = 3.0
_HOST = "127.0.0.1"


class Running(Struct, frozen=True):
    """A running service at ``base_url``. ``log`` is the end of its output, if it was started here."""

    base_url: str
    log: Log | None = None
    start_ms: float | None = None


class Log(threading.Thread):
    """Reads a service's output while it runs and keeps only the end, so that a flood can't fill the disk."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(daemon=True)
        self._descriptor = descriptor
        self._parts: deque[bytes] = deque()
        self._size = 0
        self._lock = threading.Lock()
        self.start()

    def run(self) -> None:
        """Read until all writers have closed the pipe."""
        with open(self._descriptor, "rb", buffering=0) as stream:  # noqa: PTH123 - a descriptor
            while part := stream.read(1 << 14):
                with self._lock:
                    self._parts.append(part)
                    self._size += len(part)
                    while self._size - len(self._parts[0]) >= LOG_BYTES:
                        self._size -= len(self._parts.popleft())

    def text(self) -> str:
        """Return the last LOG_BYTES of the output."""
        with self._lock:
            return clean_text(b"".join(self._parts)[-LOG_BYTES:])


@contextlib.contextmanager
def run_service(settings: Settings, request: Request) -> Iterator[Running]:
    """Run the service during this context.

    Raises AdapterUsageError if none is configured, ToolFailed if the command starts no service that responds.
    """
    if settings.base_url is not None:
        yield Running(settings.base_url)
        return
    command = settings.service
    if command is None:
        raise AdapterUsageError(
            "no service to call: configure base_url or service",
            where="config/adapters.json",
            hint='"api": {"service": {"command": ["python", "-m", "uvicorn", "app:app", "--port", "{port}"]}}',
        )
    folder = (request.repo_root / command.cwd).resolve()
    if not folder.is_relative_to(request.repo_root.resolve()):
        raise AdapterUsageError("service.cwd is outside the repository", where="config/adapters.json")
    port = command.port or _free_port()
    if _listens(port):
        raise ToolFailed(f"port {port} is already in use by another program")
    started = time.perf_counter()
    adopt_orphans()
    process, log = _start(command, settings, request, folder, port)
    try:
        with keep_leader(process.pid):
            base_url = f"http://{_HOST}:{port}"
            _wait(command, process, log, port, Redaction.of(settings, request.environ))
            yield Running(base_url, log, (time.perf_counter() - started) * 1000)
    finally:
        _stop(process)
        end_stragglers()
        log.join(_GRACE_S)


def _start(
    command: ServiceCommand, settings: Settings, request: Request, folder: Path, port: int
) -> tuple[subprocess.Popen[bytes], Log]:
    argv = [part.replace("{port}", str(port)) for part in command.command]
    held_back = set() if command.pass_credentials else set(settings.credentials.values())
    env = {k: v for k, v in request.make_project_environ().items() if k not in held_back}
    env |= {
        "PORT": str(port),
        **{name: value.replace("{port}", str(port)) for name, value in command.env.items()},
    }
    read, write = os.pipe()
    try:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=write,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        os.close(read)
        message = f"the service can't be started: {argv[0]}: {error.strerror}"
        raise ToolFailed(message, hint="install it, or name a program of the repository by its path") from error
    finally:
        os.close(write)
    return process, Log(read)


def _wait(command: ServiceCommand, process: subprocess.Popen[bytes], log: Log, port: int, redaction: Redaction) -> None:
    deadline = time.monotonic() + command.start_timeout_s
    pause = 0.01
    while time.monotonic() < deadline:
        if process.poll() is not None:
            log.join(_GRACE_S)
            output = redaction.text(log.text())[-2000:].strip()
            raise ToolFailed(f"the service ended with exit code {process.returncode} before it answered\n{output}")
        if _listens(port) and (command.health is None or _healthy(port, command.health)):
            return
        time.sleep(pause)
        pause = min(pause * 1.5, 0.25)
    output = redaction.text(log.text())[-2000:].strip()
    place = command.health or "its port"
    raise ToolFailed(f"the service didn't answer at {place} within {command.start_timeout_s:g} s\n{output}")


def _healthy(port: int, path: str) -> bool:
    client = ApiClient(f"http://{_HOST}:{port}", 2.0)
    try:
        answer = client.call(ApiCall("GET", path if path.startswith("/") else f"/{path}"))
    finally:
        client.close()
    return answer.status is not None and answer.status < 500


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((_HOST, port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        return int(probe.getsockname()[1])


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stop the whole process group, since workers may outlive their leader."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_S)
