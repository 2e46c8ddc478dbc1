"""What a program may print, or a server reply, that is no answer; an engine that takes it for one has a fault."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class BrokenOutput(Struct, frozen=True):
    """Bytes on stdout, and how the program ends: with this exit code, or by this signal."""

    stdout: bytes
    exit_code: int = 0
    signal: int | None = None


class BrokenReply(Struct, frozen=True):
    """An HTTP response."""

    body: bytes
    status: int = 200
    kind: str = "application/json"


_FLOOD = 2 * 1024 * 1024


def list_broken_outputs(good: bytes, mark: str) -> Mapping[str, BrokenOutput]:
    """List broken outputs of a program by name. ``good`` is what it printed when all was well.

    Cut off, it ends in the middle of the answer's ``mark``.
    """
    place = good.find(mark.encode())
    cut = good[: place + len(mark) // 2] if place >= 0 else good[: len(good) // 2]
    return {
        "nothing": BrokenOutput(b""),
        "prose": BrokenOutput(b"I looked, and it is fine.\n"),
        "its own output, cut off": BrokenOutput(cut),
        "bytes that are no text": BrokenOutput(bytes(range(256)) * 64),
        "a line of 2 MiB": BrokenOutput(b"x" * _FLOOD),
        "JSON of 100,000 levels": BrokenOutput(b"[" * 100_000 + b"]" * 100_000),
        "an object nested deep": BrokenOutput(b'{"a":' * 5_000 + b"1" + b"}" * 5_000),
        "opening fences": BrokenOutput(b"```json\n" * 50_000),
        "an object of another shape": BrokenOutput(b'{"type": 1, "result": [], "usage": "many", "text": null}\n'),
        "its own output and exit code 1": BrokenOutput(good, 1),
        "its own output and a kill": BrokenOutput(good, 0, 9),
    }


def list_broken_replies() -> Mapping[str, BrokenReply]:
    """List broken replies of a server of the chat API by name."""
    cut = b'{"choices": [{"index": 0, "message": {"content": "{}"}, "finish_reason": "length"}]}'
    return {
        "nothing": BrokenReply(b""),
        "a page": BrokenReply(b"<html></html>", kind="text/html"),
        "half a document": BrokenReply(b'{"choices": [{"mess'),
        "bytes that are no text": BrokenReply(bytes(range(256))),
        "JSON of 100,000 levels": BrokenReply(b"[" * 100_000),
        "no choices": BrokenReply(b'{"choices": []}'),
        "members of other types": BrokenReply(b'{"choices": [{"message": 1, "finish_reason": {}}], "usage": "many"}'),
        "an answer that was cut off": BrokenReply(cut),
        "a key that is refused": BrokenReply(b'{"error": {"message": "no"}}', 401),
        "a request that is refused": BrokenReply(b'{"error": {"message": "no"}}', 400),
        "a redirect": BrokenReply(b"", 302),
    }
