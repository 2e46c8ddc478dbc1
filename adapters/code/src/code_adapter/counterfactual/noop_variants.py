"""Write changed code in another way that does the same: other comments, another layout, other names of locals.

A test of behaviour can't tell the difference. What can't be renamed for certain keeps its name, and a variant counts
only if its syntax tree, with the names put back, is that of the original.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from code_adapter.counterfactual.changed_lines import ChangedCode, ChangedFile, Statement
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import fingerprint, parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_FUNCTIONS = {
    "python": frozenset({"function_definition"}),
    "javascript": frozenset(
        {
            *("function_declaration", "function_expression", "arrow_function", "method_definition"),
            *("generator_function", "generator_function_declaration"),
        }
    ),
    "go": frozenset({"function_declaration", "method_declaration", "func_literal"}),
}
_NESTED = frozenset({"function_definition", "class_definition", "lambda"})
_BINDINGS = ("import_", "global_", "nonlocal_", "delete_")
_SCOPE_READERS = frozenset({"locals", "vars", "eval", "exec", "dir", "globals", "with", "arguments"})
_SHORTHANDS = frozenset({"shorthand_property_identifier", "shorthand_property_identifier_pattern"})
_COMMENT = {"python": "# "}
_OTHERS_COMMENT = "// "
_INLINE = frozenset({"rust", "java", "kotlin"})
"""Languages of which the start of a changed statement is known wherever it stands."""

_WORDS = ("amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "juniper")
_PLAIN = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: bytes


@contextmanager
def write_variant(root: Path, code: ChangedCode) -> Iterator[bool]:
    """Write a variant of the changed files in ``root``, and put the files back at the end.

    Yields whether there is one that differs.
    """
    originals: dict[Path, bytes] = {}
    try:
        for file in code.files:
            place, variant = root / file.path, make_variant(file)
            if variant is not None and place.is_file() and not place.is_symlink():
                originals[place] = place.read_bytes()
                place.write_bytes(variant)
        yield bool(originals)
    finally:
        for place, content in originals.items():
            place.write_bytes(content)


def make_variant(file: ChangedFile) -> bytes | None:
    """Make another text of a file that does the same around its changed statements; None if none is certain."""
    grammar = grammar_of(file.path) or ""
    tree = parse(file.source, grammar)
    comments = list(_insert_comments(file))
    names = _choose_names(tree, file)
    for edits, new_names in (([*comments, *_rename(names)], names), (comments, {})):
        if not edits:
            continue
        variant = _apply(file.source, edits)
        back = variant
        for each in {new for _, new in new_names.values()}:
            back = back.replace(each.encode(), next(old for old, new in new_names.values() if new == each).encode())
        again = parse(back, grammar)
        if not again.broken and variant != file.source and fingerprint(again.root) == fingerprint(tree.root):
            return variant
    return None


def _insert_comments(file: ChangedFile) -> Iterator[_Edit]:
    """Insert a comment, and sometimes an empty line, above each changed statement that begins a line."""
    for statement in file.statements:
        start = _find_line(file, statement)
        words = " ".join(secrets.choice(_WORDS) for _ in range(3))
        if start is not None:
            indent = file.source[start : statement.start]
            comment = indent + f"{_COMMENT.get(file.language, _OTHERS_COMMENT)}{words}".encode() + b"\n"
            yield _Edit(start, start, comment)
        elif file.language in _INLINE:
            yield _Edit(statement.start, statement.start, f"/* {words} */ ".encode())


def _find_line(file: ChangedFile, statement: Statement) -> int | None:
    """Find the byte where the line of a statement begins; None if something stands before it there."""
    start = file.source.rfind(b"\n", 0, statement.start) + 1
    return start if not file.source[start : statement.start].strip() else None


Names = Mapping[int, tuple[str, str]]
"""The start byte of each identifier to rename, with its old and new name."""


def _choose_names(tree: Tree, file: ChangedFile) -> Names:
    """Choose locals of the functions around changed statements."""
    language = "javascript" if file.language == "typescript" else file.language
    found: dict[int, tuple[str, str]] = {}
    if language not in _FUNCTIONS:
        return found
    functions: dict[int, Node] = {}
    for statement in file.statements:
        node = tree.root.descendant_for_byte_range(statement.start, statement.start)
        while node is not None:
            if node.type in _FUNCTIONS[language]:
                functions[node.id] = node
                break
            node = node.parent
    source = file.source.decode("utf-8", "replace")
    for function in functions.values():
        for name in sorted(_FIND_LOCALS[language](function)):
            new = f"{name}_{secrets.token_hex(4)}"
            if _PLAIN.fullmatch(name) and new not in source:
                for node in walk(function):
                    if node.type == "identifier" and text_of(node) == name and _is_variable(node):
                        found.setdefault(node.start_byte, (name, new))
    return found


def _rename(names: Names) -> Iterator[_Edit]:
    for start, (old, new) in names.items():
        yield _Edit(start, start + len(old.encode()), new.encode())


def _apply(source: bytes, edits: Collection[_Edit]) -> bytes:
    for edit in sorted(edits, key=lambda each: (each.start, each.end), reverse=True):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


def _is_variable(node: Node) -> bool:
    """Whether an identifier of Python names a variable, rather than an attribute or an argument by keyword."""
    parent = node.parent
    if parent is None:
        return False
    for kind, field in (("attribute", "attribute"), ("keyword_argument", "name")):
        if parent.type == kind and parent.child_by_field_name(field) == node:
            return False
    return True


def _find_python_locals(function: Node) -> set[str]:
    body, parameters = function.child_by_field_name("body"), function.child_by_field_name("parameters")
    if body is None or _reads_scope(function) or any(node.type == "match_statement" for node in walk(body)):
        return set()
    banned = set(_list_words(parameters))
    found = set()
    for node in walk(body):
        shows_names = node.type == "interpolation" and text_of(node).rstrip("}").rstrip().endswith("=")
        if shows_names or node.type in _NESTED or node.type.startswith(_BINDINGS):
            banned.update(_list_words(node))
        elif node.type == "assignment":
            left = node.child_by_field_name("left")
            if left is not None and left.type == "identifier":
                found.add(text_of(left))
    return found - banned


def _find_javascript_locals(function: Node) -> set[str]:
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block" or _reads_scope(function):
        return set()
    banned = {text_of(node) for node in walk(function) if node.type in _SHORTHANDS}
    banned.update(text_of(node) for tag in walk(body) if tag.type.startswith("jsx_") for node in tag.children)
    banned.update(_list_words(function.child_by_field_name("parameters")))
    banned.update(_list_words(function.child_by_field_name("parameter")))
    banned.add(text_of(function.child_by_field_name("name")))
    found = {}
    for declaration in body.named_children:
        if declaration.type == "lexical_declaration":
            for each in declaration.named_children:
                name = each.child_by_field_name("name") if each.type == "variable_declarator" else None
                if name is not None and name.type == "identifier":
                    found[text_of(name)] = (name.start_byte, declaration.end_byte)
    return {name for name, span in found.items() if name not in banned and not _is_used_before(body, name, span)}


def _find_go_locals(function: Node) -> set[str]:
    body = function.child_by_field_name("body")
    if body is None:
        return set()
    banned = {"_"}
    for field in ("parameters", "result", "receiver"):
        banned.update(_list_words(function.child_by_field_name(field)))
    banned.update(text_of(key) for node in walk(body) if node.type == "keyed_element" for key in _list_keys(node))
    found: dict[str, tuple[int, int]] = {}
    for declaration in body.named_children:
        statements = declaration.named_children if declaration.type == "statement_list" else [declaration]
        for each in statements:
            left = each.child_by_field_name("left") if each.type == "short_var_declaration" else None
            for name in left.named_children if left is not None else ():
                found.setdefault(text_of(name), (name.start_byte, each.end_byte))
    return {name for name, span in found.items() if name not in banned and not _is_used_before(body, name, span)}


def _list_keys(element: Node) -> Iterator[Node]:
    for child in element.named_children[:1]:
        yield from (node for node in walk(child) if node.child_count == 0)


def _is_used_before(body: Node, name: str, span: tuple[int, int]) -> bool:
    """Whether a name occurs before its declaration ends, other than as what it declares: then it is another's too."""
    start, end = span
    return any(
        node.start_byte < end and node.start_byte != start
        for node in walk(body)
        if node.type == "identifier" and text_of(node) == name
    )


def _reads_scope(function: Node) -> bool:
    return any(node.child_count == 0 and text_of(node) in _SCOPE_READERS for node in walk(function))


def _list_words(node: Node | None) -> Iterator[str]:
    if node is not None:
        yield from (text_of(each) for each in walk(node) if each.type == "identifier")


_FIND_LOCALS: Mapping[str, Callable[[Node], set[str]]] = {
    "python": _find_python_locals,
    "javascript": _find_javascript_locals,
    "go": _find_go_locals,
}
