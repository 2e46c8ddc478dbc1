"""Which of the symbols that a claim names support it, and why the others don't.

A body that does nothing refutes. One that returns a constant or an argument, only raises, or is only declared, supports
nothing by itself: tests that notice all of its mutants show that it does what it should. What only tests can use is no
part of the product, unless the claim names a file of tests or a test.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from verigate.domain.evidence_weakenings import SENSITIVITY
from verigate.domain.facts import Facts
from verigate.domain.task import Unit, UnitKind
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import cite

_DOES = {
    "constant": "only returns a constant",
    "argument": "only returns its argument",
    "raises": "only raises an error",
    "declaration": "is only declared",
}
_NAMED_AS_TEST = re.compile(
    r"(?:^|[.:])(?:[Tt]est|[Bb]ench|[Ff]uzz|Example)(?:[_A-Z0-9]|$)|(?:Tests?|Spec|_test|_spec)$"
)


class Support(Struct, frozen=True):
    """What supports a unit. ``refs`` are the symbols, then what shows that tests notice them; ``weak`` says why not."""

    refs: tuple[EvidenceRef, ...] = ()
    weak: str = ""


def weigh(facts: Facts, unit: Unit, found: Sequence[EvidenceRef]) -> Support:
    """Weigh the symbols that a unit names; an empty Support if all of them are stubs, or there is none."""
    real = [ref for ref in found if not ref.value.get("stub")]
    if not real or unit.kind is not UnitKind.FUNCTION:
        return Support(tuple(real))
    product = [ref for ref in real if not ref.value.get("in_tests") or _means_tests(unit, ref)]
    if not product:
        path, name = real[0].value["path"], real[0].value["name"]
        return Support(tuple(real), f"{unit.key} exists only in tests; if that is meant, claim func:{path}::{name}")
    doing = [ref for ref in product if ref.value.get("only") is None]
    if doing:
        return Support(tuple(doing))
    noticed = [each for ref in product for each in (ref, *_find_noticed(facts, ref))]
    if len(noticed) > len(product):
        return Support(tuple(noticed))
    does = _DOES[product[0].value["only"]]
    return Support(tuple(product), f"{unit.key} {does}, and no test is known to notice another")


def _means_tests(unit: Unit, ref: EvidenceRef) -> bool:
    path, _, _ = unit.key.rpartition("::")
    return path == ref.value["path"] or bool(_NAMED_AS_TEST.search(unit.key))


def _find_noticed(facts: Facts, ref: EvidenceRef) -> list[EvidenceRef]:
    """Cite the mutants of a symbol's lines, if tests notice each of them."""
    symbol = ref.value
    first, last = symbol["line"], symbol.get("end_line", symbol["line"])
    found = [
        (cite(artifact, "changed", "mutants", index), mutant["fate"])
        for artifact in facts.evidence.by_spec(SENSITIVITY)
        for index, mutant in enumerate((artifact.value["changed"] or {"mutants": ()})["mutants"])
        if mutant["path"] == symbol["path"] and first <= mutant["line"] <= last
    ]
    return [cited for cited, _ in found] if all(fate == "noticed" for _, fate in found) else []
