"""Report what ends a command other than by its own answer: an error, a signal, a fault of the gate itself."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from verigate.cli.options import ErrorStyle
from verigate.cli.output import print_json, say, use_colour, width
from verigate.errors import ExecutionError, GateError, Interrupted
from verigate.formats.visible import format_path

ERROR_SCHEMA = "verigate:error.v1"
_LITTLE_ROOM = 1_048_576
"""Bytes."""


def report_failure(problem: BaseException, *, arguments: Sequence[str], style: ErrorStyle) -> int:
    """Report what ended a command; return the exit code. ``arguments`` are for the log of a fault."""
    if isinstance(problem, KeyboardInterrupt):
        sys.stderr.write(f"gate: {Interrupted()}\n")
        return Interrupted.exit_code
    code = _report(problem, arguments, style)
    if code == 0 or not style.is_advisory:
        return code
    sys.stderr.write("gate: advisory: not verified, and nothing is blocked\n")
    return 0


def report_error(problem: GateError, style: ErrorStyle) -> None:
    """Print an expected error: what happened, where, what to try. Where JSON was asked for, print it on stdout too."""
    from verigate.reporting.console_lines import render_error

    if style.as_json:
        print_error_json(problem, is_advisory=style.is_advisory)
    if isinstance(problem, Interrupted):
        sys.stderr.write(f"gate: {problem}\n")
        return
    say(render_error(problem, colour=use_colour(sys.stderr), width=width()), err=True)


def print_error_json(problem: GateError, *, is_advisory: bool = False) -> None:
    """Print an error as a JSON document on stdout; in an advisory run it says that nothing is blocked."""
    print_json(
        {
            "schema": ERROR_SCHEMA,
            "code": problem.code,
            "exit_code": problem.exit_code,
            **({"advisory": "not verified, and nothing is blocked"} if is_advisory else {}),
            "faults": [
                {
                    "message": fault.message,
                    "file": fault.file,
                    "pointer": fault.pointer,
                    "line": fault.line,
                    "hint": fault.hint,
                }
                for fault in problem.faults
            ],
        }
    )


def _report(problem: BaseException, arguments: Sequence[str], style: ErrorStyle) -> int:
    if isinstance(problem, GateError):
        report_error(problem, style)
        return problem.exit_code
    if isinstance(problem, SystemExit) and os.environ.get("_GATE_COMPLETE"):
        return int(problem.code or 0)  # click has answered a shell that completes a command line
    if isinstance(problem, BrokenPipeError | SystemExit):
        # The reader of the output has left (``gate list | head``). click exits with 1 then, which means fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 3
    if isinstance(problem, OSError) and (refused := _refusal(problem)) is not None:
        report_error(refused, style)
        return refused.exit_code
    return _report_fault(problem, arguments, style)


def _refusal(problem: OSError) -> ExecutionError | None:
    """Return the error for a file or an output that the operating system refuses; None for any other OSError."""
    message = f"operating system error: {problem.strerror}"
    if problem.filename is not None:
        name = problem.filename if problem.filename2 is None else problem.filename2
        return ExecutionError(
            message, where=format_path(name), hint="check the file, its permissions and the free disk space"
        )
    if problem.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
        full = ", ".join(map(format_path, _find_full_places()))
        hint = "make room there" if full else "check the free disk space where the output goes"
        return ExecutionError(message, where=full or None, hint=hint)
    return None


def _find_full_places() -> list[str]:
    """Return where the gate writes and less than a MiB or a file is left: a failed write itself doesn't say where."""
    places = (os.environ.get("TMPDIR") or "/tmp", ".", os.environ.get("HOME") or "/")  # noqa: S108 - only looked at
    found = []
    for place in map(os.path.realpath, places):
        try:
            room = os.statvfs(place)
        except OSError:
            continue
        if room.f_blocks and (room.f_bavail * room.f_frsize < _LITTLE_ROOM or (room.f_files and not room.f_favail)):
            found.append(place)
    return list(dict.fromkeys(found))


def _report_fault(problem: BaseException, arguments: Sequence[str], style: ErrorStyle) -> int:
    """Report a fault of the gate itself, which is never a pass: a log to attach to a bug report, a line on stderr."""
    import platform
    import tempfile
    import traceback

    from verigate import __version__

    descriptor, path = tempfile.mkstemp(prefix="verigate-fault-", suffix=".log")
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as log:
        log.write(f"gate {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
        log.write(f"arguments: {list(arguments)!r}\n\n")
        traceback.print_exception(problem, file=log)
    kind = type(problem).__name__
    if style.as_json:
        fault = ExecutionError(f"internal error: {kind}", where=path)
        print_error_json(fault, is_advisory=style.is_advisory)
    sys.stderr.write(f"gate: internal error: {kind}; nothing was verified\n")
    sys.stderr.write(f"      report it with {path}\n")
    return 3
