"""``gate demo``: verify an honest task and two false claims in a temporary repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from verigate.cli.output import use_colour
from verigate.errors import ExecutionError
from verigate.integrations.sample import Story


@click.command(name="demo")
@click.option("--keep", is_flag=True, help="Keep the repository and print its path.")
def command(keep: bool) -> int:
    """Build a small repository, verify an honest task and two false claims, and show each verdict.

    Needs git and downloads nothing. Exits with 0 if the honest task passes and both false claims are blocked.
    """
    from verigate.integrations.sample import build_repository, make_stories

    clock = time.monotonic()
    with_node = shutil.which("node") is not None
    root = Path(tempfile.mkdtemp(prefix="gate-demo-"))
    shop = root / "shop"
    shop.mkdir()
    try:
        click.echo(f"building a repository in {shop}")
        if not with_node:
            click.echo("node is not on PATH: the JavaScript half is left out")
        build_repository(shop, with_node=with_node)
        outcomes = [_play(shop, story) for story in make_stories(with_node=with_node)]
    finally:
        if not keep:
            shutil.rmtree(root, ignore_errors=True)
    _print_summary(outcomes, time.monotonic() - clock)
    if keep:
        click.echo(f"the repository is in {shop}; try: cd {shop} && gate explain failing-tests")
    return 0 if all(good for _, good in outcomes) else ExecutionError.exit_code


def _play(shop: Path, story: Story) -> tuple[Story, bool]:
    from verigate.integrations.sample import commit_all, run_git, write_files

    click.echo(f"\n{click.style(story.title, bold=use_colour(sys.stdout))}", color=use_colour(sys.stdout))
    _gate(shop, "start", story.task_id, *story.start)
    write_files(shop, story.files)
    _gate(shop, "claim", story.task_id, *story.claim)
    code = _gate(shop, "verify", story.task_id)
    if code == 0:
        commit_all(shop, f"{story.start[1]}\n\nGate-Task: {story.task_id}")
    else:
        run_git(shop, "stash", "--quiet", "--include-untracked")
    return story, code == story.expected_exit


def _gate(shop: Path, *arguments: str) -> int:
    """Print the command line, run it with the same output, and return its exit code."""
    import shlex

    click.echo(f"$ gate {shlex.join(arguments)}")
    sys.stdout.flush()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GATE_")}
    environ.pop("VIRTUAL_ENV", None)
    return subprocess.run(
        (sys.executable, "-I", "-m", "verigate", *arguments), cwd=shop, env=environ, check=False
    ).returncode


def _print_summary(outcomes: list[tuple[Story, bool]], seconds: float) -> None:
    click.echo("")
    for story, good in outcomes:
        answer = "passed" if story.expected_exit == 0 else "stopped"
        click.echo(f"{'✓' if good else '✗'} {story.task_id}: {answer if good else 'not ' + answer}")
    click.echo(f"{seconds:.1f} s")
