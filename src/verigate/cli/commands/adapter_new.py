"""``gate adapter new``: create a working adapter to build on."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import DRY_RUN, JSON
from verigate.cli.output import print_json
from verigate.cli.target import find_repository
from verigate.reporting.escape import escape


@click.command(name="new")
@click.argument("name")
@click.option(
    "--language", "-l", required=True, metavar="LANGUAGE", help="python, node, bash, perl, ruby, go, rust, c or toml."
)
@click.option("--capability", "-c", metavar="DOMAIN:ACTION", help="The capability it provides; NAME:check by default.")
@click.option(
    "--into",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Create it in this folder; adapters/ of this repository by default.",
)
@with_options(DRY_RUN)
@with_options(JSON)
def command(name: str, language: str, capability: str | None, into: Path | None, dry_run: bool, as_json: bool) -> int:
    """Create a working adapter called NAME that passes `gate adapter check`.

    Writes a manifest, a schema, fixtures and tests; with toml one file that describes a command-line tool. Never
    overwrites a file.
    """
    from verigate.integrations.new_adapter import plan_new_files, write_new
    from verigate.integrations.new_adapter.languages import LANGUAGES

    files = plan_new_files(name, language, capability)
    tools = LANGUAGES[language].tools if language in LANGUAGES else ()
    target = (find_repository() / "adapters" if into is None else into) / name
    if not dry_run:
        write_new(target, files)
    shown = target.relative_to(Path.cwd()) if target.is_relative_to(Path.cwd()) else target
    following = f"gate adapter check {shlex.quote(str(shown))}"
    if as_json:
        print_json(
            {
                "schema": "verigate:adapter-new.v1",
                "dry_run": dry_run,
                "folder": str(shown),
                "files": [
                    {"path": file.path, "content": file.content, "executable": file.executable} for file in files
                ],
                "tools": list(tools),
                "next": following,
            }
        )
        return 0
    for file in files:
        click.echo(f"{'would write' if dry_run else 'wrote':<7} {escape(str(shown / file.path))}")
    if tools:
        missing = ", ".join(tool for tool in tools if shutil.which(tool) is None)
        click.echo(f"tools   {', '.join(tools)}{f'; not installed here: {missing}' if missing else ''}")
    if not dry_run:
        click.echo(f"next: {following}")
    return 0
