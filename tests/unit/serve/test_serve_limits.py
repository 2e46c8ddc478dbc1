"""What one reader or sender can't use up: connections, followers, time, room and the first place of the queue."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import literal_facts as literal
import published_tasks as published
import pytest
import uvicorn
from served_client import BASE, TOKEN, client_of, make_root
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse

from verigate.errors import EvidenceError
from verigate.serve import bounded_http, pushed
from verigate.serve.bounded_http import BoundedHttp
from verigate.serve.index import refresh
from verigate.serve.index.queue import QueueFilter, read_queue
from verigate.serve.live.events import MOST_READERS
from verigate.serve.web import gatekeeper
from verigate.serve.web.access import Access
from verigate.serve.web.api import uploads
from verigate.serve.web.api.operations import RefusedError
from verigate.serve.web.gatekeeper import Gatekeeper

HEAD = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    try:
        body = await Request(scope, receive).body()
        answer = PlainTextResponse(f"{len(body)}")
    except ClientDisconnect:
        answer = PlainTextResponse("unfinished", 408)
    await answer(scope, receive, send)


@contextmanager
def listening() -> Iterator[Callable[[], socket.socket]]:
    """A server behind the protocol and the gatekeeper; what is yielded connects to it."""
    place = socket.create_server(("127.0.0.1", 0))
    app = Gatekeeper(echo, Access("127.0.0.1", 8642, TOKEN))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", http=BoundedHttp, lifespan="off"))
    thread = threading.Thread(target=server.run, args=([place],))
    thread.start()
    try:
        yield lambda: socket.create_connection(place.getsockname(), timeout=20)
    finally:
        server.should_exit = True
        thread.join()
        place.close()


def read_all(connection: socket.socket) -> bytes:
    found = b""
    while part := connection.recv(65_536):
        found += part
    connection.close()
    return found


def test_who_sends_no_request_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "HEAD_S", 0.8)
    with listening() as connect:
        silent, slow, again = connect(), connect(), connect()
        slow.sendall(HEAD)
        again.sendall(HEAD + b"\r\n")
        answer = b""
        while not answer.endswith(b"\r\n\r\n0"):
            answer += again.recv(65_536)
        assert answer.startswith(b"HTTP/1.1 200")
        again.sendall(b"GET / HT")  # the head of the next one, which doesn't end
        began = time.monotonic()
        assert [read_all(each) for each in (silent, slow, again)] == [b"", b"", b""]
        assert time.monotonic() - began < 15
        # Whoever asks in time is answered.
        good = connect()
        good.sendall(HEAD + b"connection: close\r\n\r\n")
        assert read_all(good).endswith(b"0")


def test_a_body_that_drips_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gatekeeper, "BODY_S", 0.8)
    with listening() as connect:
        whole, dripping = connect(), connect()
        head = HEAD.replace(b"GET", b"POST") + b"connection: close\r\ncontent-length: 4\r\n\r\n"
        whole.sendall(head + b"abcd")
        assert read_all(whole).endswith(b"4")
        dripping.sendall(head + b"a")
        assert b" 408 " in read_all(dripping).partition(b"\r\n")[0]


def test_an_archive_must_come_at_a_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_GRACE_S", 0.3)
    monkeypatch.setattr(uploads, "_SLOWEST", 1000)

    def request_of(pause: float, parts: int) -> Request:
        left = list(range(parts))

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(pause)
            left.pop()
            return {"type": "http.request", "body": b"x" * 100, "more_body": bool(left)}

        return Request({"type": "http", "method": "PUT", "headers": []}, receive)

    asyncio.run(uploads.receive_archive(request_of(0.0, 50), tmp_path / "quick"))
    assert (tmp_path / "quick").stat().st_size == 5000
    with pytest.raises(RefusedError, match="too slowly"):
        asyncio.run(uploads.receive_archive(request_of(0.25, 50), tmp_path / "slow"))
    with pytest.raises(RefusedError, match="too slowly"):
        asyncio.run(uploads.receive_archive(request_of(30, 1), tmp_path / "none"))


def test_more_followers_than_there_is_room_for_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client_of(make_root(tmp_path), tmp_path) as client:
        events = client.app.state.site.events  # type: ignore[attr-defined] # of starlette
        monkeypatch.setattr(type(events), "readers", property(lambda _: MOST_READERS))
        for path in ("/events?about=tasks", "/api/v1/events"):
            assert client.get(path).status_code == 503
        assert client.get("/tasks").status_code == 200


def test_a_host_that_would_be_read_as_a_path_is_refused(tmp_path: Path) -> None:
    with client_of(make_root(tmp_path), tmp_path) as client:
        for hosts in (["localhost/tasks.json?"], ["localhost:8642", "localhost:8642"], []):
            headers = [("host", host) for host in hosts] or [("host", "")]
            assert client.get(f"{BASE}/tasks", headers=headers).status_code == 421, hosts


def test_a_verdict_of_the_future_is_not_the_first_of_the_queue(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    bad = {"tests.json": literal.BAD["tests.json"]}
    for name, finished in (("future", "2999-01-01T00:00:00Z"), ("farther", "9999-12-31T23:59:59Z")):
        published.publish_task(root, name, bad, {"tests_pass": True}, finished=finished)
        os.utime(root / ".artifacts" / name, (1_000_000_000, 1_000_000_000 if name == "future" else 32_000_000_000))
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    published.publish_task(root, "now", bad, {"tests_pass": True}, finished=now)
    with client_of(root, tmp_path) as client:
        rows = {row["task_id"]: row["moment"] for row in client.get("/tasks.json").json()["queue"]["rows"]}
        site = client.app.state.site  # type: ignore[attr-defined] # of starlette
        with site.refresher.index.reading() as connection:
            assert len(read_queue(connection, QueueFilter()).rows) == 3
    assert rows["future"] == 1_000_000_000
    assert all(moment <= time.time() + refresh._AHEAD_S for moment in rows.values())
    with pytest.raises(EvidenceError, match="here it is"):
        pushed._check_moment("2999-01-01T00:00:00Z", now)
    pushed._check_moment(now, now)


def test_a_quota_counts_each_file_and_folder(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    for number in range(10):
        (tmp_path / f"a/b/{number}").touch()
    (tmp_path / "a/large").write_bytes(b"x" * 5000)
    # Three folders, ten empty files, and one of two blocks.
    assert pushed._size(tmp_path) == 4096 * (3 + 10 + 2)
