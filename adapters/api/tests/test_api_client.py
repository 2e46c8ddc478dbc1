"""What a server can do to its caller: every answer is bounded in size and time, and every failure has a name."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from api_adapter.client import MAX_BODY_BYTES, ApiCall, ApiClient


@contextmanager
def serving(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that reads each request and lets ``answer`` do the rest."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                try:
                    while connection.recv(65536):
                        answer(connection)
                except OSError:
                    continue

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65536)


def dripping(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(100):
        connection.sendall(b"x")
        time.sleep(0.05)


def closing(connection: socket.socket) -> None:
    connection.close()


def silent(connection: socket.socket) -> None:
    time.sleep(2)


CASES: list[tuple[str, Callable[[socket.socket], None], int | str]] = [
    ("endless", endless, 200),
    ("dripping", dripping, "timeout"),
    ("closing", closing, "closed"),
    ("silent", silent, "timeout"),
    ("not http", lambda c: c.sendall(b"220 smtp ready\r\n\r\n"), "not-http"),
    ("too short", lambda c: (c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), c.close())[0], "closed"),
    ("many headers", lambda c: c.sendall(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 500 + b"\r\n"), "not-http"),
]


@pytest.mark.parametrize(("name", "answer", "outcome"), CASES, ids=[case[0] for case in CASES])
def test_bounded_and_named(name: str, answer: Callable[[socket.socket], None], outcome: int | str) -> None:
    with serving(answer) as address:
        client = ApiClient(address, 0.5)
        start = time.monotonic()
        found = client.call(ApiCall("GET", "/"))
        client.close()
        assert found.outcome == outcome
        assert time.monotonic() - start < 4
        assert len(found.body) <= MAX_BODY_BYTES
        assert found.truncated == (name == "endless")


def test_a_redirect_is_an_answer() -> None:
    with serving(lambda c: c.sendall(b"HTTP/1.1 302 F\r\nLocation: http://x/\r\nContent-Length: 0\r\n\r\n")) as address:
        client = ApiClient(address, 1)
        answers = [client.call(ApiCall("GET", "/")) for _ in range(3)]
        client.close()
    assert [(answer.status, answer.headers["location"]) for answer in answers] == [(302, "http://x/")] * 3


def test_an_idle_connection_that_was_closed_is_opened_again_for_safe_methods() -> None:
    def once(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        connection.close()

    with serving(once) as address:
        client = ApiClient(address, 1)
        assert [client.call(ApiCall("GET", "/")).outcome for _ in range(3)] == [200, 200, 200]
        assert client.call(ApiCall("POST", "/", {}, b"{}")).outcome == "closed"
        client.close()


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert ApiClient(f"http://127.0.0.1:{port}", 1).call(ApiCall("GET", "/")).outcome == "refused"
    assert ApiClient("http://nowhere.invalid", 1).call(ApiCall("GET", "/")).outcome == "dns"
