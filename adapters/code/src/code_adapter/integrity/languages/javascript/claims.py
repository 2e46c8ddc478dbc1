"""Whether a test of JavaScript still makes each claim that it made, in the words of whichever library.

``expect(a).toBe(1)`` of Jest and Vitest, ``expect(a).to.equal(1)`` of Chai and ``assert.strictEqual(a, 1)`` of Node
make one claim. What isn't known here is a claim by its whole text.
Sources: https://jestjs.io/docs/expect, https://www.chaijs.com/api/bdd/, https://nodejs.org/api/assert.html
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import read_call
from code_adapter.integrity.languages.javascript.found_tests import find_tests
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_Claim = tuple[str, ...]

_FILLERS = frozenset(
    {"to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "a"}
)
_IS, _DEEP, _TRUE, _CALLED, _LENGTH, _LOOSE, _OTHER = "is", "deep", "true", "calls", "length", "loose", "other"
_ALONE: Mapping[str, tuple[str, bool, str]] = {
    **dict.fromkeys(("toBeNull", "null"), (_IS, True, "null")),
    **dict.fromkeys(("toBeUndefined", "undefined"), (_IS, True, "undefined")),
    "toBeDefined": (_IS, False, "undefined"),
    "true": (_IS, True, "true"),
    "false": (_IS, True, "false"),
    **dict.fromkeys(("toBeTruthy", "ok"), (_TRUE, True, "")),
    "toBeFalsy": (_TRUE, False, ""),
    "toHaveBeenCalled": (_CALLED, False, "0"),
}
"""Matchers without a value: what each asks, whether it states or denies it, and of which value."""

_WITH_VALUE: Mapping[str, str] = {
    **dict.fromkeys(("toBe", "equal", "equals", "eq"), _IS),
    **dict.fromkeys(("toEqual", "toStrictEqual", "eql", "eqls"), _DEEP),
    **dict.fromkeys(("toMatch", "match"), "match"),
    **dict.fromkeys(("toThrow", "throw", "throws"), "throws"),
    **dict.fromkeys(("toContain", "include", "contain"), "contains"),
    **dict.fromkeys(("toHaveLength", "length", "lengthOf"), _LENGTH),
    "toHaveBeenCalledTimes": _CALLED,
}
_OF_ASSERT: Mapping[str, tuple[str, bool]] = {
    "strictEqual": (_IS, True),
    "notStrictEqual": (_IS, False),
    "deepStrictEqual": (_DEEP, True),
    "notDeepStrictEqual": (_DEEP, False),
    "match": ("match", True),
    "doesNotMatch": ("match", False),
    "throws": ("throws", True),
    "doesNotThrow": ("throws", False),
}
_STRICTLY = {"equal": "strictEqual", "notEqual": "notStrictEqual", "deepEqual": "deepStrictEqual"}
_LOOSELY = {"equal": (_LOOSE, True)}
"""``assert.equal`` of Node without ``strict``: ``==``, so that a number equals its text."""

_NUMBER = re.compile(r'"?(0|-?[1-9]\d{0,14})"?')
_COUNTS = re.compile(r" \. (?:mock \. callCount \( \)|mock \. calls \. length|callCount)$")
_LITERALS = frozenset({"number", "string", "template_string", "regex"})
_BLOCKS = frozenset({"statement_block", "program", "class_body", "switch_body", "parenthesized_expression"})
_NAMES = re.compile(r"\b(?:assert|expect)\b")
_IMPORTED = re.compile(
    r"(?:import\s+(?P<names>[^'\"]+?)\s+from\s+|(?:const|let|var)\s+(?P<required>[^'\"]+?)\s*=\s*require\()"
    r"['\"](?P<source>[^'\"]+)['\"]\)?(?:\.(?P<part>\w+))?;?"
)
_LIBRARIES = frozenset(
    {"assert", "assert/strict", "chai", "vitest", "@jest/globals", "expect", "bun:test", "@playwright/test"}
)
_GLOBAL = {"expect": "expect"}
"""What Jest and Vitest give a file that imports nothing."""

_Libraries = Mapping[str, str]
"""From which library a file has ``expect`` and ``assert``; what it has from elsewhere isn't known here."""


