"""``gate doctor``: check this machine and this repository."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, use_colour
from verigate.cli.target import find_repository
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.doctor.finding import DoctorFinding
    from verigate.domain.engine import EnvironmentCheck

_WIDEST = 32
"""Cells of the widest column of codes."""


@click.command(name="doctor")
@click.argument("name", required=False)
@click.option(
    "--fix",
    is_flag=True,
    help="First rewrite outdated hooks and missing bytecode; with --tests, write what settles its findings.",
)
@click.option("--all", "everything", is_flag=True, help="Also show what this repository has no use for.")
@click.option("--tests", is_flag=True, help="Compare the repository's tests inside the sandbox and outside.")
@click.option("--outside", is_flag=True, help="With --tests, run them outside without asking.")
@click.option("--yes", is_flag=True, help="With --tests, agree to run outside and to each file of --fix.")
@click.option("--prove", "proves", is_flag=True, help="Plant a violation of each active rule: is it stopped?")
@click.option("--type", "task_type", default="code", show_default=True, help="With --prove, the type of the profile.")
@with_options(JSON)
def command(
    name: str | None,
    fix: bool,
    everything: bool,
    tests: bool,
    outside: bool,
    yes: bool,
    proves: bool,
    task_type: str,
    as_json: bool,
) -> int:
    """Check tools, sandbox, configuration, adapters, engines, hooks and keys, and show how to fix each problem.

    With NAME, check only this engine or adapter: its program or library, its version and the source of its
    credentials. Exits with 3 if it can't be used.

    Tests the installed hooks in a private clone: an honest and a false commit for pre-commit and pre-push, an honest
    and a false turn for coding agents. Exits with 2 if a configuration file or an adapter is invalid, with 3 if the
    gate can't give a verdict or a hook doesn't block.

    With --tests, runs the tests of the current commit in the sandbox and, if you agree, outside, where the project's
    own code has your rights. What fails inside only is explained from a trace, and a grant that helps is proven. Exits
    with 1 if tests fail.

    With --prove, verifies commits that nothing refers to, each with a violation of one rule of the profile. Exits with
    3 if one gets through, with 4 if a rule could not be proven. It runs the repository's checks once per plant.
    """
    from verigate.composition import doctor
    from verigate.composition.launcher import launcher
    from verigate.doctor.checks import find_worst_level
    from verigate.doctor.finding import Level

    if (outside or yes) and not tests:
        raise click.UsageError("--outside and --yes belong to --tests")
    if proves:
        if name is not None or fix or tests:
            raise click.UsageError("--prove takes no NAME, and neither --fix nor --tests")
        from verigate.cli.prove import prove

        return prove(find_repository(), task_type, as_json=as_json)
    if tests:
        if name is not None:
            raise click.UsageError("--tests takes no NAME")
        from verigate.cli.suite_check import check_suite

        return check_suite(find_repository(), outside=outside, fix=fix, yes=yes, as_json=as_json)
    if name is not None:
        return _check_one(name, as_json=as_json)
    root, starts = find_repository(), launcher()
    fixed = [*_rewrite_hooks(root, starts), *_write_bytecode()] if fix else []
    found = doctor.examine(root, os.environ, starts)
    findings = [item for item in found if everything or not item.detail]
    level = find_worst_level(findings)
    if as_json:
        print_json(
            {
                "schema": "verigate:doctor.v1",
                "level": level.value,
                "fixed": fixed,
                "checks": [
                    {"code": item.code, "level": item.level.value, "message": item.message, "hint": item.hint}
                    for item in findings
                ],
            }
        )
    else:
        for line in fixed:
            click.echo(f"fixed: {escape(line)}")
        _show(findings)
    if level is not Level.ERROR:
        return 0
    return 2 if any(item.invalid for item in found) else 3


def _check_one(name: str, *, as_json: bool) -> int:
    from verigate.composition import doctor
    from verigate.doctor.finding import DoctorFinding, Level

    tested = doctor.test_environment(find_repository(), name, os.environ)
    if as_json:
        print_json({"schema": "verigate:environment-test.v1", **tested.document()})
    else:
        _show(
            [
                DoctorFinding(item.code, Level(item.level.value), _with_detail(item), item.hint or "")
                for item in tested.checks
            ]
        )
        click.echo(f"{escape(name)}: {tested.status}")
    return 3 if tested.status == "fail" else 0


def _with_detail(check: EnvironmentCheck) -> str:
    return f"{check.message} ({check.detail})" if check.detail else check.message


def _rewrite_hooks(root: Path, starts: Sequence[str]) -> list[str]:
    from verigate.errors import UsageError
    from verigate.integrations.git.hooks import update_outdated

    try:
        changes = update_outdated(root, starts, environ=os.environ)
    except UsageError:
        return []  # There are no hooks here; the findings say why.
    return [f"{change.hook}: rewritten at {change.path}" for change in changes]


def _write_bytecode() -> list[str]:
    from verigate.config.builtin import find_builtin_root
    from verigate.doctor.bytecode import write_bytecode
    from verigate.errors import ExecutionError

    try:
        number = write_bytecode(find_builtin_root() / "adapters")
    except ExecutionError:
        return []  # The findings say that it is missing.
    return [f"bytecode: written for {number} files of the adapters"] if number else []


def _show(findings: Sequence[DoctorFinding]) -> None:
    """Print the findings; a hint that several in a row have comes once, after the last."""
    from verigate.doctor.finding import Level

    styles = {Level.INFO: ("✓", "green"), Level.WARN: ("!", "yellow"), Level.ERROR: ("✗", "red")}
    colour = use_colour(sys.stdout)
    # The longest of ours is blocks.pre-merge-commit; an engine's or adapter's name may be longer than a column should.
    column = max((len(item.code) for item in findings if len(item.code) <= _WIDEST), default=0)
    for item, following in zip(findings, (*findings[1:], None), strict=True):
        mark, shade = ("-", "white") if item.absent else styles[item.level]
        painted = click.style(mark, fg=shade) if colour else mark
        click.echo(f"{painted} {item.code:<{column}} {escape(item.message, limit=2000)}", color=colour)
        if item.hint and (following is None or following.hint != item.hint):
            click.echo(f"  try: {escape(item.hint)}")
