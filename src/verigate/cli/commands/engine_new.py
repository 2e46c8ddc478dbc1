"""``gate engine new``: create a working engine to build on."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import DRY_RUN, JSON
from verigate.cli.output import print_json
from verigate.errors import UsageError
from verigate.reporting.escape import escape


@click.command(name="new")
@click.argument("name")
@click.option("--kind", "-k", required=True, metavar="KIND", help="program, python or http.")
@click.option(
    "--into",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Create it in this folder; by default ~/.config/verigate/engines, for python the current folder.",
)
@with_options(DRY_RUN)
@with_options(JSON)
def command(name: str, kind: str, into: Path | None, dry_run: bool, as_json: bool) -> int:
    """Create an engine called NAME that passes `gate engine check`: a program, a Python package or a server.

    It abstains from every question until you put your model in. Never overwrites a file.
    """
    from verigate.integrations.new_adapter import write_new
    from verigate.integrations.new_engine import plan_new_engine

    files = plan_new_engine(name, kind)
    target = (into or _choose_folder(kind)) / name
    if not dry_run:
        write_new(target, files)
    shown = target.relative_to(Path.cwd()) if target.is_relative_to(Path.cwd()) else target
    following = f"gate engine check {shlex.quote(f'./{shown}' if not shown.is_absolute() else str(shown))}"
    if as_json:
        print_json(
            {
                "schema": "verigate:engine-new.v1",
                "dry_run": dry_run,
                "folder": str(shown),
                "files": [
                    {"path": file.path, "content": file.content, "executable": file.executable} for file in files
                ],
                "next": following,
            }
        )
        return 0
    for file in files:
        click.echo(f"{'would write' if dry_run else 'wrote':<7} {escape(str(shown / file.path))}")
    if not dry_run:
        click.echo(f"next: {following}")
    return 0


def _choose_folder(kind: str) -> Path:
    """Return the folder in which engines are found, for a package the current one. Raises UsageError without a home."""
    from verigate.user_folders import UserFolders

    if kind == "python":
        return Path.cwd()
    found = UserFolders(os.environ).config("engines")
    if found is None:
        raise UsageError("there is no folder for your engines: HOME isn't set", hint="name a folder with --into")
    return Path(found)
