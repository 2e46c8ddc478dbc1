"""Processes that count what is started, and that start something else in its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from verigate.conformance.engine_kit.replies import BrokenOutput
from verigate.domain.engine import Processes
from verigate.domain.execution import Invocation, Outcome

_PRINT = 'cat >/dev/null; cat -- "$1"; if [ "$3" != 0 ]; then kill -"$3" $$; fi; exit "$2"'
_PRINT_ENVIRONMENT = "cat >/dev/null; env; env >&2"


class WatchedProcesses:
    """``domain.engine.Processes`` over others. ``started`` are the invocations, ``printed`` the last one's stdout.

    ``instead`` is printed in place of what each program prints; ``shows_environment``: its environment is.
    """

    def __init__(self, inner: Processes, folder: Path) -> None:
        self._inner = inner
        self._file = folder / "instead"
        self.started: list[Invocation] = []
        self.printed = b""
        self.instead: BrokenOutput | None = None
        self.shows_environment = False

    async def run(self, invocation: Invocation, **options: Any) -> tuple[Outcome, bytes, bytes]:
        """Run it, or what stands in its place. See ``Processes.run``."""
        self.started.append(invocation)
        outcome, out, err = await self._inner.run(self._replace(invocation), **options)
        self.printed = out
        return outcome, out, err

    def _replace(self, invocation: Invocation) -> Invocation:
        if self.shows_environment:
            return replace(invocation, argv=("/bin/sh", "-c", _PRINT_ENVIRONMENT))
        if self.instead is None:
            return invocation
        self._file.write_bytes(self.instead.stdout)
        ends = (str(self.instead.exit_code), str(self.instead.signal or 0))
        environment: Mapping[str, str] = {"PATH": "/usr/bin:/bin", **invocation.env}
        argv = ("/bin/sh", "-c", _PRINT, "sh", str(self._file), *ends)
        return replace(invocation, argv=argv, env=environment)
