"""``gate git-hook``: what an installed git hook does, for hook managers that call commands."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click

from verigate.cli.target import branch_name, find_repository
from verigate.errors import UsageError
from verigate.formats.near_names import suggestion


@click.command(name="git-hook", context_settings={"ignore_unknown_options": True})
@click.argument("hook")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--advisory", is_flag=True, help="Report and never block.")
def command(hook: str, arguments: tuple[str, ...], advisory: bool) -> int:
    """Answer the git hook HOOK as the installed one does; for hook managers. ARGUMENTS and stdin are git's.

    HOOK is pre-commit, commit-msg, pre-push or post-commit.
    """
    from verigate.integrations.launchers import HOOKS, alone

    if hook not in HOOKS:
        raise UsageError(f"no such hook: {hook}", where="git-hook", hint=suggestion(hook, HOOKS))
    if hook == "pre-commit":
        from verigate.cli.app import run

        return run(("verify", "--staged", *(("--advisory",) if advisory else ())))
    if hook == "commit-msg" and not advisory:
        _name_task(arguments)
        return 0
    from verigate.composition.launcher import launcher

    script = alone(hook, launcher(), advisory=advisory)
    code = subprocess.run(("/bin/sh", "-c", script, "gate git-hook", *arguments), check=False).returncode
    return code if code >= 0 else 128 - code


def _name_task(arguments: tuple[str, ...]) -> None:
    """The Gate-Task trailer of the task that is current; nothing where none is. HEAD's trailer is of another commit."""
    from verigate.config.which_task import choose
    from verigate.integrations.git.commit_message import add_trailer

    if len(arguments) != 1:
        raise UsageError(
            f"commit-msg takes one file, not {len(arguments)}",
            where="git-hook commit-msg",
            hint="pass on the argument that git gave: the file with the message",
        )
    root = find_repository()
    choice = choose(None, os.environ, root, trailer=lambda: None, branch=lambda: branch_name(root))
    if choice.task_id is not None:
        add_trailer(Path(arguments[0]).absolute(), choice.task_id, root, os.environ)