def keeps_claims(before: Tree, after: Tree, _path: str, unit: str) -> bool:
    """Whether the test ``unit`` makes all claims of its base form, under the same conditions, with all its literals."""
    claims, literals = [], []
    for tree in (before, after):
        found = [test for test in find_tests(tree) if test.name == unit]
        if len(found) != 1:
            return False
        libraries = _find_libraries(tree)
        claims.append(Counter(_list_claims(found[0].body, (), libraries)))
        literals.append(_count_literals(found[0].body, libraries))
    was, now = claims
    made = Counter(each for claim in now.elements() for each in _imply(claim))
    return bool(was) and not was - made and not literals[0] - literals[1]


def _find_libraries(tree: Tree) -> _Libraries:
    found: dict[str, str] = {}
    for node in walk(tree.root):
        if node.type in {"import_statement", "lexical_declaration", "variable_declaration"}:
            text = text_of(node)
            imported = _IMPORTED.fullmatch(text)
            names = (imported["names"] or imported["required"]) if imported is not None else text.partition("=")[0]
            source = imported["source"].removeprefix("node:") if imported is not None else ""
            plain = imported is not None and not re.search(r"\bas\b|:", names)
            part = f"/{imported['part']}" if imported is not None and imported["part"] else ""
            for name in _NAMES.findall(names):
                known = plain and f"{source}{part}" in _LIBRARIES and name not in found
                found[name] = f"{source}{part}" if known else ""
        elif node.type in {"function_declaration", "formal_parameters", "assignment_expression"}:
            named = node.child_by_field_name("name") or node.child_by_field_name("left") or node
            found |= dict.fromkeys(_NAMES.findall(text_of(named)), "") if named.type != "member_expression" else {}
        elif node.type == "arrow_function":
            found |= dict.fromkeys(_NAMES.findall(text_of(node.child_by_field_name("parameter"))), "")
    return {**_GLOBAL, **found}


def _count_literals(around: Node, libraries: _Libraries) -> Counter[str]:
    """Count the literals outside of claims: what these compare may be worked out from them."""
    if _read(around, libraries) is not None:
        return Counter()
    if around.type in _LITERALS:
        return Counter([_spell(around)])
    return sum((_count_literals(child, libraries) for child in around.named_children), Counter[str]())


def _imply(claim: _Claim) -> Iterator[_Claim]:
    """Yield a claim, and the weaker ones that follow from it: what is identical is equal, and ``true`` is truthy."""
    yield claim
    *around, kind, stated, what, value = claim
    if kind == _IS and stated == "yes":
        yield (*around, _DEEP, stated, what, value)
        number = _NUMBER.fullmatch(value)
        yield (*around, _LOOSE, stated, what, number[1] if number is not None else value)
        if value in {"true", "false"}:
            yield (*around, _TRUE, "yes" if value == "true" else "no", what, "")


def _list_claims(around: Node, conditions: tuple[str, ...], libraries: _Libraries) -> Iterator[_Claim]:
    """List the claims of statements, each with what is around it: without that it may not be made."""
    for node in around.named_children:
        claim = _read(node, libraries)
        if claim is not None:
            yield (*conditions, *claim)
            continue
        inner = list(_list_claims(node, (), libraries))
        without = [] if node.type in _BLOCKS or not inner else node.children
        parts = [_spell(child) for child in without if not _makes_claims(child, libraries)]
        yield from ((*conditions, " ".join(filter(None, (node.type, *parts))), *each) for each in inner)


def _makes_claims(node: Node, libraries: _Libraries) -> bool:
    return _read(node, libraries) is not None or any(_makes_claims(child, libraries) for child in node.named_children)


def _read(node: Node, libraries: _Libraries) -> _Claim | None:
    """Read an assertion as kind, yes or no, what, and value; None for anything else."""
    if node.type not in {"call_expression", "member_expression"} or read_call(node) is None:
        return None
    known, chain = None, _unchain(node)
    if chain is not None and libraries.get(chain[0][0]):
        (name, given), *steps = chain
        if name == "expect" and given is not None and len(given) == 1 and steps:
            known = _read_expect(given[0], steps)
        elif name == "assert" and given is not None and not steps:
            known = _read_assert("ok", given, _OF_ASSERT)
        elif name == "assert" and given is None and len(steps) == 1:
            last = steps[0][0]
            strict = libraries[name] == "assert/strict"
            words = _OF_ASSERT if libraries[name] != "assert" else {**_OF_ASSERT, **_LOOSELY}
            known = _read_assert(_STRICTLY.get(last, last) if strict else last, steps[0][1] or [], words)
    return known or (_OTHER, "yes", _spell(node), "")


