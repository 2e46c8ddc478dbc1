"""Find calls and operations that a change wrote or took away, and of which no mutant exists.

``strings.Fields`` that becomes ``strings.Split`` is noticed by no mutant: a test that notices if its result is another
one says nothing of texts for which the two differ. A function that the change itself wrote or took away is none of
these, since its parts are asked about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.calls import read_last_name
from code_adapter.sensitivity.changed_parts import Source, Unit, balance_counts, list_lines, subtract_lines
from code_adapter.sensitivity.mutants import BINARY, MUTATED, RAISES, SWAPPED
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import line_of, parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = frozenset({"call", "call_expression", "method_invocation"})
_MADE = frozenset({"new_expression", "object_creation_expression", "macro_invocation"})
_SLICES = frozenset({"slice", "slice_expression"})
_UNARY = frozenset({"unary_operator", "unary_expression"})
_STATEMENT = "statement"
"""The kind of a call whose result nobody uses: one that is only new or gone has a mutant, which leaves it out."""

_SIGNS = frozenset({"-", "~", "^", "&", "*"})
_IMPORTS = frozenset({"require", "import", "super"})
"""What is called to have names: where they lead is asked about elsewhere."""

_FUNCTIONS = re.compile(
    r"\b(?:def|fn|func|function\*?|class|struct|record)\s+(?:\([^)]*\)\s*)?(?P<name>[A-Za-z_$][\w$]*)|"
    r"\b(?P<bound>[A-Za-z_$][\w$]*)(?:\s*:[^=;\n]*)?\s*:?=\s*"
    r"(?:lambda\b|func\s*\(|(?:async\s+)?(?:function\b|\([^()\n]*\)[^=\n]*=>|[\w$]+\s*=>)|(?:move\s+)?\|)"
)
"""Definitions of functions and classes: what is bound to another function's name is none."""


def find_other_calls(
    before: Sequence[Source], after: Sequence[Source], rename: Callable[[str], str]
) -> dict[Unit, str]:
    """Find what each unit calls or does in place of something else, in words; ``rename`` gives new names."""
    old, new = list_lines(before, rename), list_lines(after, str)
    made, gone = _list_defined(after), _list_defined(before)
    defined = (made - gone) | {rename(name) for name in gone - made}
    lost, gained = _count(before, subtract_lines(old, new), rename), _count(after, subtract_lines(new, old), str)
    for unit in lost.keys() & gained.keys():
        lost[unit], gained[unit] = lost[unit] - gained[unit], gained[unit] - lost[unit]
    more, less = balance_counts(lost, gained, old.keys() & new.keys())
    found = {}
    for unit in dict.fromkeys((*more, *less)):
        written, left = (sorted(key for key in each.get(unit, ()) if key[1] not in defined) for each in (more, less))
        if (written and left) or (unit[1] is not None and any(kind != _STATEMENT for kind, _ in (*written, *left))):
            found[unit] = _describe([name for _, name in written], [name for _, name in left])
    return found


def _describe(written: Sequence[str], left: Sequence[str]) -> str:
    if written and left:
        return f"it uses {written[0]} in place of {left[0]}, of which no mutant exists"
    what = f"it uses {written[0]}" if written else f"it no longer uses {left[0]}"
    return f"{what}, of which no mutant exists"


def _list_defined(sources: Iterable[Source]) -> frozenset[str]:
    found = (match for source in sources for line in source.lines for match in _FUNCTIONS.finditer(line))
    written = {match["name"] or match["bound"] for match in found}
    return frozenset(written.union(*(source.defined for source in sources)))


def _count(
    sources: Iterable[Source], differing: Mapping[Unit, Counter[str]], rename: Callable[[str], str]
) -> dict[Unit, Counter[tuple[str, str]]]:
    found: dict[Unit, Counter[tuple[str, str]]] = {}
    for source in sources:
        lines = source.choose(differing, rename)
        for line, kind, name in _list_used(source, lines) if lines else ():
            found.setdefault(source.find_unit(line), Counter())[kind, rename(name)] += 1
    return found


def _list_used(source: Source, lines: Collection[int]) -> Iterator[tuple[int, str, str]]:
    """List what lines call and do: the line, the kind and the name of each."""
    grammar = grammar_of(source.path)
    if language_of(source.path) not in MUTATED or grammar is None:
        return
    tree = parse(source.content, grammar)
    if tree.source != source.content:
        return
    for node in walk(tree.root):
        used = _read_used(node) if line_of(node) in lines else None
        if used is not None:
            yield (line_of(node), *used)


def _read_used(node: Node) -> tuple[str, str] | None:
    above = node.parent
    if above is not None and above.type in RAISES:
        return None
    if node.type in _CALLS or node.type in _MADE:
        parts = map(node.child_by_field_name, ("constructor", "type", "macro") if node.type in _MADE else ())
        made = next((text_of(part) for part in parts if part is not None), "")
        name = made.rpartition(".")[2] or read_last_name(node)
        kind = _STATEMENT if above is not None and above.type == "expression_statement" else "call"
        return (kind, name) if name and name not in _IMPORTS else None
    if node.type in _SLICES:
        return "slice", "a slice"
    if node.is_named or above is None:
        return None
    if above.type in _UNARY:
        return ("sign", node.type) if node.type in _SIGNS else None
    is_operator = above.type in BINARY and above.child_by_field_name("operator") == node
    return ("operator", node.type) if is_operator and node.type not in SWAPPED else None
