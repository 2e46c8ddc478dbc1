"""Small changes of code that its tests should notice: mutants, made by the syntax tree of six languages.

The operators are those that mutation testing has in common: https://mutmut.readthedocs.io, https://stryker-mutator.io/docs,
https://mutants.rs. Each mutant changes one place, and parses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import line_of, parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

MUTATED = frozenset({"python", "javascript", "typescript", "go", "rust", "java"})
"""The languages whose code is mutated."""

_MOST_BYTES = 1 << 20


class Operator(StrEnum):
    """What a mutant changes."""

    COMPARISON = "comparison"
    ARITHMETIC = "arithmetic"
    BOOLEAN = "boolean"
    CONSTANT = "constant"
    RETURNED = "returned value"
    CONDITION = "negated condition"
    CALL = "removed call"
    RAISED = "raised exception"
    NOT_RAISED = "not raised"
    """The function returns where it raised, so that nothing fails."""
    NEAR = "value next to it"
    """Another value is returned: a longer or larger one, one in another order, or one that a new form of a test has."""
    EXPECTED = "expected value"
    """Of a test: what an assertion compares with."""


@dataclass(frozen=True, order=True)
class Mutant:
    """One small change: the bytes ``start`` to ``end`` of a file become ``text``. ``line`` counts from 1."""

    path: str
    line: int
    start: int
    end: int
    text: bytes
    operator: Operator
    was: bytes

    def apply(self, source: bytes) -> bytes:
        """Return ``source``, which is the file's content, with the change."""
        return source[: self.start] + self.text + source[self.end :]

    def describe(self) -> str:
        """Say what it changes, on one line: ``a < b`` becomes ``a <= b``."""
        before, after = (" ".join(each.decode("utf-8", "replace").split()) for each in (self.was, self.text))
        if self.operator is Operator.NEAR and self.was in self.text:
            return f"{before} becomes a value next to it"
        if self.operator is Operator.CONSTANT and not (_SHOWN_BARE.fullmatch(before) and _SHOWN_BARE.fullmatch(after)):
            return f'"{before}" becomes "{after}"'
        return f"{before} becomes {after}"


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str
    operator: Operator


def _pair(*others: str) -> dict[str, str]:
    """Pair operators, which two spaces part: what is there, and what it becomes."""
    return {first: second for first, _, second in (each.partition("  ") for each in others)}


_COMPARISONS = _pair("<  <=", "<=  <", ">  >=", ">=  >", "==  !=", "!=  ==", "===  !==", "!==  ===") | _pair(
    "in  not in", "not in  in", "is  is not", "is not  is"
)
_ARITHMETIC = _pair(
    "+  -", "-  +", "*  /", "/  *", "//  /", "%  *", "**  *", "&  |", "|  &", "<<  >>", ">>  <<"
) | _pair("+=  -=", "-=  +=", "*=  /=", "/=  *=")
_BOOLEAN = {"and": "or", "or": "and", "&&": "||", "||": "&&"}
BINARY = frozenset({"comparison_operator", "binary_operator", "boolean_operator", "binary_expression"})
"""Nodes of an operator between two values."""

SWAPPED = frozenset({*_COMPARISONS, *_ARITHMETIC, *_BOOLEAN})
"""The operators of which mutants are made."""

_ASSIGNING = frozenset(
    {
        *("augmented_assignment", "augmented_assignment_expression", "assignment_statement"),
        *("compound_assignment_expr", "assignment_expression"),
    }
)
_INTEGERS = frozenset({"integer", "int_literal", "integer_literal", "number", "decimal_integer_literal"})
_FLOATS = frozenset({"float", "float_literal", "decimal_floating_point_literal"})
_BOOLEANS = {"true": "false", "false": "true", "True": "False", "False": "True"}
_TEXTS = frozenset({"string_content", "string_fragment", "interpreted_string_literal_content"})
_NOT_CODE = frozenset(
    {
        *("import_statement", "import_from_statement", "future_import_statement", "import_declaration"),
        *("package_clause", "package_declaration", "use_declaration", "attribute_item", "inner_attribute_item"),
        *("type", "type_annotation", "type_arguments", "field_declaration_list", "annotation", "marker_annotation"),
        *("type_alias_declaration", "interface_declaration", "extern_crate_declaration"),
    }
)
"""Nodes that no mutant is in: they name things instead of doing something."""

