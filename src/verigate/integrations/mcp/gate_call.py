"""One call of the gate's command line: a process of its own, ended with its descendants if the call is cancelled.

A process, not a thread: the gate handles signals in a main thread, and the server survives whatever happens to it.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, Process

from verigate.errors import ExecutionError
from verigate.integrations.mcp.tool_answer import EndedCall

MAX_OUTPUT = 64 * 1024 * 1024
"""Bytes of an answer; a longer one is an error."""

_GRACE_S = 10.0
"""The gate gives adapters two seconds to end, and then removes its folders."""
_LINES_KEPT = 200
_LINE_LENGTH = 1000

Heard = Callable[[str], Awaitable[None]]


async def call_gate(command: Sequence[str], folder: Path, environ: Mapping[str, str], heard: Heard) -> EndedCall:
    """Run ``command`` until it exits; ``heard`` gets each line of its stderr as it comes.

    A cancelled call sends it SIGTERM, waits until it has ended its adapters, and kills its process group if it doesn't
    end. Raises ExecutionError if it can't be started.
    """
    try:
        process = await anyio.open_process(
            command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except (OSError, ValueError) as problem:
        raise ExecutionError(
            f"can't start the gate: {problem}", where=str(folder), hint="check the folder of --root"
        ) from problem
    out, err = bytearray(), deque[str](maxlen=_LINES_KEPT)
    if process.stdout is None or process.stderr is None:
        raise RuntimeError("a process that was opened with pipes has none")
    try:
        async with anyio.create_task_group() as readers:
            readers.start_soon(_read_output, process.stdout, out)
            readers.start_soon(_read_log, process.stderr, err, heard)
            code = await process.wait()
    finally:
        with anyio.CancelScope(shield=True):
            await _end_process(process)
    return EndedCall(code, bytes(out) if len(out) <= MAX_OUTPUT else b"", tuple(err))


async def _read_output(stream: ByteReceiveStream, into: bytearray) -> None:
    async for chunk in stream:
        if len(into) <= MAX_OUTPUT:
            into += chunk


async def _read_log(stream: ByteReceiveStream, kept: deque[str], heard: Heard) -> None:
    rest = b""
    async for chunk in stream:
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[: 4 * _LINE_LENGTH]
        for line in lines:
            text = line.decode("utf-8", "replace").rstrip()[:_LINE_LENGTH]
            if text:
                kept.append(text)
                await heard(text)


async def _end_process(process: Process) -> None:
    """End a process that still runs, and close its pipes."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        with anyio.move_on_after(_GRACE_S):
            await process.wait()
    if process.returncode is None:
        # Not reaped yet, so that the group's id can't be another's.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.aclose()