def _unchain(node: Node) -> list[tuple[str, list[Node] | None]] | None:
    """``expect(a).not.toBe(1)`` -> expect with a, not, toBe with 1; None for what is no such chain."""
    steps: list[tuple[str, list[Node] | None]] = []
    arguments: list[Node] | None = None
    while node.type in {"call_expression", "member_expression"}:
        if node.type == "call_expression":
            given = node.child_by_field_name("arguments")
            function = node.child_by_field_name("function")
            if arguments is not None or given is None or function is None:
                return None
            arguments = [child for child in given.named_children if child.type != "comment"]
            node = function
            continue
        steps.append((text_of(node.child_by_field_name("property")), arguments))
        arguments = None
        object_ = node.child_by_field_name("object")
        if object_ is None:
            return None
        node = object_
    steps.append((text_of(node), arguments))
    return steps[::-1] if node.type == "identifier" else None


def _read_expect(what: Node, steps: list[tuple[str, list[Node] | None]]) -> _Claim | None:
    *flags, (name, given) = steps
    words = [flag for flag, _ in flags]
    if any(arguments is not None for _, arguments in flags) or set(words) - _FILLERS - {"not", "deep"}:
        return None
    stated = words.count("not") % 2 == 0
    # A matcher of Jest that isn't called asks nothing; those of Chai without a value are no functions.
    if name in _ALONE and given == ([] if name.startswith("to") else None):
        kind, states, value = _ALONE[name]
        return _read_condition(what, stated == states) if kind == _TRUE else _make(kind, stated == states, what, value)
    kind = _WITH_VALUE.get(name, "")
    return _compare(_DEEP if kind == _IS and "deep" in words else kind, stated, what, given)


def _read_assert(name: str, given: list[Node], words: Mapping[str, tuple[str, bool]]) -> _Claim | None:
    if name == "ok" and given:
        return _read_condition(given[0], stated=True)
    kind, stated = words.get(name, ("", True))
    return _compare(kind, stated, given[0], given[1:2]) if given else None


def _compare(kind: str, stated: bool, what: Node, given: list[Node] | None) -> _Claim | None:
    values = [_spell(value) for value in given or []]
    known = (kind and given is not None and len(values) == 1) or (kind == "throws" and given == [])
    return None if not known or (values and _means_a_message(kind, values[0])) else _make(kind, stated, what, *values)


def _means_a_message(kind: str, value: str) -> bool:
    """A text is part of the message for ``toThrow``, and says why for ``assert.throws``."""
    return kind == "throws" and value[:1] in {'"', "`", "{"}


def _read_condition(node: Node, stated: bool) -> _Claim:
    """Read what is asked to be true: without its negations, and as a comparison if it is one."""
    while node.type in {"unary_expression", "parenthesized_expression"}:
        if node.type == "unary_expression":
            if text_of(node.child_by_field_name("operator")) != "!":
                break
            stated = not stated
        node = node.named_children[-1]
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    sign = text_of(node.child_by_field_name("operator")) if node.type == "binary_expression" else ""
    if sign in {"===", "!=="} and sides[0] is not None and sides[1] is not None:
        return _make(_IS, stated == (sign == "==="), sides[0], _spell(sides[1]))
    return _make(_TRUE, stated, node)


def _make(kind: str, stated: bool, node: Node, value: str = "") -> _Claim:
    what, said = _spell(node), "yes" if stated else "no"
    counted = _COUNTS.sub("", what)
    number = _NUMBER.fullmatch(value)
    if kind == _LOOSE:
        return kind, said, what, number[1] if number is not None else value
    if kind == _IS and counted != what:
        return _CALLED, said, counted, value
    if kind == _IS and what.endswith(" . length"):
        return _LENGTH, said, what.removesuffix(" . length"), value
    return kind, said, what, value


def _spell(node: Node) -> str:
    """Spell code without layout: blanks, quotes, commas at an end."""
    parts: list[str] = []
    stack = [node]
    while stack:
        each = stack.pop()
        if each.type == "string":
            parts.append(json.dumps(string_value(each)))
        elif each.type in {"template_string", "regex"} or not each.children:
            parts.append(text_of(each))
        elif each.type != "comment":
            stack.extend(reversed(each.children))
    spelled = " ".join(part for part in parts if part not in {"", ";"})
    return re.sub(r" ,(?= [)\]}])", "", spelled)