_NEGATION = {"python": "not ({})"}
_NOTHING = {"python": "pass", "javascript": ";", "typescript": ";", "java": ";", "go": "{}", "rust": "();"}
_ERROR = re.compile(r"(?:\w+\.)?(?:Err[A-Z]\w*|EOF)$|(?:errors\.New|fmt\.Errorf)\(")
"""What Go returns as an error that it doesn't hand on."""

_SHOWN_BARE = re.compile(r"[\w.]+")
"""A value that can be read without quotes: no text of spaces and signs."""

_CALLS = frozenset({"call", "call_expression", "method_invocation", "macro_invocation"})
RAISES = frozenset({"raise_statement", "throw_statement"})
_MADE = frozenset({"call", "new_expression", "object_creation_expression"})
_EXCEPTION = re.compile(r"[A-Z]\w*")
_EXCEPTIONS = {
    "python": ("TypeError", "ValueError"),
    "javascript": ("RangeError", "TypeError"),
    "typescript": ("RangeError", "TypeError"),
    "java": ("IllegalStateException", "UnsupportedOperationException"),
}
"""What is raised instead: the second one where the first one stands already."""
_OF_ALL = frozenset({"Exception", "BaseException", "Error", "RuntimeException", "Throwable"})
"""Whoever expects these takes another one for the same."""

_NO_VALUE = {"python": "None", "javascript": "undefined", "typescript": "undefined"}


def list_mutants(path: str, source: bytes, lines: Collection[int]) -> list[Mutant]:
    """List the mutants of the file that begin on ``lines``, in the order of the source.

    Empty for languages that are not in MUTATED, for files with a syntax error and for large ones.
    """
    language, grammar = language_of(path), grammar_of(path)
    if language not in MUTATED or grammar is None or len(source) > _MOST_BYTES:
        return []
    tree = parse(source, grammar)
    if tree.broken or tree.source != source:
        return []
    found = (
        (node, edit) for node in _walk_code(tree.root) if line_of(node) in lines for edit in _mutate(node, language)
    )
    mutants = {
        Mutant(
            path, line_of(node), edit.start, edit.end, edit.text.encode(), edit.operator, source[edit.start : edit.end]
        )
        for node, edit in found
    }
    return sorted(mutants)


def is_valid(mutant: Mutant, source: bytes) -> bool:
    """Whether what it makes of ``source`` parses."""
    return not parse(mutant.apply(source), grammar_of(mutant.path) or "").broken


