"""What a source of one language holds: symbols, tests with their assertions, and markers."""

from __future__ import annotations

from dataclasses import dataclass, field

from code_adapter.integrity.pairing.cases import list_tests
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse


@dataclass
class Read:
    """Tests by name with their number of assertions that can fail; markers as kind, text, test and condition."""

    tests: dict[str, int] = field(default_factory=dict)
    markers: list[tuple[str, str, str | None, bool]] = field(default_factory=list)
    real: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    vacuous: list[str] = field(default_factory=list)
    swallowed: list[str] = field(default_factory=list)
    delegated: list[str] = field(default_factory=list)


def read(source: str, path: str) -> Read:
    tree = parse(source.encode(), grammar_of(path) or "")
    assert not tree.broken, tree.first_error()
    inventory = list_tests(tree, path, {})
    made = [case.assertions for case in inventory.cases]
    return Read(
        {case.id: len(case.assertions.real) for case in inventory.cases},
        [(each.kind, each.text, each.case, each.conditional) for each in inventory.markers],
        *(
            [assertion.text for each in made for assertion in getattr(each, name)]
            for name in ("real", "held", "vacuous", "swallowed", "delegated")
        ),
    )


def symbols(source: str, path: str) -> dict[str, str]:
    found = extract(source.encode(), path)
    assert found.error_line is None
    return {each.qualified: each.kind for each in found.symbols if each.route is None}


def stubs(source: str, path: str) -> set[str]:
    return {each.qualified for each in extract(source.encode(), path).symbols if each.stub and each.route is None}


def endpoints(source: str, path: str) -> set[str]:
    return {each.qualified for each in extract(source.encode(), path).symbols if each.route is not None}
