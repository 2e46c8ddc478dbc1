"""Find removed rows in tables of test cases.

A table is a list in a loop of a test, in ``parametrize`` or ``each``, or under a name that one of these uses. A changed
row counts as replaced; fewer rows are fewer cases.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.moved_files import list_edited
from code_adapter.integrity.roles import is_test_code
from verigate.sdk import clean_text
from verigate.sdk.languages.tree import is_comment, line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from verigate.sdk.languages.tree import Tree

_LISTS = frozenset(
    {"list", "tuple", "set", "dictionary", "array", "literal_value", "array_expression", "hash"}
    | {"array_creation_expression", "element_value_array_initializer"}
)
_LOOPS = frozenset({"for_statement", "for_in_statement", "range_clause", "for_expression"})
_RUBY_LOOPS = frozenset({"each", "each_with_index", "each_pair", "map", "each_slice"})
_NAMES = frozenset({"identifier", "expression_list"})
_WALKED = re.compile(r"\.(?:forEach|map|every|some|iter|into_iter|items|each)$")
_ROW_EACH = re.compile(r"InlineData|TestCase|DataRow|TestWith(?:Json)?|Arguments")
_ROWS_OF = re.compile(r"CsvSource|ValueSource|EnumSource|CsvFileSource|MethodSource")
"""Attributes of C#, Java, Kotlin and PHP: one row of a table each, and those that hold all of it."""

_PROVIDERS = re.compile(rb"[dD]ataProvider(?:\(\s*['\"]|\s+)(\w+)")
_TABLES = re.compile(r"(?:parametrize|\.each|\.for)\b")
_ASKS = re.compile(r"assert|expect|raises|warns|should|check|verify|fail|\byield\b|\bt\.\w+\(|\b(?:it|test)\(")
_PREPARES = re.compile(r"(?:set_?up|tear_?down)(?:_?(?:class|module|method|function|test\w*|data))?$", re.IGNORECASE)
_PREPARATIONS = re.compile(
    r"write(?:_text|_bytes|FileSync)?|mkdir(?:Sync)?|makedirs|touch|unlink(?:Sync)?|remove|rmdir|rmtree|rmSync|setenv|delenv|"
    r"setattr|delattr|setitem|delitem|pop|close|print|join|joinpath|str|Path|open|encode|format"
)

_FILE = "the file"
_Row = str


def find_lost_rows(changes: ChangeSet, gone_names: Callable[[], frozenset[str]]) -> Iterator[IntegrityFinding]:
    """Find tables of changed test files with fewer rows than in base. ``gone_names`` finds removed names."""
    tables = []
    gained: Counter[_Row] = Counter()
    for before, after in list_edited(changes):
        old, new = changes.tree(before), changes.tree(after)
        if new is not None and after is not None and _has_tests(after.path, new):
            was, now = _tables(old) if old is not None else {}, _tables(new)
            tables.append((before, after, was, now))
            for name, (rows, _) in now.items():
                gained += Counter(rows) - Counter(was[name][0] if name in was else [])
    for old_side, side, was, now in tables:
        for name, (rows, _) in was.items():
            if name not in now:
                continue  # the test or the name is gone: that is asked elsewhere
            left, line = now[name]
            # A row that stood there twice asked once; the order is that of the file.
            lost = Counter(row for row in dict.fromkeys(rows) if row not in left)
            net = len(set(rows)) - len(set(left)) - sum((lost & gained).values())
            if net <= 0 or not lost:
                continue
            about = [row for row in lost if any(re.search(rf"\b{re.escape(gone)}\b", row) for gone in gone_names())]
            weight: Weight = "note" if len(about) >= net else "weakening"
            first = clean_text(next(iter(lost)), 100)
            message = f"{name}: {net} of {len(rows)} cases are gone, among them: {first}"
            yield IntegrityFinding("assertion_removed", side.path, line, message, weight, "case-removed")
        yield from _cut(side.path, text(old_side), text(side), set(was) & set(now))


