"""Whether the body of a function does more than return a constant or an argument, or raise: for all languages alike.

A body is read as a straight line: messages, names bound to constants, then a result. Whatever else stands there, or
surrounds it as a decorator, does something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import is_comment, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.definition import Definition


class Effect(StrEnum):
    """All that a body does."""

    UNIMPLEMENTED = "unimplemented"
    RAISES = "raises"
    CONSTANT = "constant"
    ARGUMENT = "argument"


_BLOCKS = frozenset(
    {"block", "statement_block", "statement_list", "compound_statement", "body_statement", "function_body"}
    | {"arrow_expression_clause", "block_body"}
)
_RETURNS = frozenset({"return_statement", "return_expression", "return"})
_BRANCHES = frozenset({"if_statement", "else_clause", "elif_clause", "block", "statement_block"})
_RAISES = frozenset({"raise_statement", "throw_statement", "throw_expression"})
_RAISING = re.compile(r"(?:panic|raise|fail|TODO|(?:todo|unimplemented|unreachable)!)!?(?:\b|\s*\()")
_UNDONE = re.compile(
    r"not[ _-]?(?:yet[ _-]?)?(?:been )?implemented|notimplemented|unimplemented|\btodo\b|\bfixme\b|"
    r"UnsupportedOperationException",
    re.IGNORECASE,
)
_CALLS = frozenset(
    {"call", "call_expression", "method_invocation", "invocation_expression", "macro_invocation", "new_expression"}
    | {"object_creation_expression", "function_call_expression", "member_call_expression", "scoped_call_expression"}
)
_CALLEES = ("function", "macro", "constructor", "type", "method", "name")
_MESSAGE = re.compile(
    r"(?:e?print(?:ln|f)?|puts|pp?|warn|echo|error_log|dbg|info|debug|error|trace|"
    r"console\.\w+|(?:\w+[.:]+)*_?log(?:ger|ging)?(?:\.|::)\w+|fmt\.F?[Pp]rint\w*|"
    r"System\.(?:out|err)\.\w+|Console\.Write\w*|Debug\.\w+|tracing::\w+)!?",
    re.IGNORECASE,
)
_BUILDERS = re.compile(
    r"(?:dict|list|set|tuple|str|int|float|bool|bytes|frozenset|object|Ok|Err|Some|Left|Right|"
    r"Map|Set|Array|Object|String|Error|Promise\.(?:resolve|reject)|errors\.New|fmt\.Errorf|make|new|"
    r"Optional\.(?:empty|of)|Collections\.empty\w+|(?:List|Map|Set)\.of|(?:Array|Linked|Hash|Tree|LinkedHash)(?:List|Map|Set)|"
    r"(?:empty|mutable)?(?:List|Map|Set|Array)(?:Of)?|(?:list|map|set|array|mutable\w+|empty\w+)Of|empty(?:List|Map|Set)|"
    r"(?:\w+::)*(?:Vec|String|HashMap|HashSet|BTreeMap)::(?:new|from)|(?:\w+::)*Default::default|vec|"
    r"Task\.FromResult|Array\.Empty|Enumerable\.Empty|Dictionary|Hash\.new|Array\.new|stdClass|"
    r"[\"'].*[\"']\.(?:to_string|into|to_owned|freeze|dup))(?:<.*>)?",
    re.DOTALL,
)
_BINDINGS = frozenset(
    {"assignment", "assignment_expression", "lexical_declaration", "variable_declaration", "short_var_declaration"}
    | {"let_declaration", "local_variable_declaration", "local_declaration_statement", "property_declaration"}
)
_NAMES = frozenset({"identifier", "simple_identifier", "constant", "variable_name", "self", "this", "name"})
_NAMES_OF_KEYS = frozenset({"property_identifier", "field_identifier", "hash_key_symbol"})
_PARAMETERS = frozenset({"shorthand_property_identifier_pattern"}) | _NAMES
_KNOWN = frozenset({"None", "True", "False", "null", "NULL", "nil", "undefined", "NaN", "true", "false"})
_OWNERS = frozenset({"self", "this", "$this", "cls"})
_KEYED = frozenset({"keyed_element", "keyword_argument", "named_argument", "pair", "field_initializer"})
_WRAPS = frozenset({"parenthesized_expression", "expression_list", "argument_list", "as_expression"})
_DOES = re.compile(
    r"(?:member|field|selector|index|await|yield|conditional|closure)_?(?:access_)?expression|attribute|field_access|"
    r"await|yield|lambda\w*|\w*function\w*|"
    r"func_literal|\w*comprehension|generator_expression|\w*interpolat\w*|template_substitution|"
    r"navigation_expression|scoped_identifier|scope_resolution|shorthand_property_identifier|do_block|if_expression|"
    r"match_expression|\w*arrow_function|anonymous_\w+"
)
_TYPES = re.compile(r"\w*type\w*|generic_name|\w*modifiers?|mutable_specifier")
_PLAIN_MARKS = frozenset(
    {"property", "staticmethod", "classmethod", "override", "final", "cached_property", "cache", "lru_cache"}
    | {"inline", "must_use", "allow", "doc", "deprecated", "nullable", "notnull", "nonnull", "suppresswarnings"}
    | {"safevarargs", "pure", "jvmstatic", "jvmoverloads", "suppress", "cfg"}
)
_MARKS = frozenset({"decorator", "attribute_item", "attribute_list", "annotation", "marker_annotation"})
_NAME = re.compile(r"[A-Za-z_][\w.:]*")
_LONGEST = 20_000
"""Bytes of a body: a longer one isn't read, and counts as one that does something."""


