"""Run one of git's hooks as the gate does it, without click."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from verigate.cli.target import find_repository

OF_INDEX = frozenset({"pre-commit", "pre-merge-commit", "pre-applypatch"})
"""The hooks before a commit is made: its files are in the index."""


def run_hook(
    hook: str,
    arguments: tuple[str, ...],
    *,
    advisory: bool = False,
    message_follows: bool = False,
    each_commit: bool = False,
) -> int:
    """Run ``hook`` with git's arguments; return the exit code, also of what ends it before it can answer.

    ``message_follows``: the caller says that the gate's commit-msg runs after pre-commit, else that is looked for.
    ``each_commit``: pre-push verifies each commit by itself as well.
    """
    try:
        if hook in OF_INDEX:
            return _verify_index(hook, advisory=advisory, message_follows=message_follows)
        return _run(hook, arguments, advisory=advisory, each_commit=each_commit)
    except (Exception, KeyboardInterrupt, SystemExit) as problem:  # noqa: BLE001 - reported like that of any command
        from verigate.cli.failures import report_failure
        from verigate.cli.options import ErrorStyle

        style = ErrorStyle(is_advisory=advisory)
        return report_failure(problem, arguments=["git-hook", hook, *arguments], style=style)


def _run(hook: str, arguments: tuple[str, ...], *, advisory: bool, each_commit: bool) -> int:
    if hook == "commit-msg":
        from verigate.cli.commit_msg_hook import answer_commit_msg

        return answer_commit_msg(arguments, advisory=advisory)
    from verigate.composition.launcher import launcher
    from verigate.integrations.launchers import render_request

    script = render_request(hook, launcher(), advisory=advisory, each_commit=each_commit)
    code = subprocess.run(("/bin/sh", "-c", script, "gate git-hook", *arguments), check=False).returncode
    return code if code >= 0 else 128 - code


def _verify_index(hook: str, *, advisory: bool, message_follows: bool) -> int:
    """Verify the index, unless git only replays or searches commits that exist already."""
    from verigate.cli.output import say
    from verigate.cli.run_verify import run_verify
    from verigate.integrations.git.operations import (
        NOT_VERIFIED,
        describe_skipped,
        find_operation,
        find_patch_message,
    )

    root = find_repository()
    operation = find_operation(root, os.environ)
    if operation in NOT_VERIFIED:
        say(describe_skipped(operation), err=True)
        return 0
    # What is joined or picked may be anybody's work: the task at hand says nothing about it.
    of_others = hook != "pre-commit" or operation not in {None, "revert"}
    if hook == "pre-applypatch":
        # No other hook comes after it, and the message is there.
        message = find_patch_message(root, os.environ)
        return run_verify(None, staged=True, touched=True, advisory=advisory, message=message, of_others=True)

    def find_lack() -> str:
        from verigate.integrations.git.message_hook import find_message_lack  # few changes weaken anything

        return find_message_lack(root, os.environ)

    code = run_verify(
        None,
        staged=True,
        touched=True,
        advisory=advisory,
        of_others=of_others,
        find_lack=(lambda: "") if message_follows else find_lack,
    )
    if code != 0:
        _say_half_staged(root)
    else:
        _say_left_out(root)
    return code


def _say_half_staged(root: Path) -> None:
    """Say which files of the commit differ in the work tree: what was refused may be fixed there already."""
    from verigate.cli.output import say
    from verigate.formats.visible import format_path
    from verigate.integrations.git.half_staged import find_half_staged

    found = find_half_staged(root, os.environ)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        changes = "has changes that aren't" if len(found) == 1 else "have changes that aren't"
        say(f"verigate: {format_path(found[0])}{more} {changes} staged: the commit doesn't have them", err=True)


def _say_left_out(root: Path) -> None:
    """Say that the claim that was verified isn't part of the commit: whoever verifies that later has another one."""
    from verigate.cli.output import say
    from verigate.config.which_task import read_current_task
    from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE, task_path
    from verigate.integrations.git.half_staged import find_left_out

    task_id = read_current_task(root)
    found = [] if task_id is None else find_left_out(
        root, os.environ, [task_path(task_id, name) for name in (CLAIM_FILE, COMMITMENT_FILE)]
    )  # fmt: skip
    if found:
        names, verb = " and ".join(found), "isn't" if len(found) == 1 else "aren't"
        say(f"verigate: {names} {verb} staged, so CI won't see what was verified: git add {' '.join(found)}", err=True)
