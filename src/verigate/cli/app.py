"""The ``gate`` group: its commands are imported only when they are called."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

import click

from verigate import __version__
from verigate.cli.command_group import LazyGroup
from verigate.cli.output import complain, is_advisory, print_error_json, wants_json
from verigate.errors import ExecutionError, GateError, UsageError
from verigate.reporting.exit_codes import in_one_line

COMMANDS: dict[str, tuple[str, str]] = {
    "verify": ("verify", "Verify a task, or what is about to be committed."),
    "plan": ("plan", "Show what would run and why; nothing is executed."),
    "start": ("start", "Begin a task: write its commitment."),
    "claim": ("claim", "Say what was done: write the claim of a task."),
    "route": ("route", "Show which facts prose would have to agree with."),
    "do": ("do", "Say in words what a command-line tool is to do."),
    "show": ("show", "Show the verdict of a task."),
    "explain": ("explain", "Explain a verdict, or one of its checks, down to the evidence."),
    "replay": ("replay", "Decide again from the published evidence; nothing is executed."),
    "list": ("list_tasks", "List the tasks of this repository."),
    "adapters": ("adapters", "Show the adapters and what they provide."),
    "adapter": ("adapter", "Begin an adapter, or check one against the contract."),
    "media": ("media", "Show what a spec ID resolves to, and from where."),
    "schema": ("schema", "Print a JSON Schema."),
    "baseline": ("baseline", "Leave findings that are there already out, until a date."),
    "init": ("init", "Set the gate up in this repository."),
    "install": ("install", "Install the git hooks, or the hooks of coding agents."),
    "uninstall": ("uninstall", "Remove them."),
    "git-hook": ("git_hook", "Answer a git hook, for hook managers."),
    "hook": ("hook", "Answer a hook of a coding agent."),
    "mcp": ("mcp", "Serve the gate's commands as tools of a coding agent (MCP)."),
    "demo": ("demo", "Watch the gate pass an honest task and stop two lying ones."),
    "config": ("config", "Show how the configuration of a verifier's engine comes about."),
    "doctor": ("doctor", "Check this machine and this repository, an engine or an adapter."),
    "completion": ("completion", "Print the shell completion script."),
}
"""Command -> (module below ``verigate.cli.commands``, one line of help)."""


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=in_one_line(),
)
@click.option("-C", "folder", type=click.Path(file_okay=False, exists=True), help="Run as if started in this folder.")
@click.version_option(__version__, "-V", "--version", prog_name="gate", message="%(prog)s %(version)s")
def gate(folder: str | None) -> None:
    """Verify that what is claimed to be done is done.

    Adapters report facts about a change; the gate compares them with what was committed to and what was claimed.
    """
    if folder is not None:
        os.chdir(folder)


def run(arguments: Sequence[str]) -> int:
    """Run the command line; returns the exit code."""
    try:
        result = gate.main(list(arguments), prog_name="gate", standalone_mode=False)
    except (Exception, KeyboardInterrupt, SystemExit) as problem:  # noqa: BLE001 - the one place where a fault ends
        return told(problem, arguments)
    return int(result or 0)


def told(problem: BaseException, arguments: Sequence[str]) -> int:
    """Say what ended a command; returns the exit code."""
    if isinstance(problem, click.ClickException):
        problem.show()
        if wants_json(arguments):
            print_error_json(UsageError(problem.format_message()))
        return 2
    if isinstance(problem, GateError):
        complain(problem, arguments)
        return _let_go(problem.exit_code, arguments)
    if isinstance(problem, KeyboardInterrupt | click.exceptions.Abort):
        sys.stderr.write("gate: interrupted; no verdict was written\n")
        return 130
    if isinstance(problem, BrokenPipeError | SystemExit):
        return _let_go(_ended(problem), arguments)
    return _let_go(_unexpected(problem, arguments), arguments)


def _let_go(code: int, arguments: Sequence[str]) -> int:
    """The exit code of an error: 0 after ``verify --advisory``, which never blocks; it says "not verified"."""
    if code in {0, 130} or not is_advisory(arguments):
        return code
    sys.stderr.write("gate: advisory: not verified, and nothing is blocked\n")
    return 0


def _ended(ended: BrokenPipeError | SystemExit) -> int:
    if isinstance(ended, SystemExit) and os.environ.get("_GATE_COMPLETE"):
        return int(ended.code or 0)  # click has answered a shell that completes a command line
    # The reader of our output has left (``gate list | head``); nobody is there to be told. click makes that an exit
    # with 1, which is how a verdict of fail ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 3


def _unexpected(problem: BaseException, arguments: Sequence[str]) -> int:
    """What no other error speaks for: the machine refused a file, or the gate has a fault of its own. Never a pass.

    A fault leaves a log to paste into a report and one sentence on screen.
    """
    if isinstance(problem, OSError) and problem.filename is not None:
        name = problem.filename if problem.filename2 is None else problem.filename2
        where = os.fsencode(name).decode("utf-8", "backslashreplace")
        hint = "look at what is there, at its permissions and at the room on the disk"
        complain(ExecutionError(f"the machine refused: {problem.strerror}", where=where, hint=hint), arguments)
        return ExecutionError.exit_code
    if isinstance(problem, OSError) and problem.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
        hint = "look at the room on the disk that the output goes to"
        complain(ExecutionError(f"the machine refused to write: {problem.strerror}", hint=hint), arguments)
        return ExecutionError.exit_code
    import platform
    import tempfile
    import traceback

    descriptor, path = tempfile.mkstemp(prefix="verigate-fault-", suffix=".log")
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as log:
        log.write(f"gate {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
        log.write(f"arguments: {list(arguments)!r}\n\n")
        traceback.print_exception(problem, file=log)
    if wants_json(arguments):
        fault = ExecutionError(f"a fault of the gate itself: {type(problem).__name__}", where=path)
        print_error_json(fault, advisory=is_advisory(arguments))
    sys.stderr.write(f"gate: a fault of the gate itself: {type(problem).__name__}; nothing was verified\n")
    sys.stderr.write(f"      please report it with {path}\n")
    return 3