def _has_tests(path: str, tree: Tree) -> bool:
    return is_test_code(path) or (path.endswith(".rs") and b"#[cfg(test)]" in tree.source)


def _cut(path: str, before: str, source: str, names: Collection[str]) -> Iterator[IntegrityFinding]:
    """A table at the top of a file that is made shorter after it was written, and wasn't in base."""
    for name in sorted(name for name in names if re.fullmatch(r"\w+", name)):
        parted = rf"{name}\[|\[[^\n]*\bfor\b[^\n]*\bif\b|(?:list\()?filter\(|{name}\.(?:filter|slice)\("
        shortened = rf"del\s+{name}\[|{name}\.(?:clear|pop|remove|splice|shift)\("
        cut = re.search(rf"^(?:{shortened}|{name}\s*=\s*(?:{parted}))", source, re.MULTILINE)
        if cut and cut[0] not in before:
            line = source.count("\n", 0, cut.start()) + 1
            yield IntegrityFinding(
                "assertion_removed",
                path,
                line,
                f"{name}: cases are taken out of the table",
                "weakening",
                "case-removed",
            )


def _tables(tree: Tree) -> dict[str, tuple[list[_Row], int]]:
    """Name of the table, or the test and its loop -> rows with white space made alike, and the first line."""
    named: dict[tuple[str, str], Node] = {}
    used: set[str] = set()
    found: dict[str, tuple[list[_Row], int]] = {}
    count: Counter[str] = Counter()
    inside = tree.source.find(b"#[cfg(test)]")
    providers = {name.decode("ascii", "replace") for name in _PROVIDERS.findall(tree.source)}
    for node in walk(tree.root):
        if node.start_byte < inside:
            continue  # Rust's unit tests come after the code that they are about
        if node.type in {"assignment", "variable_declarator", "short_var_declaration", "let_declaration", "var_spec"}:
            name = text_of(
                node.child_by_field_name("left")
                or node.child_by_field_name("name")
                or node.child_by_field_name("pattern")
            )
            value = _list(node.child_by_field_name("right") or node.child_by_field_name("value"))
            if value is not None:
                named[name, _around(node)] = value
            continue
        if node.type in _ATTRIBUTES:
            _add_attribute(node, found)
        for given in (*_gone_through(node), *_provided(node, providers)):
            value = _list(given)
            if value is not None:
                around = _method_of(node) if node.type == "return_statement" else _around(node)
                name = f"the cases of {around}"
                count[name] += 1
                found[name if count[name] == 1 else f"{name}, {count[name]}"] = _rows(value), line_of(value)
            else:
                used |= set(re.findall(r"\w+", text_of(given)[:200]))
    for (name, around), value in named.items():
        if name in used:
            found[name if around == _FILE else f"{name} of {around}"] = _rows(value), line_of(value)
    return found


_ATTRIBUTES = frozenset({"annotation", "attribute"})


def _add_attribute(node: Node, found: dict[str, tuple[list[_Row], int]]) -> None:
    """Add the rows that an attribute gives to the table of its method."""
    text = " ".join(text_of(node).split())
    called, _, given = text.removeprefix("@").partition("(")
    name = called.rpartition(".")[2].rpartition("\\")[2]
    if _ROW_EACH.fullmatch(name):
        rows = [text]
    elif _ROWS_OF.fullmatch(name):
        rows = _STRINGS.findall(given) or [row.strip() for row in given.strip("(){} ").rpartition("{")[2].split(",")]
    else:
        return
    table = f"the cases of {_method_of(node)}"
    known, line = found.get(table, ([], line_of(node)))
    found[table] = [*known, *rows], line


_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')
_METHODS = frozenset({"method_declaration", "function_declaration"})


def _method_of(node: Node) -> str:
    above = node.parent
    while above is not None and above.type not in _METHODS:
        above = above.parent
    if above is None:
        return _FILE
    name = above.child_by_field_name("name") or next(
        (child for child in above.named_children if child.type in {"simple_identifier", "identifier"}), None
    )
    return text_of(name)


