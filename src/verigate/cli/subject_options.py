"""The task and the subject that a command is about, as options."""

from __future__ import annotations

from functools import wraps
from typing import Any

import click

from verigate.cli.target import Target, here


def task_argument(function: Any) -> Any:
    """TASK_ID, optional."""
    return click.argument("task_id", required=False)(function)


def not_empty(option: str, value: str | None) -> None:
    """Refuse an option without a value: of a shell's variable that isn't set, the default is not what was meant."""
    if value is not None and not value.strip():
        raise click.UsageError(f"{option} is empty; give it a value, or leave it out")


def subject_options(function: Any) -> Any:
    """``--staged``, ``--ref``, ``--base`` and ``--profile``; the command gets one ``target`` instead."""

    # click keeps the options that a function has so far in its __dict__, which goes along.
    @wraps(function)
    def with_target(
        task_id: str | None, staged: bool, ref: str | None, base: str | None, profile: str | None, **others: Any
    ) -> Any:
        if staged and ref is not None:
            raise click.UsageError("--staged and --ref name two different subjects; use one of them")
        for option, value in (("--ref", ref), ("--base", base), ("--profile", profile)):
            not_empty(option, value)
        return function(target=Target(here(), task_id, staged, ref, base, profile), **others)

    decorated: Any = with_target
    for option in (
        click.option("--profile", metavar="NAME", help="Judge by this profile."),
        click.option("--base", metavar="COMMIT", help="Compare with this commit."),
        click.option("--ref", metavar="REF", help="Verify this commit."),
        click.option("--staged", is_flag=True, help="Verify the index: what the next commit would hold."),
    ):
        decorated = option(decorated)
    return decorated
