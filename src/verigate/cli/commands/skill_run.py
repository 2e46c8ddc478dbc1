"""``gate skill run``: run a skill by itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import ENGINE_SET, JSON
from verigate.cli.output import print_json, say, say_entry
from verigate.cli.target import find_surrounding_repository
from verigate.errors import UsageError
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.usecases.skills import SkillRun


@click.command(name="run")
@click.argument("name")
@click.option("--engine", "-e", required=True, metavar="ENGINE", help="The engine, as in claude-cli.")
@click.option("--prompt", "-p", default="", metavar="TEXT", help="What the template gets as parameter.prompt.")
@click.option("--input", "-i", "inputs", multiple=True, metavar="NAME=VALUE", help="An input; a file by its path.")
@click.option("--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter. Repeat for more.")
@with_options(ENGINE_SET)
@click.option("--into", metavar="DIR", type=click.Path(path_type=Path), help="Copy the artifacts to this new folder.")
@click.option("--timeout", "timeout_s", default=600.0, show_default=True, metavar="SECONDS", help="Time for the run.")
@click.option("--watch", is_flag=True, help="Show the engine's output on stderr while it works.")
@with_options(JSON)
def command(
    name: str,
    engine: str,
    prompt: str,
    inputs: tuple[str, ...],
    parameters: tuple[str, ...],
    engine_set: tuple[str, ...],
    into: Path | None,
    timeout_s: float,
    watch: bool,
    as_json: bool,
) -> int:
    """Run the skill NAME with an engine: configure, set up, build the prompt, execute, parse.

    NAME is a folder of ~/.config/verigate/skills, or a path with a slash, outside of this repository. The engine works
    outside of the sandbox, with your credentials. Prints the answer. Exits with 3 if the run failed.
    """
    from verigate import composition
    from verigate.usecases.skills import SkillCall, find_skill, read_input, read_parameter, run_skill
    from verigate.verifier.lifecycle.skill import read_skill
    from verigate.verifier.overrides import parse_overrides

    root = find_surrounding_repository()
    folder = find_skill(name, os.environ, root)
    skill = read_skill(folder)
    call = SkillCall(
        name,
        engine,
        prompt,
        {key: read_input(skill, key, text) for key, text in _split(inputs, "--input")},
        {key: read_parameter(skill, key, text) for key, text in _split(parameters, "--parameter")},
        parse_overrides(engine_set),
        timeout_s,
        into,
    )
    done = run_skill(
        call,
        folder,
        root=root,
        environ=os.environ,
        now=composition.now,
        watch=say_entry if watch else None,
    )
    if as_json:
        print_json(_document(done))
    else:
        _show(done)
    return 3 if done.result.failed else 0


def _split(words: tuple[str, ...], where: str) -> list[tuple[str, str]]:
    split = [word.partition("=") for word in words]
    bad = next((key for key, separator, _ in split if not separator or not key), None)
    if bad is not None:
        raise UsageError(f"{bad[:60]!r} is not NAME=VALUE", where=where, hint="as in data.csv=./my.csv")
    return [(key, value) for key, _, value in split]


def _document(done: SkillRun) -> dict[str, Any]:
    return {
        "schema": "verigate:skill-run.v1",
        "skill": done.skill,
        "engine": done.engine,
        "result": done.result.document(),
        "logs": done.logs,
        "copied": list(done.copied),
    }


def _show(done: SkillRun) -> None:
    import json

    result = done.result
    if result.failed:
        say(f"{escape(done.skill)} failed with {escape(done.engine)}: {result.error_code}", err=True)
        say(f"  {escape(result.error_message or '')}", err=True)
        if result.error_hint:
            say(f"  try: {escape(result.error_hint)}", err=True)
        say(f"  logs: {escape(done.logs)}", err=True)
        return
    if result.result_json is not None:
        _say_lines(json.dumps(result.result_json, indent=2, ensure_ascii=False))
    elif result.output:
        _say_lines(result.output)
    for artifact in result.artifacts:
        say(f"artifact: {escape(artifact.path)} ({artifact.size} bytes)", err=True)
    for path in done.copied:
        say(f"wrote: {escape(path)}", err=True)


def _say_lines(text: str) -> None:
    """Print a text that a model wrote: its lines stay, and nothing in it moves a cursor."""
    say("\n".join(escape(line, limit=len(line)) for line in text.split("\n")))
