"""Archives in the body of a request: their type, their size, and how long they may take."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.requests import ClientDisconnect, Request

from verigate.evidence.task_archive import LARGEST
from verigate.serve.web.api.operations import RefusedError

TAR = "application/x-tar"
_LONGEST_S = 300.0
_GRACE_S = 10.0
_SLOWEST = 64 * 1024
"""Bytes a second, on average, that must come once the grace is over: a slow sender holds others up."""


def check_size(request: Request) -> None:
    """Refuse a body that isn't tar, or says itself that it is too large, before any of it is read."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != TAR:
        raise RefusedError(415, f"its type is not {TAR}", "send tar, not compressed")
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 15 or int(length) > LARGEST):
        raise _too_large()


async def receive_archive(request: Request, archive: Path) -> None:
    """Write the body of a request to a new file. Raises RefusedError if it is too large or takes too long."""
    written = 0
    try:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with asyncio.timeout(_GRACE_S) as limit:
            with archive.open("xb") as file:
                async for chunk in request.stream():
                    written += len(chunk)
                    limit.reschedule(began + min(_GRACE_S + written / _SLOWEST, _LONGEST_S))
                    if written > LARGEST:
                        raise _too_large()
                    file.write(chunk)
    except TimeoutError:
        text = f"it came too slowly: {_SLOWEST // 1024} KiB a second are expected, and all of it in {_LONGEST_S:.0f} s"
        raise RefusedError(408, text, "try again") from None
    except ClientDisconnect:
        raise RefusedError(400, "the body ended before its end", "send it again") from None


def _too_large() -> RefusedError:
    return RefusedError(413, f"it has more than {LARGEST:,} bytes", "send less")