def read_effect(definition: Definition, language: str) -> Effect | None:
    """Read all that a function does; None if that is more than an Effect, or can't be printed."""
    function = _find_function(definition.node)
    if definition.kind != "function" or function is None or _is_marked(definition):
        return None
    body = _body_of(function)
    if body is None or len(body.text or b"") > _LONGEST:
        return None
    parameters = frozenset(_list_parameters(function))
    by_tail = language in {"rust", "ruby"} or body.type not in _BLOCKS - {"function_body", "arrow_expression_clause"}
    if body.type == "function_body" and any(child.type == "block" for child in body.named_children):
        by_tail = False
    return _read_line(list(_list_statements(body)), parameters, by_tail=by_tail)


def _find_function(node: Node) -> Node | None:
    for looked, found in enumerate(walk(node, enter=lambda each: each.type not in _BLOCKS)):
        if _body_of(found) is not None and found.type not in {"class_declaration", "class_definition"}:
            return found
        if looked > 60:
            return None
    return None


def _body_of(node: Node) -> Node | None:
    body = node.child_by_field_name("body")
    if body is None and node.type == "property_declaration":
        body = node.child_by_field_name("value")
        return body if body is not None and body.type == "arrow_expression_clause" else None
    return body or next((child for child in node.named_children if child.type == "function_body"), None)


def _is_marked(definition: Definition) -> bool:
    """Whether a decorator, an annotation or an attribute stands there that may do the work."""
    around = [*definition.leading, *definition.node.children]
    around += [mark for child in around if child.type == "modifiers" for mark in child.named_children]
    names = (_NAME.search(text_of(mark)) for mark in around if mark.type in _MARKS)
    return any(name is None or re.split(r"[.:]", name[0])[-1].lower() not in _PLAIN_MARKS for name in names)


def _list_parameters(function: Node) -> Iterator[str]:
    yield from _OWNERS
    for child in function.children:
        if "parameter" in child.type:
            yield from (text_of(each) for each in walk(child) if each.type in _PARAMETERS)
    for name in ("parameter", "receiver"):
        single = function.child_by_field_name(name)
        if single is not None:
            yield from (text_of(each) for each in walk(single) if each.type in _PARAMETERS)


def _list_statements(node: Node) -> Iterator[Node]:
    if node.type in _BLOCKS:
        for child in node.named_children:
            if not is_comment(child):
                yield from _list_statements(child)
    elif node.type == "expression_statement" and node.named_child_count == 1:
        yield node.named_children[0]
    else:
        yield node


def _read_line(statements: list[Node], parameters: frozenset[str], *, by_tail: bool) -> Effect | None:
    constants: set[str] = set()
    printed = False
    for at, statement in enumerate(statements):
        text = text_of(statement)
        if statement.type in _RAISES or _RAISING.match(text):
            return _read_raised(statement, parameters)
        if statement.type in _RETURNS or (statement.type == "if_statement" and at == len(statements) - 1):
            return _read_result(statement, parameters, constants, printed=printed)
        if by_tail and at == len(statements) - 1 and not _is_message(statement):
            return _read_value(statement, parameters, constants)
        if _is_message(statement):
            printed = True
        elif statement.type in _BINDINGS:
            bound = _read_binding(statement, constants)
            if bound is None:
                return None
            constants.add(bound)
        elif statement.type not in {"pass_statement", "string", "ellipsis", "empty_statement"}:
            return None
    return Effect.CONSTANT if constants and not printed else None


