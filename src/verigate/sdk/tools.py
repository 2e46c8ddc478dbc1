"""Run a tool: an argument vector in, a frozen ToolRun out, no process left behind."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.sdk.artifacts import clean_text
from verigate.sdk.errors import ToolFailed
from verigate.sdk.sigterm import defer_sigterm
from verigate.sdk.stragglers import adopt_orphans, end_stragglers, keep_leader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

MAX_OUTPUT_BYTES = 64 * 1024 * 1024
MAX_LOG_BYTES = 400_000
"""Bytes of a stream in the log of a failed tool. The gate keeps 1 MiB of what an adapter prints."""

_GRACE_S = 1.0
_CHUNK = 1 << 16
_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # ECMA-48 control sequences, xterm's titles
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)


class ToolRun(Struct, frozen=True):
    """How a tool ended.

    ``exit_code`` is None if ``signal`` (a number) ended it. ``truncated`` means that a stream exceeded the limit; the
    rest was read and discarded.
    """

    argv: tuple[str, ...]
    exit_code: int | None
    signal: int | None
    timed_out: bool
    stdout: bytes
    stderr: bytes
    truncated: bool = False

    @property
    def ended(self) -> str:
        """``exit code 3``, ``signal 9 (SIGKILL)`` or ``timeout``, for messages."""
        if self.timed_out:
            return "timeout"
        if self.signal is not None:
            with contextlib.suppress(ValueError):
                return f"signal {self.signal} ({signal.Signals(self.signal).name})"
            return f"signal {self.signal}"
        return f"exit code {self.exit_code}"

    def tail(self, limit: int = 2000) -> str:
        """The last ``limit`` characters of stderr, or of stdout where stderr is empty, without control characters."""
        return _last(self.stderr, limit) or _last(self.stdout, limit)

    def as_failure(self, message: str, *, where: str | None = None, hint: str | None = None) -> ToolFailed:
        """Make the error to raise: ``message``, the cause that the tool printed, and the whole output for the log."""
        failure = ToolFailed(self.add_cause(message), where=where, hint=hint, output=self.output)
        failure.timed_out = self.timed_out
        return failure

    def add_cause(self, message: str) -> str:
        """``message: cause``; ``message`` alone if the tool printed nothing."""
        from verigate.sdk.causes import find_cause  # imported late: few tools fail

        cause = find_cause(self.argv, self.stdout, self.stderr)
        return f"{message}: {cause}" if cause else message

    @property
    def output(self) -> str:
        """The command, then stdout and stderr, each at most MAX_LOG_BYTES: from its start and its end, in whole lines.

        Whole lines, so that no part of a secret is left that the gate can't redact.
        """
        parts = [f"$ {' '.join(self.argv)}", *(_keep_ends(stream) for stream in (self.stdout, self.stderr) if stream)]
        return "\n".join(part.rstrip("\n") for part in parts)


def _keep_ends(stream: bytes) -> str:
    if len(stream) <= MAX_LOG_BYTES:
        return clean_text(stream)
    half = MAX_LOG_BYTES // 2
    head, tail = stream[:half].rpartition(b"\n")[0], stream[-half:].partition(b"\n")[2]
    return clean_text(head + b"\n[... %d bytes left out ...]\n" % (len(stream) - len(head) - len(tail)) + tail)


def _last(stream: bytes, limit: int) -> str:
    # Cut first: a stream may be megabytes. A character has four bytes at most, and some of them are control sequences.
    text = clean_text(stream[-8 * limit :]).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text).strip()[-limit:]


_LIMIT: ContextVar[float | None] = ContextVar("limit", default=None)


@contextlib.contextmanager
def limit_tools(seconds: float | None) -> Iterator[None]:
    """Let no tool that starts within run longer than this; None sets no limit."""
    token = _LIMIT.set(seconds)
    try:
        yield
    finally:
        _LIMIT.reset(token)


class RunningTool:
    """A tool that was started. Its output waits in its pipes until ``wait`` reads it."""

    def __init__(
        self, vector: tuple[str, ...], process: subprocess.Popen[bytes], deadline: float, max_bytes: int
    ) -> None:
        self._vector, self._process, self._deadline, self._max_bytes = vector, process, deadline, max_bytes

    def wait(self, watch: Callable[[bytes], None] | None = None) -> ToolRun:
        """Wait until it ends, or its time is over, and end what is left of its group. To be called once."""
        streams, timed_out = _read(self._process, self._deadline, self._max_bytes, watch)
        code = _end(self._process)
        return ToolRun(
            argv=tuple(clean_text(part) for part in self._vector),
            exit_code=code if code >= 0 and not timed_out else None,
            signal=-code if code < 0 else None,
            timed_out=timed_out,
            stdout=bytes(streams[0][: self._max_bytes]),
            stderr=bytes(streams[1][: self._max_bytes]),
            truncated=any(len(stream) > self._max_bytes for stream in streams),
        )


def run_tool(
    argv: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path,
    timeout_s: float,
    env: Mapping[str, str] | None = None,
    max_bytes: int = MAX_OUTPUT_BYTES,
    stdin: bytes = b"",
    watch: Callable[[bytes], None] | None = None,
) -> ToolRun:
    """Run ``argv`` in ``cwd`` with ``stdin`` (empty by default) and wait for it.

    The tool runs in its own session and process group; when it ends, or after ``timeout_s`` seconds, the whole group
    is killed, in an adapter also what left the group (see ``stragglers``). ``env`` None means this process's
    environment. Each stream is kept up to ``max_bytes``. Raises ToolFailed if the tool can't be started; the ToolRun
    reports any other end. ``watch`` gets each chunk of stdout as it comes. Within ``limit_tools`` the shorter time
    counts.
    """
    with start_tool(argv, cwd=cwd, timeout_s=timeout_s, env=env, max_bytes=max_bytes, stdin=stdin) as tool:
        return tool.wait(watch)


@contextlib.contextmanager
def start_tool(
    argv: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path,
    timeout_s: float,
    env: Mapping[str, str] | None = None,
    max_bytes: int = MAX_OUTPUT_BYTES,
    stdin: bytes = b"",
) -> Iterator[RunningTool]:
    """Start ``argv`` as ``run_tool`` does, and let it run within this context; it is ended with the context.

    Its time begins now. Other tools can be run meanwhile, by the same thread.
    """
    if (limit := _LIMIT.get()) is not None:
        timeout_s = min(timeout_s, limit)
    vector = tuple(os.fspath(part) for part in argv)
    adopt_orphans()
    process: subprocess.Popen[bytes] | None = None
    try:
        with defer_sigterm():
            process = _start(vector, cwd, env, stdin)
        with keep_leader(process.pid):
            yield RunningTool(vector, process, time.monotonic() + timeout_s, max_bytes)
    finally:
        if process is not None:
            _finish(process)


def _start(vector: tuple[str, ...], cwd: Path, env: Mapping[str, str] | None, stdin: bytes) -> subprocess.Popen[bytes]:
    try:
        with _source(stdin) as source:
            return subprocess.Popen(
                vector,
                cwd=cwd,
                env=None if env is None else dict(env),
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ToolFailed(f"{clean_text(vector[0])!r} can't be started: {reason}", where=clean_text(str(cwd))) from error


@contextlib.contextmanager
def _source(stdin: bytes) -> Iterator[int]:
    """Open a file with the content of ``stdin``. A pipe would block if the tool doesn't read it."""
    if not stdin:
        yield subprocess.DEVNULL
        return
    with tempfile.TemporaryFile() as file:
        file.write(stdin)
        file.seek(0)
        yield file.fileno()


