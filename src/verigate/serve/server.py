"""Listen at an address, and answer until a signal ends it."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from verigate.errors import UsageError
from verigate.serve.bounded_http import BoundedHttp

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_GRACE_S = 3
_BACKLOG = 256


def listen(address: str, port: int) -> socket.socket:
    """Listen at an address; port 0 takes a free one. Raises UsageError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as problem:
        listening.close()
        reason = getattr(problem, "strerror", None) or str(problem)
        hint = "choose another --port, or --port 0 for a free one"
        raise UsageError(f"can't listen there: {reason}", where=f"{address}:{port}", hint=hint) from problem
    return listening


def answer_requests(app: ASGIApp, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests at a socket until SIGINT or SIGTERM; ``ready`` is called when the first can be answered."""

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_S,
        limit_concurrency=1000,
        http=BoundedHttp,
    )
    # The signal that ended it comes again when it has ended. That is the way in which a server ends.
    with contextlib.suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listening])
