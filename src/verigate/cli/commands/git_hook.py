"""``gate git-hook``: do what an installed git hook does, for the installed hooks and for hook managers."""

from __future__ import annotations

import click

from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name


@click.command(name="git-hook", context_settings={"ignore_unknown_options": True})
@click.argument("hook")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--advisory", is_flag=True, help="Report without blocking.")
@click.option(
    "--message-follows",
    is_flag=True,
    help="For pre-commit: leave weakenings to the commit's message; your hook manager runs commit-msg with the gate.",
)
@click.option("--each-commit", is_flag=True, help="For pre-push: verify each commit by itself as well.")
def command(hook: str, arguments: tuple[str, ...], advisory: bool, message_follows: bool, each_commit: bool) -> int:
    """Run the git hook HOOK like the installed one, for hook managers. Pass ARGUMENTS and stdin on from git.

    HOOK is pre-commit, pre-merge-commit, commit-msg, pre-applypatch, pre-push or post-commit.
    """
    from verigate.cli.git_hook import run_hook
    from verigate.integrations.launchers import HOOKS

    if hook not in HOOKS:
        raise UsageError(f"there is no hook {hook!r}", where="git-hook", hint=suggest_name(hook, HOOKS))
    return run_hook(hook, arguments, advisory=advisory, message_follows=message_follows, each_commit=each_commit)
