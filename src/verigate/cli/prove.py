"""Prove the rules of a repository's profile: plant a violation of each, and show which are stopped."""

from __future__ import annotations

from pathlib import Path

import click

from verigate.cli.output import print_json, say
from verigate.reporting.escape import escape


def prove(root: Path, task_type: str, *, as_json: bool) -> int:
    """Plant and show; returns 3 if a rule misses its plant or none stops one, 4 if a rule isn't proven, else 0."""
    from verigate.composition.proofs import prove_repository
    from verigate.domain.proof import exit_code_of
    from verigate.reporting.proofs import count_proofs, proofs_document, render_proof

    def report(step: str) -> None:
        if not as_json:
            click.echo(f"trying {escape(step, limit=300)}", err=True)

    proofs = []
    for proof in prove_repository(root, task_type, report):
        proofs.append(proof)
        if not as_json:
            say(f"{render_proof(proof)}\n")
    if as_json:
        print_json(proofs_document(proofs))
    else:
        say(f"{count_proofs(proofs)}\n")
    return exit_code_of(proof.state for proof in proofs)