def _read(
    process: subprocess.Popen[bytes], deadline: float, max_bytes: int, watch: Callable[[bytes], None] | None
) -> tuple[tuple[bytearray, bytearray], bool]:
    """Read both pipes until they close, the leader has ended and been drained, or the deadline passes."""
    streams = (bytearray(), bytearray())
    leader = os.pidfd_open(process.pid)
    with selectors.DefaultSelector() as selector, open(leader, "rb", closefd=True, buffering=0):  # noqa: PTH123 - a pidfd
        for stream, pipe in zip(streams, (process.stdout, process.stderr), strict=True):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe.fileno(), selectors.EVENT_READ, stream)
        selector.register(leader, selectors.EVENT_READ, None)
        ended = False
        while selector.get_map():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                if ended:
                    break
                os.killpg(process.pid, signal.SIGTERM)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_GRACE_S)
                return streams, True
            for key, _ in selector.select(remaining):
                if key.data is None:
                    # The leader is gone: what it started must not keep the pipes open, nor the caller waiting.
                    selector.unregister(key.fd)
                    ended = True
                    _end_group(process.pid)
                    deadline = min(deadline, time.monotonic() + _GRACE_S)
                elif not _keep(key.fd, key.data, max_bytes, watch if key.data is streams[0] else None):
                    selector.unregister(key.fd)
    return streams, False


def _keep(fd: int, stream: bytearray, max_bytes: int, watch: Callable[[bytes], None] | None) -> bool:
    try:
        chunk = os.read(fd, _CHUNK)
    except BlockingIOError:
        return True
    if chunk and len(stream) <= max_bytes:
        stream += chunk
    if watch is not None:
        watch(chunk)
    return bool(chunk)


def _end(process: subprocess.Popen[bytes]) -> int:
    _end_group(process.pid)
    return process.wait()


def _finish(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:
        _end(process)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    end_stragglers()


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
