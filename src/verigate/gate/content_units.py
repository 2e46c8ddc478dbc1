"""Judge claimed headings, images and quotes by the content artifacts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.facts import Facts
from verigate.domain.task import Unit
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import RuleOutcome, cite, holds, refuted, unknown


def _look_up(
    facts: Facts, spec_id: str, unit: Unit, reason: str, found: Callable[[Any], list[tuple[str | int, ...]]]
) -> RuleOutcome:
    artifacts = facts.evidence.by_spec(spec_id)
    if not artifacts:
        return unknown("CLAIM_UNSUPPORTED", f"no artifact covers {unit.id}")
    refs: list[EvidenceRef] = [
        cite(artifact, name, *place)
        for artifact in artifacts
        for name, entry in artifact.value.items()
        for place in found(entry)
    ]
    if refs:
        return holds(len(refs), *refs[:1])
    return refuted(reason, f"{unit.key!r} was not found", 0, cite(artifacts[0]))


def is_lost(image: Mapping[str, Any]) -> bool:
    """Whether an image is missing or unreadable; False if the adapter doesn't report its state."""
    return image.get("state") in {"missing", "unreadable"}


def judge_heading(facts: Facts, unit: Unit) -> RuleOutcome:
    """Holds if a heading of any level has the key as its text."""

    def places(entry: dict[str, list[Any]]) -> list[tuple[str | int, ...]]:
        return [
            (level, index)
            for level, texts in entry.items()
            if isinstance(texts, list)
            for index, text in enumerate(texts)
            if text == unit.key
        ]

    return _look_up(facts, "verigate:headings.v1", unit, "HEADING_MISSING", places)


def judge_image(facts: Facts, unit: Unit) -> RuleOutcome:
    """Holds if an image with the key as its ``src`` exists."""

    def places(entry: list[dict[str, Any]]) -> list[tuple[str | int, ...]]:
        return [(index,) for index, item in enumerate(entry) if item.get("src") == unit.key and not is_lost(item)]

    return _look_up(facts, "verigate:images.v1", unit, "IMAGE_MISSING", places)


def judge_quote(facts: Facts, unit: Unit) -> RuleOutcome:
    """Holds if a quote has the key as its text and names a source, which contains it as far as is known."""

    def places(entry: list[dict[str, Any]]) -> list[tuple[str | int, ...]]:
        return [
            (index,)
            for index, item in enumerate(entry)
            if str(item.get("text", "")).strip() == unit.key and item.get("source") and item.get("occurs") is not False
        ]

    return _look_up(facts, "verigate:quotes.v1", unit, "QUOTE_UNATTRIBUTED", places)
