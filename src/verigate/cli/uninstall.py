"""``gate uninstall``: the git hooks as they were before."""

from __future__ import annotations

import os

import click

from verigate.cli.install import report
from verigate.cli.output import json_option
from verigate.cli.target import here


@click.command(name="uninstall")
@click.option("--hook", "hooks", multiple=True, help="Only this hook; may be repeated.")
@click.option("--shared", is_flag=True, help="Also change a hooks folder outside of the repository.")
@json_option
def command(hooks: tuple[str, ...], shared: bool, as_json: bool) -> int:
    """Remove the hooks; what was there before comes back with the same bytes."""
    from verigate.integrations.git_hooks import uninstall
    from verigate.integrations.launchers import HOOKS

    report(uninstall(here(), hooks or HOOKS, environ=os.environ, shared=shared), as_json=as_json)
    return 0
