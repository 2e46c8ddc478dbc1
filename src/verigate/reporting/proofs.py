"""Render the proofs of a profile's rules as lines and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.domain.proof import Proof, State
from verigate.reporting.escape import escape

PROOFS_SCHEMA = "verigate:proofs.v1"
_MARKS = {State.STOPPED: "✓", State.MISSED: "✗", State.OPEN: "!", State.UNPROVEN: "?"}


def render_proof(proof: Proof) -> str:
    """Render one proof as a line, and its reason as another."""
    head = f"{_MARKS[proof.state]} {proof.rule:<32} {proof.state.value:<9}{escape(proof.what)}".rstrip()
    return f"{head}\n    {escape(proof.message, limit=300)}" if proof.message else head


def count_proofs(proofs: Sequence[Proof]) -> str:
    """``9 rules: 7 stopped their plant, 0 missed it, 0 left it open, 2 unproven``."""
    by_state = {state: sum(proof.state is state for proof in proofs) for state in State}
    stopped, missed, left = (by_state[state] for state in (State.STOPPED, State.MISSED, State.OPEN))
    unproven = by_state[State.UNPROVEN]
    counts = f"{stopped} stopped their plant, {missed} missed it, {left} left it open, {unproven} unproven"
    return f"{len(proofs)} rules: {counts}"


def proofs_document(proofs: Sequence[Proof]) -> dict[str, Any]:
    """The proofs as a JSON value."""
    return {
        "schema": PROOFS_SCHEMA,
        "proofs": [
            {
                "rule": proof.rule,
                "state": proof.state.value,
                "planted": proof.what or None,
                "message": proof.message,
                "seconds": proof.seconds,
            }
            for proof in proofs
        ],
    }
