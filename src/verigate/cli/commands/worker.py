"""``gate worker``: execute capabilities for other machines."""

from __future__ import annotations

import os
import platform

import click

from verigate.cli.output import say


@click.command(name="worker")
@click.option(
    "--remote",
    required=True,
    metavar="ADDRESS",
    help="The server that leases the actions: grpc://HOST:PORT, grpc://HOST:PORT/INSTANCE, or grpcs:// for TLS.",
)
@click.option(
    "--name", default=None, metavar="NAME", help="What the server calls this worker; default: the host's name."
)
@click.option(
    "--actions", type=click.IntRange(1), default=None, metavar="N", help="End after so many actions; default: never."
)
def command(remote: str, name: str | None, actions: int | None) -> int:
    """Execute capabilities for `gate verify --executor grpc://…`, one at a time, in the sandbox of this machine.

    GATE_REMOTE_CACHE_KEY names the key that signs the results. Start it outside of any repository; it ends on SIGTERM.
    """
    from verigate.composition.remote_worker import run_worker
    from verigate.domain.remote_server import parse_address

    address = parse_address(remote, "--remote")
    say(f"waiting for actions of {address}", err=True)
    run_worker(
        address,
        name or platform.node() or "worker",
        dict(os.environ),
        actions=actions,
        tell=lambda line: say(line, err=True),
    )
    return 0
