"""Mutants that a form of a test asks for: where it expected a failure, or one value alone, another form may not.

``contextlib.suppress`` takes the place of ``pytest.raises``, ``startswith`` that of ``==``: most mutants are noticed as
before, and what only the old form noticed may be none of a sample. So functions return where they raised, and return
values next to their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from textwrap import dedent
from typing import TYPE_CHECKING

from code_adapter.sensitivity.mutants import MUTATED, Mutant, Operator, find_error
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import line_of, parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_FAILURE = re.compile(
    r"\b(?:\w+\.)*(?:\w*[rR]aises\w*|assert_raise\w*|\w*[tT]hrows\w*|toThrow\w*|assertThatThrownBy|rejects|should_panic|"
    r"\w*[eE]xpectException\w*|assertFailsWith)\b"
)
"""What expects an exception."""

_GO_FAILURE = re.compile(
    r"\berr\w* (?:== nil|!= \w*Err|!= \w+\.)|errors\.(?:Is|As)\(|\.(?:Error|ErrorIs|ErrorAs|ErrorContains)\(t?,"
)
"""What expects an error in Go."""

_EXACT = re.compile(r"[!=]==?|(?i:equal|\btoBe\b|\beql?\b|\bis\b|_eq\b|same)")
_WIDE = re.compile(
    r"\s[<>]=?\s|\bin\b|\bor\b|\|\||"
    r"(?i:starts_?with|ends_?with|contains?\b|includ|prefix|suffix|match(?:es)?\(|to_?match|search\(|regex|approx|almost|"
    r"close_?to|isclose|assertIn\b|greater|less|between|subset|issub|\bany\b|oneof|"
    r"sort|\bset\(|frozenset|\blower|upper|strip|trim|\bround|\blen\(|length|replace|\babs\b)"
)
"""What accepts more than one value, or compares a part of one."""

_LITERAL = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])|\"[^\"\\\n]*\"|'[^'\\\n]*'")
_MOST_OF_ONE = 5
_MOST_VALUES = 4
"""So many values that only the new form has are returned, in each function."""

_RAISES = frozenset({"raise_statement", "throw_statement"})
_TEXTS = frozenset({"string", "string_literal", "template_string", "interpreted_string_literal", "raw_string_literal"})
_FUNCTIONS = frozenset(
    {
        *("function_definition", "function_declaration", "method_definition", "arrow_function", "function_expression"),
        *("method_declaration", "constructor_declaration", "func_literal", "lambda_expression", "function"),
        *("generator_function_declaration", "lambda"),
    }
)
_DYNAMIC = frozenset({"python", "javascript", "typescript"})
_NEAR_IN = _DYNAMIC | {"go", "java"}
"""Languages in which other values are returned."""

_LOOP = re.compile(r"\bfor\b[^{\n]*")
"""What walks through values, and compares none."""


_PYTHON_NEAR = (
    (
        '(lambda v: v + "X" if isinstance(v, str) else v + 1 if type(v) is int else v * 1.001 + 0.001 '
        "if type(v) is float else v + v[-1:] if type(v) in (list, tuple) else v)(@value)"
    ),
    (
        '(lambda v: "X" + v if isinstance(v, str) else v - 1 if type(v) is int else v * 0.999 - 0.001 '
        "if type(v) is float else v[::-1] if type(v) in (list, tuple) else v)(@value)"
    ),
)
_SCRIPT_NEAR = (
    (
        '((v@any) => typeof v === "string" ? v + "X" : typeof v === "number" ? (Number.isInteger(v) ? v + 1 : '
        "v * 1.001 + 0.001) : Array.isArray(v) ? [...v, ...v.slice(-1)] : v)(@value)"
    ),
    (
        '((v@any) => typeof v === "string" ? "X" + v : typeof v === "number" ? (Number.isInteger(v) ? v - 1 : '
        "v * 0.999 - 0.001) : Array.isArray(v) ? [...v].reverse() : v)(@value)"
    ),
)
_PYTHON_LAST = (
    "(lambda v: v if type(v) not in (str, int, float) or v not in @old else "
    'v + "X" if type(v) is str else v + (abs(v) or 1e-6) * 1e-7)(@value)'
)
_PYTHON_OTHER = "(lambda v: @new if type(v) in (str, int, float) and v in @old else v)(@value)"
_SCRIPT_LAST = (
    '((v@any) => !(@old@list).includes(v) ? v : typeof v === "string" ? v + "X" : '
    "v + (Math.abs(v) || 1e-6) * 1e-7)(@value)"
)
_SCRIPT_OTHER = "((v@any) => (@old@list).includes(v) ? @new : v)(@value)"
_NUMBER = re.compile(r"u?int(?:8|16|32|64)?|float(?:32|64)|short|long|double")
_TEXT = re.compile(r"[sS]tring")
_NO_RESULT = {"boolean": "false", "char": "' '"}


def expects_failure(path: str, form: str) -> bool:
    """Whether a form of a test expects an exception, or in Go an error."""
    return _count_failures(path, form) > 0


def expects_value(form: str) -> bool:
    """Whether a form of a test expects one value and no other."""
    return _EXACT.search(form) is not None


def read_needed(path: str, before: str, after: str) -> frozenset[Operator]:
    """Read which mutants a test has to notice before anything says that it notices what its old form did.

    None are needed of a test that is gone: others take its place.
    """
    if not after.strip() or before == after:
        return frozenset()
    needed = set()
    if _count_failures(path, _drop_remarks(path, after)) < _count_failures(path, before):
        needed.add(Operator.NOT_RAISED)
    known = {line.strip() for line in before.split("\n")}
    added = [_LOOP.sub("", line) for line in after.split("\n") if line.strip() not in known]
    if language_of(path) in _NEAR_IN and expects_value(before) and any(map(_WIDE.search, added)):
        needed.add(Operator.NEAR)
    return frozenset(needed)


@dataclass(frozen=True)
class Accepted:
    """The numbers and texts that lost lines of a test expected, and those that a wider form may accept instead."""

    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def read_accepted(before: str, after: str) -> Accepted:
    """Read what a wider form of a test may accept in place of what it expected."""
    kept = {line.strip() for line in after.split("\n")}
    removed = "\n".join(line for line in before.split("\n") if line.strip() not in kept)
    known = frozenset(_LITERAL.findall(before))
    new = (value for value in dict.fromkeys(_LITERAL.findall(after)) if value not in known)
    return Accepted(tuple(dict.fromkeys(_LITERAL.findall(removed))), tuple(new)[:_MOST_VALUES])


@dataclass(frozen=True)
class AskedMutants:
    """What the forms of changed tests ask for: mutants that don't raise, and such that return another value."""

    unraised: bool = False
    near: bool = False
    accepted: Accepted = field(default_factory=Accepted)
    most: int = 0
    """So many at most."""

    def list_of(self, path: str, source: bytes, lines: Collection[int]) -> Iterator[Mutant]:
        """List those of some lines of a file."""
        if self.unraised:
            yield from list_unraised(path, source, lines)
        if self.near:
            yield from list_near(path, source, lines, self.accepted)