def _walk_code(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _NOT_CODE:
            continue
        yield node
        stack.extend(reversed(node.children))


def _mutate(node: Node, language: str) -> Iterator[_Edit]:
    for mutate in _MUTATIONS:
        yield from mutate(node, language)


def _swap_operators(node: Node, _: str) -> Iterator[_Edit]:
    parent = node.parent
    if node.is_named or parent is None or not (parent.type in BINARY or parent.type in _ASSIGNING):
        return
    for table, operator in (
        (_COMPARISONS, Operator.COMPARISON),
        (_ARITHMETIC, Operator.ARITHMETIC),
        (_BOOLEAN, Operator.BOOLEAN),
    ):
        if (other := table.get(node.type)) is not None:
            yield _Edit(node.start_byte, node.end_byte, other, operator)


def _change_constants(node: Node, _: str) -> Iterator[_Edit]:
    text = text_of(node)
    if node.type in _INTEGERS | _FLOATS:
        if (other := _add_one(text)) is not None:
            yield _Edit(node.start_byte, node.end_byte, other, Operator.CONSTANT)
    elif node.type in {*_BOOLEANS, "boolean_literal"} and text in _BOOLEANS:
        yield _Edit(node.start_byte, node.end_byte, _BOOLEANS[text], Operator.CONSTANT)
    elif node.type in _TEXTS and not _is_document(node):
        yield _Edit(node.start_byte, node.end_byte, f"X{text}", Operator.CONSTANT)


def _add_one(text: str) -> str | None:
    digits = text.replace("_", "")
    if digits.isdecimal():
        return str(int(digits) + 1)
    whole, point, rest = digits.partition(".")
    return f"{int(whole) + 1}{point}{rest}" if point and whole.isdecimal() and rest.isdecimal() else None


def _is_document(text: Node) -> bool:
    """Whether a string is a statement by itself."""
    string = text.parent
    return string is not None and string.parent is not None and string.parent.type == "expression_statement"


def _negate_conditions(node: Node, language: str) -> Iterator[_Edit]:
    if node.type not in {
        "if_statement",
        "elif_clause",
        "if_expression",
        "conditional_expression",
        "ternary_expression",
    }:
        return
    condition = node.child_by_field_name("condition")
    if condition is None or condition.type in {"let_condition", "let_chain"}:
        return
    if condition.type == "parenthesized_expression" and len(condition.named_children) == 1:
        condition = condition.named_children[0]
    negated = _NEGATION.get(language, "!({})").format(text_of(condition))
    yield _Edit(condition.start_byte, condition.end_byte, negated, Operator.CONDITION)


def _drop_negation(node: Node, _: str) -> Iterator[_Edit]:
    if node.type not in {"not_operator", "unary_expression"} or node.child_count != 2:
        return
    sign, operand = node.children
    if sign.type in {"not", "!"} and operand.is_named:
        yield _Edit(node.start_byte, node.end_byte, f"({text_of(operand)})", Operator.BOOLEAN)


def _remove_calls(node: Node, language: str) -> Iterator[_Edit]:
    if node.type not in {"expression_statement", *RAISES} or len(node.named_children) != 1:
        return
    if node.type in RAISES or node.named_children[0].type in _CALLS:
        yield _Edit(node.start_byte, node.end_byte, _NOTHING[language], Operator.CALL)


def _change_raised(node: Node, language: str) -> Iterator[_Edit]:
    others = _EXCEPTIONS.get(language)
    if node.type not in RAISES or others is None or len(node.named_children) != 1:
        return
    raised = node.named_children[0]
    made = ("function", "constructor", "type") if raised.type in _MADE else ()
    name = next((each for each in map(raised.child_by_field_name, made) if each is not None), None)
    name = raised if raised.type == "identifier" and language == "python" else name
    if name is not None and _EXCEPTION.fullmatch(written := text_of(name)) and written not in _OF_ALL:
        yield _Edit(name.start_byte, name.end_byte, others[written == others[0]], Operator.RAISED)


def _change_error(node: Node, language: str) -> Iterator[_Edit]:
    """Return another error of the same text: one that is not equal to it, and doesn't wrap it."""
    error = find_error(node) if language == "go" else None
    if error is not None:
        other = f"struct{{ error }}{{{text_of(error)}}}"
        yield _Edit(error.start_byte, error.end_byte, other, Operator.RAISED)


def find_error(node: Node) -> Node | None:
    """Find the error that a statement of Go returns, if it makes or names one."""
    if node.type != "return_statement" or not node.named_children:
        return None
    values = node.named_children[0]
    error = values.named_children[-1] if values.type == "expression_list" and values.named_children else None
    return error if error is not None and _ERROR.match(text_of(error)) else None


def _drop_returned(node: Node, language: str) -> Iterator[_Edit]:
    if node.type != "return_statement" or language not in _NO_VALUE or len(node.named_children) != 1:
        return
    value = node.named_children[0]
    if text_of(value) != _NO_VALUE[language]:
        yield _Edit(value.start_byte, value.end_byte, _NO_VALUE[language], Operator.RETURNED)


_Mutation = Callable[["Node", str], Iterator[_Edit]]
_MUTATIONS: tuple[_Mutation, ...] = (
    _swap_operators,
    _change_constants,
    _negate_conditions,
    _drop_negation,
    _remove_calls,
    _change_raised,
    _change_error,
    _drop_returned,
)
