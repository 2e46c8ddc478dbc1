"""``gate start``: write the commitment before the work."""

from __future__ import annotations

import os
import secrets
from typing import Any

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import BASE, JSON, PROFILE
from verigate.cli.output import print_json, warn
from verigate.cli.target import find_repository
from verigate.errors import UsageError


@click.command(name="start")
@task_argument
@click.option("--type", "task_type", default="code", show_default=True, help="Task type: a key of the plan file.")
@with_options(PROFILE._replace(help="Apply this profile; it can only be stricter than the type's, the default."))
@click.option("--instruction", "-m", help="The instruction of the user.")
@click.option("--file", "files", multiple=True, help="A file or glob that the work will change. Repeat for more.")
@click.option(
    "--function",
    "functions",
    multiple=True,
    help="A function that must be added or changed, spelled as its language does. Repeat for more.",
)
@click.option(
    "--endpoint", "endpoints", multiple=True, help="An endpoint that must be added or changed. Repeat for more."
)
@click.option(
    "--fix", "fixes", multiple=True, help="A test that must fail on the base and pass on the subject. Repeat for more."
)
@click.option("--directory", help="The folder that the work is limited to.")
@click.option("--url", help="The site or service that the work is about.")
@click.option("--expected-total", type=click.IntRange(min=0), help="The expected number of units of work.")
@click.option(
    "--quality",
    multiple=True,
    metavar="KEY=VALUE",
    help="A rule that this task must meet, such as coverage_min=0.9. Repeat for more.",
)
@with_options(BASE._replace(help="Compare with this commit; HEAD by default."), JSON)
def command(
    task_id: str | None,
    task_type: str,
    profile: str | None,
    instruction: str | None,
    files: tuple[str, ...],
    functions: tuple[str, ...],
    endpoints: tuple[str, ...],
    fixes: tuple[str, ...],
    directory: str | None,
    url: str | None,
    expected_total: int | None,
    quality: tuple[str, ...],
    base: str | None,
    as_json: bool,
) -> int:
    """Start TASK_ID: write .artifacts/TASK_ID/commitment.json and make it the current task."""
    from verigate.composition import tasks
    from verigate.config.which_task import check_task_id

    chosen = check_task_id(task_id if task_id is not None else f"T_{secrets.token_hex(4)}", "the command line")
    scope = {
        "files": list(files),
        "functions": list(functions),
        "endpoints": list(endpoints),
        "fixes": list(fixes),
        "target_directory": directory,
        "target_url": url,
    }
    commitments: dict[str, Any] = {"scope": {key: value for key, value in scope.items() if value}}
    if expected_total is not None:
        commitments["expected_total"] = expected_total
    if quality:
        commitments["quality"] = dict(_quality(item) for item in quality)
    document: dict[str, Any] = {"task_id": chosen, "type": task_type}
    document |= {key: value for key, value in (("profile", profile), ("user_instruction", instruction)) if value}
    if any(commitments.values()):
        document["commitments"] = {key: value for key, value in commitments.items() if value != {}}
    root = find_repository()
    begun = tasks.begin_task(root, document, base, os.environ)
    warn(begun.warnings)
    source = begun.policy
    if as_json:
        named = {"policy_ref": source.document()} if source is not None else {}
        print_json({"schema": "verigate:start.v1", "task_id": chosen, "path": str(begun.path), **named})
    else:
        click.echo(f"{chosen} started: {begun.path.relative_to(root)}")
        if source is not None:
            click.echo(f"policy of {source.name} ({source.commit[:12]}), named by {source.where}")
        click.echo(f"next: do the work, then `gate claim {chosen} file:PATH func:NAME ...` and `gate verify {chosen}`")
    return 0


def _quality(item: str) -> tuple[str, Any]:
    import json

    key, equals, value = item.partition("=")
    if not equals:
        raise UsageError(f"{item!r} is not KEY=VALUE", where="--quality", hint="for instance coverage_min=0.9")
    try:
        return key.strip(), json.loads(value)
    except ValueError:
        return key.strip(), value
