"""Find the values that the assertions of tests compare with, and alter them: a test that then still passes can't fail.

Literals alone are altered, where an assertion says that something is equal to one. What stands below a condition of the
test may not run on this machine, and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.sensitivity.mutants import Mutant, Operator
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import line_of, parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_OF_ONE = 2
"""So many literals of one assertion are altered, each by itself."""

_CONDITIONAL = frozenset(
    {
        *("if_statement", "elif_clause", "else_clause", "conditional_expression", "match_statement", "except_clause"),
        *("ternary_expression", "switch_statement", "switch_case", "catch_clause", "function_definition", "lambda"),
        *("expression_switch_statement", "type_switch_statement", "select_statement", "if_expression"),
        *("match_expression", "switch_expression", "class_definition"),
    }
)
"""Nodes of a test whose content may not run. A callback of JavaScript that never runs is what is looked for."""

_PYTHON_CALL = re.compile(r"(?:.*\.)?(?:assert\w*[Ee]quals?|assert_\w*equal|assertIs|eq_)")
_SCRIPT_ASSERT = re.compile(r"(?:chai\.)?(?:assert(?:\.strict)?|t|tap|test|ctx)(?:\.assert)?\.(?P<name>\w+)")
_SCRIPT_EXPECT = re.compile(r"(?:chai\.)?expect\b(?!.*\.not\b).*\.(?P<name>\w+)", re.DOTALL)
_SCRIPT_EQUAL = re.compile(
    r"toBe|toEqual|toStrictEqual|toBeCloseTo|toHaveLength|equals?|eql|eqls|strictEqual|deepEqual|deepStrictEqual|"
    r"deepEquals|is|same|strictSame|lengthOf|closeTo|approximately"
)
_GO_CALL = re.compile(r"(?:assert|require|is)\.(?:Equal|EqualValues|Exactly|InDelta|InEpsilon|Len)")
_GO_FAILS = re.compile(r"\b\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(")
_RUST_EQUAL = re.compile(r"(?:\w+::)*(?:debug_)?assert_eq")
_RUST_HOLDS = re.compile(r"(?:\w+::)*(?:debug_)?assert")
_JAVA_PAIR = re.compile(r"assert(?:Array)?Equals|assertSame")
_JAVA_ONE = re.compile(r"isEqualTo|hasSize|isSameAs|isCloseTo")
_ROUGH = re.compile(r"(?i)approx|almost|close|delta|epsilon")
"""Names of comparisons that allow a difference: what is altered must differ by more."""

_NUMBER = re.compile(r"(?P<whole>\d+)(?P<rest>\.\d+)?(?P<suffix>[A-Za-z]\w*)?")
_NUMBERS = frozenset(
    {
        *("integer", "float", "number", "int_literal", "float_literal", "integer_literal"),
        *("decimal_integer_literal", "decimal_floating_point_literal"),
    }
)
_CONTENTS = frozenset({"string_content", "string_fragment", "interpreted_string_literal_content"})
_BOOLEANS = {"true": "false", "false": "true", "True": "False", "False": "True"}
_STRINGS = frozenset(
    {"string", "template_string", "string_literal", "interpreted_string_literal", "raw_string_literal"}
)
_COLLECTIONS = frozenset(
    {
        *("list", "tuple", "set", "dictionary", "pair", "array", "object", "parenthesized_expression"),
        *("composite_literal", "literal_value", "literal_element", "keyed_element"),
        *("array_initializer", "array_creation_expression", "unary_operator", "unary_expression"),
    }
)
_KEYS = frozenset({"property_identifier", "field_identifier"})
_OF_TYPES = frozenset({"slice_type", "array_type", "map_type", "type_identifier", "integral_type", "dimensions"})


class Expected(NamedTuple):
    """An altered value of the test that is written as ``test`` in its file."""

    test: str
    value: Mutant


def list_expected(path: str, source: bytes) -> Iterator[Expected]:
    """List the altered values of the tests in a file, in the order of the source. Nothing of files that don't parse."""
    language, grammar = language_of(path), grammar_of(path)
    if language is None or language not in _OPERANDS or grammar is None:
        return
    tree = parse(source, grammar)
    if tree.broken or tree.source != source:
        return
    for found in LANGUAGES[language].find_tests(tree):
        for node in _walk(found.body):
            for leaf, rough in _find_compared(node, _OPERANDS[language]):
                text = _alter(leaf, rough=rough)
                if text is not None:
                    start, end = leaf.start_byte, leaf.end_byte
                    value = Mutant(path, line_of(leaf), start, end, text.encode(), Operator.EXPECTED, source[start:end])
                    yield Expected(found.qualified.replace(" > ", " "), value)


def _walk(body: Node) -> Iterator[Node]:
    stack = [body]
    while stack:
        node = stack.pop()
        yield node
        if node.type not in _CONDITIONAL or node.id == body.id:
            stack.extend(reversed(node.named_children))


_Operands = Callable[["Node"], Sequence["Node"]]


