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
@click.option(
    "--offer",
    "offered",
    multiple=True,
    metavar="WHAT",
    help="Let actions use this of the machine: network, env:NAME, bind:PATH or bind:PATH:rw. May be repeated.",
)
def command(remote: str, name: str | None, actions: int | None, offered: tuple[str, ...]) -> int:
    """Execute capabilities for `gate verify --executor grpc://…`, one at a time, in the sandbox of this machine.

    GATE_REMOTE_CACHE_KEY names the key that signs the results. Start it outside of any repository; it ends on SIGTERM.
    What it offers is for adapters that are installed on this machine only.
    """
    from verigate.composition.remote_worker import run_worker
    from verigate.domain.remote_server import parse_address
    from verigate.domain.worker_offer import parse_offers

    address = parse_address(remote, "--remote")
    say(f"waiting for actions of {address}", err=True)
    run_worker(
        address,
        name or platform.node() or "worker",
        dict(os.environ),
        actions=actions,
        offers=parse_offers(offered, "--offer"),
        tell=lambda line: say(line, err=True),
    )
    return 0