def _read_branches(statement: Node, constants: set[str]) -> Effect | None:
    """Read a last condition: each branch returns the same constant, so that nothing depends on what is asked for.

    A branch that is missing returns nothing, which no branch with a result does.
    """
    condition = statement.child_by_field_name("condition")
    returned: set[str] = set()
    left, has_else = [statement], False
    while left:
        node = left.pop()
        asked = node.child_by_field_name("condition")
        other = node.child_by_field_name("alternative")
        has_else = has_else or node.type == "else_clause" or (other is not None and other.type in _BLOCKS)
        if asked is not None and any(each.type in _CALLS or "assign" in each.type for each in walk(asked)):
            return None
        for child in node.named_children:
            if is_comment(child) or (asked is not None and child.id == asked.id):
                continue
            if child.type in _BRANCHES:
                left.append(child)
            elif child.type in _RETURNS and child.named_child_count == 1 and _is_constant(child, constants):
                returned.add(text_of(child).rstrip(";"))
            else:
                return None
    return Effect.CONSTANT if condition is not None and has_else and len(returned) == 1 else None


def _read_result(statement: Node, parameters: frozenset[str], constants: set[str], *, printed: bool) -> Effect | None:
    if statement.type == "if_statement":
        return None if printed else _read_branches(statement, constants)
    values = [child for child in statement.named_children if not is_comment(child)]
    if not values:
        return None if printed else Effect.CONSTANT
    return _read_value(values[0], parameters, constants)


def _read_value(value: Node, parameters: frozenset[str], constants: set[str]) -> Effect | None:
    while value.type in _WRAPS and (value.named_child_count == 1 or value.type == "as_expression"):
        value = value.named_children[0]
    if value.type in _NAMES and text_of(value) in parameters:
        return Effect.ARGUMENT
    if value.type in _RAISES or (value.type in _CALLS and _RAISING.match(text_of(value))):
        return _read_raised(value, parameters)
    return Effect.CONSTANT if _is_constant(value, constants) else None


def _read_raised(statement: Node, parameters: frozenset[str]) -> Effect | None:
    """Read a statement that raises: what it says of the arguments is more than nothing."""
    if _UNDONE.search(text_of(statement)):
        return Effect.UNIMPLEMENTED
    says = any(each.type in _NAMES and text_of(each) in parameters - _OWNERS for each in walk(statement))
    return None if says else Effect.RAISES


def _is_message(statement: Node) -> bool:
    if statement.type == "echo_statement":
        inner = statement.named_children
    elif statement.type in _CALLS:
        if not _MESSAGE.fullmatch(_name_of_call(statement)):
            return False
        inner = _arguments_of(statement)
    else:
        return False
    return not any(each.type in _CALLS or "assign" in each.type for argument in inner for each in walk(argument))


def _name_of_call(call: Node) -> str:
    arguments = _arguments_node(call)
    end = arguments.start_byte - call.start_byte if arguments is not None else len(call.text or b"")
    text = (call.text or b"")[:end].decode("utf-8", "replace").strip()
    return text.removeprefix("new ").strip().removesuffix("!")


def _arguments_node(call: Node) -> Node | None:
    found = call.child_by_field_name("arguments")
    kinds = {"argument_list", "arguments", "value_arguments", "token_tree"}
    return found or next((child for child in call.named_children if child.type in kinds), None)


def _arguments_of(call: Node) -> list[Node]:
    arguments = _arguments_node(call)
    return arguments.named_children if arguments is not None else []


def _read_binding(statement: Node, constants: set[str]) -> str | None:
    """Read the name that a statement binds to a constant; None if it does anything else."""
    declared = [each for each in walk(statement) if each.type == "variable_declarator"] or [statement]
    if len(declared) != 1 or len(declared[0].named_children) < 2:
        return None
    whole = declared[0]
    left = next(
        (found for name in ("left", "name", "pattern") if (found := whole.child_by_field_name(name)) is not None),
        whole.named_children[0],
    )
    value = whole.child_by_field_name("value") or whole.child_by_field_name("right") or whole.named_children[-1]
    while left.type in {"expression_list", "variable_declaration"} and left.named_children:
        left = left.named_children[0]
    if left.type not in _NAMES or left.id == value.id or not _is_constant(value, constants):
        return None
    return text_of(left)


def _is_constant(value: Node, constants: set[str]) -> bool:
    left = [value]
    while left:
        node = left.pop()
        if is_comment(node) or _TYPES.fullmatch(node.type) or node.type in _NAMES_OF_KEYS:
            continue
        if node.type in _CALLS:
            if not _BUILDERS.fullmatch(_name_of_call(node)):
                return False
            left += _arguments_of(node)
        elif node.type in _NAMES:
            if text_of(node) not in _KNOWN | constants:
                return False
        elif _DOES.fullmatch(node.type):
            return False
        elif node.type in _KEYED and node.named_children:
            left.append(node.named_children[-1])
        else:
            left += node.named_children
    return True
