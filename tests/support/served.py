"""``gate serve`` as a process of its own, and what reads its pages and events."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import forked_programs

_READY = re.compile(r"http://(?P<host>\S+):(?P<port>\d+)/login\?token=(?P<token>\S+)")
_START_S = 60.0
_END_S = 30.0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


@dataclass
class Server:
    """A server that answers. ``cookie`` is sent with each request, once ``log_in`` got it."""

    process: subprocess.Popen[str]
    port: int
    token: str
    cookie: str = ""
    output: list[str] = field(default_factory=list)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own = {"cookie": self.cookie} if self.cookie else {}
        connection.request(method, path, body, {**own, **(headers or {})})
        response = connection.getresponse()
        found = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        connection.close()
        return found

    def json(self, path: str) -> Any:
        found = self.ask(path)
        assert found.status == 200, (path, found)
        return json.loads(found.body)

    def log_in(self) -> None:
        found = self.ask(f"/login?token={self.token}")
        assert found.status == 303, found
        self.cookie = found.headers["set-cookie"].partition(";")[0]

    def post(self, path: str, page: str, **headers: str) -> Answer:
        """Send the form of ``page`` that goes to ``path``, as a browser does."""
        shown = self.ask(page).text
        token = re.search(r'name="form_token" value="([^"]+)"', shown)
        assert token is not None, shown
        form = {"content-type": "application/x-www-form-urlencoded", "origin": self.base, **headers}
        return self.ask(path, "POST", urlencode({"form_token": token[1]}), form)

    def wait_for(self, path: str, key: str, wanted: Any, within_s: float = 60) -> Any:
        """Ask for a page's JSON until ``key`` is as wanted."""
        until = time.monotonic() + within_s
        while (found := self.json(path))[key] != wanted:
            assert time.monotonic() < until, found
            time.sleep(0.1)
        return found

    def events(self, about: str, after: str = "", last: str = "") -> Events:
        return Events(self, f"/events?{urlencode({'about': about, 'after': after})}", last)


class Events:
    """A reader of server-sent events, with a thread of its own. Of each event (id, kind, data)."""

    def __init__(self, server: Server, path: str, last: str) -> None:
        self.seen: list[tuple[str, str, Any]] = []
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        headers = {"accept": "text/event-stream", **({"last-event-id": last} if last else {})}
        self._connection.request(
            "GET", path, headers={**headers, **({"cookie": server.cookie} if server.cookie else {})}
        )
        self._response = self._connection.getresponse()
        assert self._response.status == 200, self._response.status
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        event: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException, AttributeError):
            while line := self._response.readline():
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                if not name and event.get("data"):
                    self.seen.append((event.get("id", ""), event.get("event", ""), json.loads(event["data"])))
                if not name:
                    event = {}
                else:
                    event[name] = value

    def wait(self, kind: str, within_s: float = 60) -> Any:
        """Return the data of the first event of a kind, and wait for it."""
        until = time.monotonic() + within_s
        while True:
            found = [data for _, seen, data in list(self.seen) if seen == kind]
            if found:
                return found[0]
            assert time.monotonic() < until, self.seen
            time.sleep(0.05)

    def close(self) -> None:
        """Go away without a word, as a browser does whose network ends."""
        if self._connection.sock is not None:
            with contextlib.suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(30)
        self._response.close()
        self._connection.close()


@contextlib.contextmanager
def start(
    folder: Path,
    *,
    home: Path,
    arguments: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
    port: int = 0,
) -> Iterator[Server]:
    """Start ``gate serve`` in a folder, and end it: it has to end by itself, with 0."""
    env = {**os.environ, "HOME": str(home), **(environ or {})}
    for name in [name for name in env if name.startswith(("XDG_", "GATE_", "VERIGATE_", "PYTEST_", "COV_"))]:
        if environ is None or name not in environ:
            del env[name]
    argv = (*forked_programs.GATE, "serve", "--port", str(port), *arguments)
    process = subprocess.Popen(
        argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    server = Server(process, 0, "")
    ready = threading.Event()

    def read() -> None:
        for line in process.stdout or ():
            server.output.append(line)
            if (found := _READY.search(line)) is not None:
                server.port, server.token = int(found["port"]), found["token"]
                ready.set()
        ready.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        assert ready.wait(_START_S), server.output
        assert server.port, server.output
        yield server
        process.send_signal(signal.SIGTERM)
        assert process.wait(_END_S) == 0, server.output
        reader.join(_END_S)
        assert not any("Traceback" in line for line in server.output), "".join(server.output)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        reader.join(_END_S)
        process.stdout.close()
