"""Compare whether no dependency changed but those that the other statements of the claim name, with changes.json."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.stated_pins import is_pin_named, list_pins
from verigate.gate.rule_outcome import RuleOutcome, cite, holds

_SHOWN = 5
_OF_SERVICES = frozenset({"github-actions", "pre-commit", "docker"})
"""Ecosystems whose pins may count as settings rather than as dependencies."""

_Pin = tuple[EvidenceRef, Mapping[str, Any]]


def measure_other_pins(facts: Facts, artifact: Artifact, fact: StatedFact, stated: Sequence[StatedFact]) -> RuleOutcome:
    """Compare the pins that changed with those that are stated. A lock file may change with what a pin needs."""
    names = [each.what.partition(":")[2] for each in stated if each.what.startswith("pin:")]
    if not names or "*" in names:
        return leave_undecided(fact, "no other statement names a dependency")
    others = [each for each in list_pins(artifact, "dependency") if not any(is_pin_named(n, each[1]) for n in names)]
    against = [(ref, pin) for ref, pin in others if _is_against(facts, pin)]
    if against:
        return contradict(fact, f"changed too: {against[0][1]['name']}", *_list_refs(against))
    if others:
        return leave_undecided(fact, f"{others[0][1]['name']} changed in {others[0][1]['path']}", *_list_refs(others))
    if artifact.value["unread"]:
        return leave_undecided(fact, "not every changed file can be read", cite(artifact, "unread"))
    return _judge_locks(artifact, fact)


def _judge_locks(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Leave it open where a lock file changed of which no pin is known; else nothing else changed."""
    known = {pin["path"] for pin in artifact.value["pins"]}
    for index, file in enumerate(artifact.value["files"]):
        if file["kind"] == "lock" and file["path"] not in known:
            return leave_undecided(fact, f"no pin of {file['path']} is known", cite(artifact, "files", index))
    return holds(fact.value, cite(artifact, "pins"), message=f"{fact}")


def _is_against(facts: Facts, pin: Mapping[str, Any]) -> bool:
    """Whether a pin is one of a manifest that no statement mentions, in whatever words."""
    if pin["locked"] or pin["ecosystem"] in _OF_SERVICES:
        return False
    name = re.compile(rf"(?<![\w-]){re.escape(pin['name'])}(?![\w-])", re.IGNORECASE)
    claim = facts.task.claim
    return not any(name.search(each.text) for each in (claim.statements if claim is not None else ()))


def _list_refs(pins: Sequence[_Pin]) -> tuple[EvidenceRef, ...]:
    return tuple(ref for ref, _ in pins[:_SHOWN])
