"""``gate serve``: show tasks in a browser."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.output import say
from verigate.cli.target import find_repository
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.serve.web.access import Access

_PROGRAM = "from verigate.cli.mcp_child import main; main()"


@click.command(name="serve")
@click.option(
    "--root",
    "roots",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    multiple=True,
    help="Serve every repository at or below this folder that has tasks; may be repeated. Default: this repository.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8642, show_default=True, help="0 takes a free one.")
@click.option("--token", "needs_token", is_flag=True, help="Show nothing without the token; needed beyond loopback.")
@click.option("--name", "names", multiple=True, help="Another host name that the server is reached by.")
@click.option("--read-only", is_flag=True, help="Let nobody verify anything from a page.")
@click.option(
    "--keys",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    multiple=True,
    help="Take tasks by `gate push` that are signed by this public key, or by one of this allowed-signers file.",
)
@click.option(
    "--keys-ref", help="As --keys, by config/allowed-signers of this repository, as it is in this ref: origin/main."
)
@click.option(
    "--pushed",
    type=click.Path(file_okay=False, path_type=Path),
    help="With --keys, keep pushed tasks in this folder; default: in your state folder.",
)
@click.option(
    "--quota",
    type=click.IntRange(1, 1_000_000),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="With --keys, keep at most so much of pushed tasks.",
)
@click.option(
    "--adapters",
    type=click.Path(file_okay=False, path_type=Path),
    help="Let who has the token install adapters into this folder; verifications from here use them.",
)
@click.option("--rebuild", is_flag=True, help="Make the index again from the task folders.")
def command(
    roots: tuple[Path, ...],
    host: str,
    port: int,
    needs_token: bool,
    names: tuple[str, ...],
    read_only: bool,
    keys: tuple[Path, ...],
    keys_ref: str | None,
    pushed: Path | None,
    quota: int,
    adapters: Path | None,
    rebuild: bool,
) -> int:
    """Serve pages about tasks: the queue, each task with its evidence, history, adapters, doctor.

    Prints the address to open. The token in it allows you to verify again from a page, and is another one each time,
    unless GATE_SERVE_TOKEN gives it. Every page is also there as JSON, with .json at its end. Needs the extra `serve`.
    """
    try:
        from verigate.composition.serve import PushWanted, make_site
        from verigate.serve.agent_tokens import AgentTokens
        from verigate.serve.server import answer_requests, listen
        from verigate.serve.web.app import make_app
        from verigate.serve.web.problems import PREFIX
    except ImportError as problem:
        from verigate.extras import lack_of

        lack = lack_of("serve", [problem.name or "starlette"])
        raise UsageError(f"{lack.message} ({problem})", where="gate serve", hint=lack.command) from problem
    from verigate.serve.web.access import Access, is_loopback, make_token

    if not is_loopback(host) and not needs_token:
        raise UsageError(
            "others reach this address, and would read everything", where=f"--host {host}", hint="add --token"
        )
    try:
        token = make_token(os.environ)
    except ValueError as problem:
        raise UsageError(str(problem), where="the environment") from problem
    takes_pushes = bool(keys) or keys_ref is not None
    if not takes_pushes and pushed is not None:
        raise click.UsageError("--pushed needs --keys or --keys-ref: what nobody signed is not taken")
    # A server runs long enough to need the collector; see verigate.cli.main.
    gc.enable()
    listening = listen("127.0.0.1" if host == "localhost" else host, port)
    access = Access(
        host,
        listening.getsockname()[1],
        token,
        reads_need_token=needs_token,
        read_only=read_only,
        names=frozenset(name.lower() for name in names),
        tokens=None if read_only else AgentTokens(PREFIX),
    )
    how = "-I" if sys.flags.isolated else "-P"
    gate = (sys.executable, how, "-c", _PROGRAM, str(os.getpid()))
    site = make_site(
        access,
        os.environ,
        gate,
        repository=None if roots else find_repository(),
        folders=[root.resolve() for root in roots],
        rebuild=rebuild,
        push=PushWanted(keys, pushed, quota * 1024 * 1024, keys_ref) if takes_pushes and not read_only else None,
        adapters=adapters,
    )
    answer_requests(make_app(site), listening, lambda: _say_ready(access))
    return 0


def _say_ready(access: Access) -> None:
    say(f"gate serve: open {access.start_address}")
    say("Press Ctrl-C to end it.")
    sys.stdout.flush()