def _provided(node: Node, providers: Collection[str]) -> Iterator[Node]:
    """PHP: what a method returns that is named as a provider of rows."""
    if providers and node.type == "return_statement" and _method_of(node) in providers:
        yield from node.named_children[:1]


def _gone_through(node: Node) -> Iterator[Node]:
    """What a loop or a table of cases is over."""
    if node.type in _LOOPS:
        over = node.child_by_field_name("right") or node.child_by_field_name("value")
        yield from [over] if over is not None and not _prepares(node) else []
    elif node.type in {"call", "call_expression"}:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        name = text_of(function)
        receiver = node.child_by_field_name("receiver")  # Ruby
        if receiver is not None and text_of(node.child_by_field_name("method")) in _RUBY_LOOPS:
            yield receiver
        if function is not None and _WALKED.search(name):
            over = function.child_by_field_name("object") or function.child_by_field_name("value")
            yield from [over] if over is not None else []
        if arguments is not None and _TABLES.search(name[-60:]):
            yield from (child for child in arguments.named_children if not is_comment(child))


def _prepares(loop: Node) -> bool:
    """Whether the loop makes files and settings for tests, and asks nothing."""
    body = loop.child_by_field_name("body")
    if body is None or _ASKS.search(text_of(body)):
        return False
    calls = [node for node in walk(body) if node.type in {"call", "call_expression"}]
    names = {text_of(call.child_by_field_name("function")).rpartition(".")[2] for call in calls}
    return _is_set_up(loop) or (bool(names) and all(_PREPARATIONS.fullmatch(name) for name in names))


def _is_set_up(node: Node) -> bool:
    """Whether it stands in a fixture, or in what a runner calls before or after tests."""
    above = node.parent
    while above is not None and above.type != "function_definition":
        above = above.parent
    if above is None:
        return False
    decorated = above.parent
    head = text_of(decorated).partition("def ")[0] if decorated and decorated.type == "decorated_definition" else ""
    return "fixture" in head or _PREPARES.match(text_of(above.child_by_field_name("name"))) is not None


def _list(node: Node | None) -> Node | None:
    """The list that an expression is, without what it is wrapped in."""
    for _ in range(6):
        if node is None or node.type in _LISTS:
            return node
        inner = [child for child in node.named_children if not is_comment(child)]
        if (
            node.type in {"parenthesized_expression", "expression_list", "reference_expression", "as_expression"}
            and inner
        ):
            node = inner[0]
        elif node.type == "composite_literal":
            node = node.child_by_field_name("body")
        elif node.type == "macro_invocation" and text_of(node).startswith("vec!"):
            return None
        else:
            return None
    return None


def _rows(table: Node) -> list[_Row]:
    rows = [" ".join(text_of(child).split()) for child in table.named_children if not is_comment(child)]
    return [row.rstrip(",") for row in rows]


_CALLS_TEST = re.compile(r"(?:\w+\.)?(?:it|test|describe|suite|context|specify)\b")


def _around(node: Node) -> str:
    """The name or title of the function or test that a node stands in."""
    above: Node | None = node
    while above is not None:
        if above.type in {"function_definition", "function_declaration", "function_item", "method_definition"}:
            return f"{_class_of(above)}{text_of(above.child_by_field_name('name'))}"
        if above.type == "decorated_definition":
            inner = above.child_by_field_name("definition")
            return f"{_class_of(above)}{text_of(inner.child_by_field_name('name'))}" if inner is not None else ""
        if above.type == "call_expression" and _CALLS_TEST.match(text_of(above)):
            arguments = above.child_by_field_name("arguments")
            first = arguments.named_children[:1] if arguments is not None else []
            if first and first[0].type in {"string", "template_string"}:
                return text_of(first[0])
        above = above.parent
    return _FILE


def _class_of(function: Node) -> str:
    above = function.parent
    while above is not None and above.type != "class_definition":
        above = above.parent
    return f"{text_of(above.child_by_field_name('name'))}." if above is not None else ""
