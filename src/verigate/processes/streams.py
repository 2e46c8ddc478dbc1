"""The output of a process: bounded, with secrets redacted."""

from __future__ import annotations

import re
from collections.abc import Iterable

REDACTED = b"[redacted]"
_LAST_LINE = 600
_EXPLANATION = 300
_LAST_WINDOW = 1 << 16
_UNSAFE = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"


class Redactor:
    """Replace secret values in bytes. Longer secrets go first, so that one that contains another is replaced whole."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted(
            {to_os_bytes(secret) for secret in secrets if secret}, key=lambda each: (-len(each), each)
        )
        pattern = b"|".join(re.escape(secret) for secret in self._secrets)
        self._pattern = re.compile(pattern) if pattern else None

    def __call__(self, text: bytes) -> bytes:
        """Return ``text`` with every secret replaced by ``[redacted]``."""
        return self._pattern.sub(REDACTED, text) if self._pattern else text

    def cut(self, head: bytes, tail: bytes) -> tuple[bytes, bytes]:
        """Redact both, and remove the part of a secret that the cut between them has left at an edge."""
        head, tail = self(head), self(tail)
        from_head = max((_measure_overlap(secret, head) for secret in self._secrets), default=0)
        from_tail = max(
            (_measure_overlap(secret[::-1], tail[: len(secret)][::-1]) for secret in self._secrets), default=0
        )
        return head[: len(head) - from_head], tail[from_tail:]


def to_os_bytes(text: str) -> bytes:
    """Encode a string that may hold surrogate escapes (PEP 383)."""
    return text.encode("utf-8", "surrogateescape")


def _measure_overlap(secret: bytes, text: bytes) -> int:
    """Measure the longest true prefix of ``secret`` that ``text`` ends with."""
    return next((size for size in range(len(secret) - 1, 0, -1) if text.endswith(secret[:size])), 0)


class Capture:
    """The head and the tail of a stream, at most ``limit`` bytes of it."""

    def __init__(self, limit: int) -> None:
        self._head_limit = limit // 2
        self._tail_limit = limit - self._head_limit
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def feed(self, chunk: bytes) -> None:
        """Add the next bytes of the stream."""
        self.total += len(chunk)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        self._tail += chunk
        # Trim only at twice the needed length: each byte is moved once on average, not once per chunk.
        if len(self._tail) > 2 * self._tail_limit:
            del self._tail[: len(self._tail) - self._tail_limit]

    def text(self, redact: Redactor) -> bytes:
        """Return what was kept, with a line in the middle that counts the bytes left out, if any."""
        if self.total <= self._head_limit + self._tail_limit:
            return redact(bytes(self._head + self._tail))
        tail = bytes(self._tail[len(self._tail) - self._tail_limit :])
        left_out = self.total - self._head_limit - self._tail_limit
        head, tail = redact.cut(bytes(self._head), tail)
        return head + f"\n[... {left_out} bytes left out ...]\n".encode() + tail


_NOTHING = re.compile(rb"Node\.js v[\d.]+|\^+|note: run with `RUST_BACKTRACE=\S+` .*")
"""Lines after the cause that say nothing about it: Node's version, Rust's advice."""


def find_last_line(text: bytes) -> str:
    """Return the last non-blank line, with the indented lines after it that explain it, separated by ``|``.

    At most 600 characters of the line itself, and the last 300 of its explanation. Control and direction characters
    are escaped.
    """
    lines = [
        line.decode("utf-8", "backslashreplace")
        for line in text[-_LAST_WINDOW:].rstrip().splitlines()
        if line.strip() and _NOTHING.fullmatch(line.strip()) is None
    ]
    first = next((number for number in reversed(range(len(lines))) if not lines[number][0].isspace()), 0)
    head, *others = (escape_text(line.strip()) for line in lines[first:] or [""])
    rest = "".join(f" | {line}" for line in others)
    return head + (rest if len(rest) <= _EXPLANATION else f" | …{rest[1 - _EXPLANATION :]}")


def escape_text(text: str, limit: int = _LAST_LINE) -> str:
    """Return ``text`` bounded and escaped for a message: it can't move a terminal's cursor or change its direction."""
    escaped = re.sub(_UNSAFE, lambda match: match.group().encode("unicode_escape").decode("ascii"), text)
    return escaped if len(escaped) <= limit else escaped[: limit - 1] + "…"