def _find_compared(node: Node, operands: _Operands) -> Iterator[tuple[Node, bool]]:
    """Find literals that ``node``, if it is an assertion of equality, compares with, and whether it does so roughly."""
    values = operands(node)
    names = (text_of(node.child_by_field_name("function") or node.child_by_field_name("name")), *map(text_of, values))
    rough = any(map(_ROUGH.search, names))
    literals = [literal for literal in map(_unwrap, values) if _is_literal(literal)]
    if len(literals) == 1:
        yield from ((leaf, rough) for leaf in list(_list_leaves(literals[0]))[:_MOST_OF_ONE])


def _unwrap(value: Node) -> Node:
    """``approx(3)`` -> ``3``."""
    if value.type == "call" and _ROUGH.search(text_of(value.child_by_field_name("function"))):
        return next(iter(_list_arguments(value)), value)
    return value


def _is_literal(node: Node) -> bool:
    if node.type in _NUMBERS or node.type in _KEYS or text_of(node) in _BOOLEANS:
        return True
    if node.type in _STRINGS:
        return not any(child.type in {"interpolation", "template_substitution"} for child in node.named_children)
    inner = [child for child in node.named_children if child.type not in _OF_TYPES]
    return node.type in _COLLECTIONS and bool(inner) and all(_is_literal(child) for child in inner)


def _list_leaves(node: Node) -> Iterator[Node]:
    if node.type in _NUMBERS or node.type in _CONTENTS or text_of(node) in _BOOLEANS:
        yield node
        return
    for child in node.named_children:
        yield from _list_leaves(child)


def _alter(leaf: Node, *, rough: bool) -> str | None:
    text = text_of(leaf)
    if leaf.type in _CONTENTS:
        return f"{text}X"
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    number = _NUMBER.fullmatch(text)
    if number is None:
        return None
    whole = int(number["whole"])
    return f"{2 * whole + 1 if rough else whole + 1}{number['rest'] or ''}{number['suffix'] or ''}"


def _list_arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    named = arguments.named_children if arguments is not None else []
    return [each for each in named if each.type not in {"keyword_argument", "comment"}]


def _list_python_operands(node: Node) -> Sequence[Node]:
    if node.type == "call" and _PYTHON_CALL.fullmatch(text_of(node.child_by_field_name("function"))):
        return _list_arguments(node)[:2]
    if node.type != "comparison_operator" or not _is_asserted(node):
        return ()
    signs = [child.type for child in node.children if not child.is_named]
    return node.named_children if signs in (["=="], ["is"]) else ()


def _is_asserted(node: Node) -> bool:
    """Whether a comparison must be true: ``assert a == 1 and b == 2``."""
    above = node.parent
    if above is None or above.type == "assert_statement":
        return above is not None and above.named_children[0].id == node.id
    joined = above.type == "boolean_operator" and text_of(above.child_by_field_name("operator")) == "and"
    return (joined or above.type == "parenthesized_expression") and _is_asserted(above)


def _list_script_operands(node: Node) -> Sequence[Node]:
    if node.type != "call_expression":
        return ()
    function = text_of(node.child_by_field_name("function"))
    for pattern, count in ((_SCRIPT_ASSERT, 2), (_SCRIPT_EXPECT, 1)):
        called = pattern.fullmatch(function)
        if called is not None:
            return _list_arguments(node)[:count] if _SCRIPT_EQUAL.fullmatch(called["name"]) else ()
    return ()


def _list_go_operands(node: Node) -> Sequence[Node]:
    if node.type == "call_expression":
        called = _GO_CALL.fullmatch(text_of(node.child_by_field_name("function")))
        return _list_arguments(node)[1:3] if called else ()
    condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
    if condition is None or condition.type != "binary_expression":
        return ()
    fails = _GO_FAILS.search(text_of(node.child_by_field_name("consequence")))
    signs = [child.type for child in condition.children if not child.is_named]
    return condition.named_children if fails and signs == ["!="] else ()


def _list_rust_operands(node: Node) -> Sequence[Node]:
    """Macros are lists of tokens: an argument that is one token may be a literal."""
    if node.type != "macro_invocation":
        return ()
    name = text_of(node.child_by_field_name("macro"))
    tokens = next((child.children[1:-1] for child in node.named_children if child.type == "token_tree"), [])
    if _RUST_HOLDS.fullmatch(name):
        signs = [token.type for token in tokens[-3:-1] if token.type != "-"]
        return [tokens[-1]] if signs[-1:] == ["=="] else ()
    if not _RUST_EQUAL.fullmatch(name):
        return ()
    arguments: list[list[Node]] = [[]]
    for token in tokens:
        if token.type == ",":
            arguments.append([])
        else:
            arguments[-1].append(token)
    return [words[-1] for words in arguments[:2] if len(words) == 1 or (len(words) == 2 and words[0].type == "-")]


def _list_java_operands(node: Node) -> Sequence[Node]:
    if node.type != "method_invocation":
        return ()
    name = text_of(node.child_by_field_name("name"))
    if _JAVA_PAIR.fullmatch(name):
        return _list_arguments(node)[:2]
    return _list_arguments(node)[:1] if _JAVA_ONE.fullmatch(name) else ()


_OPERANDS: Mapping[str, _Operands] = {
    "python": _list_python_operands,
    "javascript": _list_script_operands,
    "typescript": _list_script_operands,
    "go": _list_go_operands,
    "rust": _list_rust_operands,
    "java": _list_java_operands,
}
"""For each language, what an assertion of equality compares; nothing of other nodes."""
