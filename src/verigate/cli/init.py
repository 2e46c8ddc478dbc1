"""``gate init``: what the gate needs in a repository, from what is found there."""

from __future__ import annotations

import click

from verigate.cli.output import json_option, print_json
from verigate.cli.target import here
from verigate.reporting.escape import escape


@click.command(name="init")
@click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
@json_option
def command(dry_run: bool, as_json: bool) -> int:
    """Detect the stack and write config/ and .artifacts/.gitignore. Never overwrites a file."""
    from verigate.integrations.init_files import init_files, write_files
    from verigate.integrations.stack import detect

    root = here()
    stack = detect(root)
    planned = init_files(root, stack)
    written = () if dry_run else write_files(root, planned)
    if as_json:
        print_json(
            {
                "schema": "verigate:init.v1",
                "dry_run": dry_run,
                "found": [{"kind": item.kind, "name": item.name, "path": item.path} for item in stack.findings],
                "notes": list(stack.notes),
                "files": [
                    {
                        "path": item.path,
                        "content": item.content,
                        "exists": item.exists,
                        "written": item.path in written,
                    }
                    for item in planned
                ],
            }
        )
        return 0
    for item in stack.findings:
        click.echo(f"found   {item.kind:<9} {escape(item.name):<12} {escape(item.path)}")
    for note in stack.notes:
        click.echo(f"note    {escape(note)}")
    for file in planned:
        if file.exists:
            click.echo(f"kept    {file.path}")
        elif dry_run:
            click.echo(f"would write {file.path}:\n{file.content.rstrip()}")
        else:
            click.echo(f"wrote   {file.path}")
    if not dry_run:
        click.echo("next: commit these files, then `gate install` for the git hooks, or `gate verify` to see a verdict")
    return 0