def read_asked(forms: Iterable[tuple[str, str, str]], wanted: int) -> AskedMutants:
    """Read what forms of tests, as path, base and subject, ask for; ``wanted`` mutants are tried in all."""
    changed = [(path, before, after) for path, before, after in forms if before != after]
    wider = [each for each in changed if Operator.NEAR in read_needed(*each)]
    accepted = [read_accepted(before, after) for _, before, after in wider]
    old = dict.fromkeys(chain.from_iterable(each.old for each in accepted))
    new = dict.fromkeys(chain.from_iterable(each.new for each in accepted))
    return AskedMutants(
        any(expects_failure(path, before) for path, before, _ in changed),
        any(after.strip() and expects_value(before) for _, before, after in changed),
        Accepted(tuple(old), tuple(new)[:_MOST_VALUES]),
        max(2, min(wanted // 2, _MOST_OF_ONE * len(changed))),
    )


def _count_failures(path: str, form: str) -> int:
    pattern = _GO_FAILURE if language_of(path) == "go" else _FAILURE
    return len(pattern.findall(form))


def _drop_remarks(path: str, form: str) -> str:
    """Put nothing in place of comments and texts."""
    raw = dedent(form).encode()
    tree = parse(raw, grammar_of(path) or "")
    if tree.source != raw:
        return form
    left = bytearray(raw)
    for node in walk(tree.root):
        if "comment" in node.type or node.type in _TEXTS:
            left[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    return left.decode("utf-8", "replace")


def list_unraised(path: str, source: bytes, lines: Collection[int]) -> Iterator[Mutant]:
    """List mutants that return where the code raises; in Go, that return no error."""
    language = language_of(path)
    for node in _walk_lines(path, source, lines):
        if node.type in _RAISES and (function := _find_function(node)) is not None:
            text = _write_return(function, language or "")
            yield _make(path, source, node, text, Operator.NOT_RAISED)
        elif language == "go" and (error := find_error(node)) is not None:
            # What the error is made of is still used, so that it compiles.
            text = f"func() error {{ _ = {text_of(error)}; return nil }}()"
            yield _make(path, source, error, text, Operator.NOT_RAISED)


def list_near(path: str, source: bytes, lines: Collection[int], accepted: Accepted | None = None) -> Iterator[Mutant]:
    """List mutants that return a value next to the one that is returned.

    Those come first that do so for expected values alone: tests that expect other values don't notice them.
    """
    language = language_of(path) or ""
    for node in _walk_lines(path, source, lines):
        returned = _find_returned(node)
        if returned is None:
            continue
        written = text_of(returned)
        for form in (*_list_accepted(language, accepted or Accepted()), *_list_forms(language, node)):
            typed = language == "typescript"
            text = form.replace("@any", ": any" if typed else "").replace("@list", " as any[]" if typed else "")
            text = text.replace("@value", written)
            yield _make(path, source, returned, text, Operator.NEAR)


def _walk_lines(path: str, source: bytes, lines: Collection[int]) -> Iterator[Node]:
    language, grammar = language_of(path), grammar_of(path)
    if language not in MUTATED or grammar is None:
        return
    tree = parse(source, grammar)
    if tree.broken or tree.source != source:
        return
    yield from (node for node in walk(tree.root) if line_of(node) in lines)


def _make(path: str, source: bytes, node: Node, text: str, operator: Operator) -> Mutant:
    start, end = node.start_byte, node.end_byte
    return Mutant(path, line_of(node), start, end, text.encode(), operator, source[start:end])


def _find_function(node: Node) -> Node | None:
    above = node.parent
    while above is not None and above.type not in _FUNCTIONS:
        above = above.parent
    return above


def _write_return(function: Node, language: str) -> str:
    if language == "python":
        return "return None"
    if language != "java":
        return "return;"
    result = text_of(function.child_by_field_name("type"))
    if function.type != "method_declaration" or result == "void":
        return "if (true) return;"
    value = "0" if _NUMBER.fullmatch(result) else _NO_RESULT.get(result, "null")
    return f"if (true) return {value};"


def _find_returned(node: Node) -> Node | None:
    """Find the value that a statement returns, or that an arrow function is; None unless it is one."""
    if node.type == "return_statement":
        values = node.named_children
        if len(values) == 1 and values[0].type == "expression_list":
            values = values[0].named_children[:1]
        return values[0] if len(values) == 1 and values[0].type not in {"comment", "none"} else None
    body = node.child_by_field_name("body") if node.type == "arrow_function" else None
    return body if body is not None and body.type != "statement_block" else None


def _list_accepted(language: str, accepted: Accepted) -> Iterator[str]:
    if language not in _DYNAMIC or not accepted.old:
        return
    old, in_python = f"[{', '.join(accepted.old)}]", language == "python"
    last, other = (_PYTHON_LAST, _PYTHON_OTHER) if in_python else (_SCRIPT_LAST, _SCRIPT_OTHER)
    yield last.replace("@old", old)
    yield from (other.replace("@old", old).replace("@new", new) for new in accepted.new)


def _list_forms(language: str, node: Node) -> Sequence[str]:
    if language == "python":
        return _PYTHON_NEAR
    if language in _DYNAMIC:
        return _SCRIPT_NEAR
    function = _find_function(node)
    if function is None or language not in {"go", "java"}:
        return ()
    result = text_of(function.child_by_field_name("result" if language == "go" else "type")).lstrip("( ")
    first = re.split(r"[,)\s]", result, maxsplit=1)[0]
    if _TEXT.fullmatch(first):
        return ('(@value) + "X"', '"X" + (@value)')
    return ("(@value) + 1", "(@value) - 1") if _NUMBER.fullmatch(first) else ()
