"""``gate push``: send a verdict with its evidence to a server."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say
from verigate.cli.published_task import find_task_folder
from verigate.errors import UsageError
from verigate.reporting.escape import escape

_VARIABLE = "GATE_SERVE_TOKEN"


@click.command(name="push")
@click.argument("url")
@task_argument
@with_options(JSON)
def command(url: str, task_id: str | None, as_json: bool) -> int:
    """Send the verdict of TASK_ID with its evidence to the `gate serve` at URL, which shows it.

    The server checks the seal, and that `gate attest` signed it with a key that the server trusts. The token of the
    server is read from GATE_SERVE_TOKEN. Exits with 3 if the server refuses it or gives no answer.
    """
    from verigate.evidence.task_archive import pack_task
    from verigate.integrations.push_request import check_address, send_task
    from verigate.usecases.replay import read_genuine

    address, token = check_address(url), os.environ.get(_VARIABLE, "")
    if not token or not token.isascii() or not token.isprintable():
        hint = f"set {_VARIABLE} to the token of the server, from the secrets of the CI system"
        raise UsageError("there is no token", where=_VARIABLE, hint=hint)
    root, folder = find_task_folder(task_id)
    archive = pack_task(read_genuine(root, folder))
    answer = send_task(address, token, folder.name, archive)
    page = f"{address}{answer['href']}"
    if as_json:
        print_json({"schema": "verigate:push.v1", "task_id": folder.name, "page": page, "bytes": len(archive)})
    else:
        say(f"{folder.name} pushed: {escape(page)}\n")
    return 0
