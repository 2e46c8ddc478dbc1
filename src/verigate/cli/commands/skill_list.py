"""``gate skill list``: the skills that an engine can run."""

from __future__ import annotations

import os

import click
import msgspec

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say
from verigate.cli.target import find_surrounding_repository
from verigate.reporting.escape import escape


@click.command(name="list")
@click.option("--engine", "-e", required=True, metavar="ENGINE", help="The engine, as in claude-cli.")
@with_options(JSON)
def command(engine: str, as_json: bool) -> int:
    """List the skills that ENGINE can run: yours, and its own. Shows how each reaches the model."""
    from verigate.usecases.skills import list_skills

    found = list_skills(engine, root=find_surrounding_repository(), environ=os.environ)
    if as_json:
        skills = [msgspec.to_builtins(skill) for skill in found]
        print_json({"schema": "verigate:skills.v1", "engine": engine, "skills": skills})
        return 0
    for skill in found:
        said = f"  {skill.description}" if skill.description else ""
        say(escape(f"{skill.id}  by {skill.delivery}{said}", limit=200))
    if not found:
        say("no skills: put a folder with a SKILL.md into ~/.config/verigate/skills", err=True)
    return 0
