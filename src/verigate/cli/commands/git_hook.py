"""``gate git-hook``: do what an installed git hook does, for hook managers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click

from verigate.cli.target import find_repository
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name


@click.command(name="git-hook", context_settings={"ignore_unknown_options": True})
@click.argument("hook")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--advisory", is_flag=True, help="Report without blocking.")
def command(hook: str, arguments: tuple[str, ...], advisory: bool) -> int:
    """Run the git hook HOOK like the installed one, for hook managers. Pass ARGUMENTS and stdin on from git.

    HOOK is pre-commit, commit-msg, pre-push or post-commit.
    """
    from verigate.integrations.launchers import HOOKS, render_request

    if hook not in HOOKS:
        raise UsageError(f"there is no hook {hook!r}", where="git-hook", hint=suggest_name(hook, HOOKS))
    if hook == "pre-commit":
        return _verify_index(advisory=advisory)
    if hook == "commit-msg" and not advisory:
        _name_task(arguments)
        return 0
    from verigate.composition.launcher import launcher

    script = render_request(hook, launcher(), advisory=advisory)
    code = subprocess.run(("/bin/sh", "-c", script, "gate git-hook", *arguments), check=False).returncode
    return code if code >= 0 else 128 - code


def _verify_index(*, advisory: bool) -> int:
    """Verify the index, unless git only replays, joins or searches commits that exist already."""
    from verigate.cli.app import run
    from verigate.integrations.git.operations import NOT_VERIFIED, describe_skipped, find_operation

    operation = find_operation(find_repository(), os.environ)
    if operation in NOT_VERIFIED:
        click.echo(describe_skipped(operation), err=True)
        return 0
    return run(("verify", "--staged", "--touched", *(("--advisory",) if advisory else ())))


def _name_task(arguments: tuple[str, ...]) -> None:
    """Add the Gate-Task trailer of the task that was verified, if any. The trailer of HEAD is another commit's."""
    from verigate.config.task_history import TaskHistory
    from verigate.config.which_task import choose_task
    from verigate.integrations.git.commit_message import add_trailer

    if len(arguments) != 1:
        raise UsageError(
            f"commit-msg takes one file, not {len(arguments)}",
            where="git-hook commit-msg",
            hint="pass on the argument that git gave: the file with the message",
        )
    root = find_repository()
    choice = choose_task(None, os.environ, root, TaskHistory(root, os.environ, staged=True, trailers=False))
    if choice.task_id is not None:
        add_trailer(Path(arguments[0]).absolute(), choice.task_id, root, os.environ)
