"""``gate attest keygen``: make a key pair for attestations."""

from __future__ import annotations

from pathlib import Path

import click

from verigate.cli.output import say
from verigate.cli.target import find_repository


@click.command(name="keygen")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--type", "kind", type=click.Choice(["ed25519", "ecdsa"]), default="ed25519", show_default=True, help="Its kind."
)
def command(file: Path, kind: str) -> int:
    """Make a key pair: the private key in FILE, for you alone, and the public one in FILE.pub, both in PEM.

    The private key has no passphrase. For one that has, or that a security key or an agent holds, use ssh-keygen.
    """
    from verigate.evidence.attestations.signing_keys import KeyType, make_key

    public = make_key(file, KeyType(kind), find_repository())
    say(f"private key: {file}\n")
    say(f"public key:  {public}\n")
    return 0
