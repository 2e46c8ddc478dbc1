"""Define the ``gate`` command group; it imports a command only when that is called."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from verigate import __version__
from verigate.cli.click_options import as_parameter
from verigate.cli.command_group import LazyGroup
from verigate.cli.failures import print_error_json, report_failure
from verigate.cli.options import FORMAT, JSON_FORMAT, ErrorStyle, error_style
from verigate.errors import UsageError
from verigate.reporting.exit_codes import format_exit_codes

COMMANDS: dict[str, tuple[str, str]] = {
    "verify": ("verify", "Verify a task, or the changes you are about to commit."),
    "merge": ("merge", "Merge the shards of a range to one verdict."),
    "plan": ("plan", "Show what would run and why, without running it."),
    "start": ("start", "Start a task: write its commitment."),
    "claim": ("claim", "Claim what was done in a task."),
    "end": ("end", "End a task: it is no longer the current one."),
    "route": ("route", "Show how the sentences of a claim are read, and what they are compared with."),
    "do": ("do", "Run a command-line tool from a plain-English request."),
    "show": ("show", "Show the verdict of a task."),
    "badge": ("badge", "Draw the verdict of a task as a badge."),
    "explain": ("explain", "Explain a verdict or one of its checks by its evidence."),
    "output": ("output", "Show what a capability printed, such as a tool that crashed."),
    "log": ("log", "Compare the messages of commits with what the commits do."),
    "history": ("history", "Show what past sessions of coding agents on this machine say."),
    "replay": ("replay", "Recompute a verdict from its published evidence."),
    "attest": ("attest", "Sign statements about a verdict that other programs read, and verify them."),
    "list": ("list_tasks", "List the tasks of this repository."),
    "adapters": ("adapters", "Show the adapters and their capabilities, and the engines."),
    "adapter": ("adapter", "Create an adapter, or check one against the contract."),
    "engine": ("engine", "Create an engine for verifiers, or check one against the contract."),
    "skill": ("skill", "Run a skill with an engine, or list skills."),
    "media": ("media", "Show what the type of an artifact (a media spec) means, for authors of adapters."),
    "schema": ("schema", "Print a JSON Schema."),
    "approve": ("approve", "Approve a change of policy or a weakened check, with a signature."),
    "false-block": ("false_block", "Report that a verdict blocked what should have passed."),
    "baseline": ("baseline", "Suppress existing findings and failing tests until an expiry date."),
    "init": ("init", "Set up the gate in this repository."),
    "install": ("install", "Install the git hooks, or the hooks of a coding agent."),
    "uninstall": ("uninstall", "Remove these hooks."),
    "git-hook": ("git_hook", "Run a git hook, for hook managers."),
    "hook": ("hook", "Answer a hook of a coding agent."),
    "push": ("push", "Send a verdict with its evidence to a server that shows it."),
    "serve": ("serve", "Show tasks, their evidence and history in a browser."),
    "worker": ("worker", "Run capabilities for other machines, handed out by a server (remote execution)."),
    "mcp": ("mcp", "Serve the gate's commands as MCP tools for a coding agent."),
    "demo": ("demo", "Watch the gate pass an honest task and block two false claims."),
    "config": ("config", "Explain where each setting of an engine (a language model) comes from."),
    "doctor": ("doctor", "Check this machine and this repository, an engine or an adapter."),
    "cache": ("cache", "Show, check and remove what is kept for the next run."),
    "gc": ("gc", "Remove what finished runs of engines (language models) left."),
    "completion": ("completion", "Print the shell completion script."),
}
"""Command -> (module below ``verigate.cli.commands``, one line of help)."""


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=format_exit_codes(),
)
@click.option("-C", "folder", type=click.Path(file_okay=False, exists=True), help="Run as if started in this folder.")
@click.version_option(__version__, "-V", "--version", prog_name="gate", message="%(prog)s %(version)s")
def gate(folder: str | None) -> None:
    """Verify that claimed work is done.

    Adapters report facts about a change. The gate compares them with the commitment and the claim.
    """
    if folder is not None:
        os.chdir(folder)


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code."""
    styles: list[ErrorStyle] = []  # with_options adds that of the command that is called
    try:
        result = gate.main(list(arguments), prog_name="gate", standalone_mode=False, obj=styles)
    except click.ClickException as problem:
        problem.show()
        if _asks_for_json(arguments):
            print_error_json(UsageError(problem.format_message()))
        return 2
    except (Exception, KeyboardInterrupt, SystemExit) as problem:  # noqa: BLE001 - the one place where a fault ends
        ended = KeyboardInterrupt() if isinstance(problem, click.Abort) else problem
        return report_failure(ended, arguments=arguments, style=styles[-1] if styles else ErrorStyle())
    return int(result or 0)


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Return whether a command line that click refuses asks for JSON; click reads it again for that alone."""
    options = (JSON_FORMAT, FORMAT)
    command = click.Command("gate", params=[as_parameter(option) for option in options])
    context = click.Context(command, ignore_unknown_options=True, resilient_parsing=True)
    command.parse_args(context, list(arguments))
    return error_style(options, context.params).as_json
