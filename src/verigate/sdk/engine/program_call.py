"""Run one program for an engine: supervised, streamed into the run log, and ended in time."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence

from msgspec import Struct

from verigate.domain.engine import EngineServices, ExecutionContext
from verigate.domain.execution import Invocation
from verigate.errors import ExecutionError
from verigate.sdk.engine.environment import find_command

MAX_OUTPUT_BYTES = 16 * 1024 * 1024


class ProgramOutput(Struct, frozen=True):
    """How a program ended, and what it printed. ``signal`` is a name (``SIGKILL``); ``cut``: not all is kept."""

    exit_code: int | None
    signal: str | None
    timed_out: bool
    stdout: str
    stderr: str
    cut: bool = False

    @property
    def failed(self) -> bool:
        """Whether it failed. After a signal or a timeout it has, whatever it printed."""
        return self.exit_code != 0 or self.signal is not None or self.timed_out


async def run_program(
    services: EngineServices,
    ctx: ExecutionContext,
    command: Sequence[str],
    *,
    prompt: str,
    environ: Mapping[str, str],
    timeout_s: float,
    cwd: str | None = None,
    silence_s: float | None = None,
    grace_s: float = 2.0,
) -> ProgramOutput:
    """Run ``command``, an argument vector, with ``prompt`` on its stdin. Raises ExecutionError if it can't be started.

    It has a process group of its own, and nothing of it outlives it or the gate. At ``timeout_s``, or after
    ``silence_s`` without output, it gets TERM, ``grace_s`` later KILL. Its output goes to ``ctx.on_log``, without
    secrets. ``cwd`` is by default the private folder of the run.
    """
    if services.processes is None:
        raise ExecutionError("nothing here may start processes")
    program = find_command(command, environ)
    if program is None:
        name = command[0] if command else "the empty command"
        raise ExecutionError(f"{name} is not on PATH", hint="install it, or set the command in the engine's options")
    argv = (program, *command[1:])
    invocation = Invocation(argv, cwd or services.run_root, dict(environ), timeout_s, MAX_OUTPUT_BYTES)
    outcome, stdout, stderr = await services.processes.run(
        invocation,
        stdin=prompt.encode("utf-8", "backslashreplace"),
        silence_s=silence_s,
        grace_s=grace_s,
        on_log=ctx.on_log,
        on_spawn=ctx.on_spawn,
    )
    return ProgramOutput(
        outcome.exit_code,
        None if outcome.signal is None else _name_signal(outcome.signal),
        outcome.timed_out,
        stdout.decode("utf-8", "replace"),
        stderr.decode("utf-8", "replace"),
        outcome.stdout_bytes > MAX_OUTPUT_BYTES,
    )


def _name_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
