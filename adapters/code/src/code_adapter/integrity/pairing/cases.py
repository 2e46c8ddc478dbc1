"""List the tests of a file that a runner collects, with their assertions and skip markers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.calls import is_call, is_creation, read_last_name
from code_adapter.integrity.pairing.assertions import NAME, Assertions, BodyReader
from code_adapter.integrity.pairing.case_tables import CaseTable, Definitions, read_definitions, read_table
from code_adapter.integrity.pairing.markers import Marker, list_markers
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import fingerprint, is_comment, line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.languages.test_language import FoundTest, TestLanguage
    from verigate.sdk.languages.tree import Tree

_WORD = re.compile(r"[A-Za-z_$][\w$]*|\d[\w.]*|\"[^\"]*\"|'[^']*'")
_SAID_BY_ALL = re.compile(
    r"(?:assert|expect|should|verify|to[A-Z]|not[A-Z])\w*|equals?|ok|is|same|deepEqual|strictEqual|raises|warns|throws|rejects|"
    r"fail|skip|Errorf?|Fatalf?|Fail|Run|Log|Helper|len|range|print|str|int|list|dict|set|sorted|repr|isinstance|type|join|"
    r"Some|None|Ok|Err|vec|format|append|push|map|filter|forEach|String|Number|then|resolve|unwrap|clone|to_string|into|iter|it|test|describe|super"
)
_SAID_BY_RUNNERS = re.compile(
    r"Equal|NotEqual|Same|True|False|Null|NotNull|Throws|ThrowsAsync|That|EqualTo|AreEqual|IsTrue|IsFalse|IsNull|"
    r"Contains|DoesNotContain|Single|Empty|NotEmpty|Should\w*|Be[A-Z]?\w*|Not[A-Z]\w*|IsType|Fail|"
    r"eq|eql|equal|be|be_\w+|not_to|to_not|match|include|raise_error|receive|refute\w*|must_\w+|wont_\w+|"
    r"context|let|subject|before|after|test_\w+|toBe\w*|and|to|raise|_|new|"
    r"EnterMultipleScope|markTest\w+|expects|method|with|willReturn\w*|will|once|never|any"
)
"""What assertions of Ruby, PHP, C# and Kotlin are made of."""

_CHAINED = frozenset({"invocation_expression", "member_call_expression", "scoped_call_expression"})
_MULTI = re.compile(
    r"parametrize|\.each\b|\bsubTest\(|\bt\.Run\(|\bfor\b|@ParameterizedTest|#\[case|forEach\(|@given|"
    r"\[(?:Theory|InlineData|MemberData|TestCase|TestCaseSource|DataRow)\b|[dD]ataProvider\b|->with\(|"
    r"\bforAll\(|\.times\b"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A test. ``id`` is its name with enclosing classes or suites; ``words`` are its identifiers and literals.

    ``source`` is its text with decorators and attributes; ``table`` are the rows that feed it; ``calls`` are the
    functions that it calls, other than assertions and what every test calls. ``steps`` are its statements in Python, as
    what each evaluates: empty for one that does more than call something.
    """

    id: str
    name: str
    path: str
    line: int
    digest: str
    assertions: Assertions
    words: frozenset[str]
    multi: bool
    source: str
    calls: frozenset[str]
    table: CaseTable = field(default_factory=CaseTable)
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inventory:
    """The tests and markers of one version of one file."""

    cases: tuple[Case, ...] = ()
    markers: tuple[Marker, ...] = field(default=())


def list_tests(tree: Tree, path: str, elsewhere: Mapping[str, int], reader: BodyReader | None = None) -> Inventory:
    """List the tests that a runner collects. ``elsewhere`` are helpers of the change's other test files.

    ``reader`` is what has read the file's helpers already.
    """
    language = LANGUAGES[language_of(path) or ""]
    reader = reader or BodyReader(language)
    found = list(language.find_tests(tree))
    tests = {item.body.id for item in found}
    helpers = {**elsewhere, **find_helpers(tree, reader, tests)}
    named = read_definitions(tree)
    asserted = reader.find_all((item.body for item in found), helpers)
    cases = tuple(_read_case(item, path, language, made, named) for item, made in zip(found, asserted, strict=True))
    return Inventory(cases, tuple(list_markers(tree, path, language, found)))


def split_words(source: str) -> list[str]:
    """Split a test into identifiers and literals, in their order."""
    return _WORD.findall(source)


def _read_case(item: FoundTest, path: str, language: TestLanguage, assertions: Assertions, named: Definitions) -> Case:
    above = [node for node in item.leading if node.start_byte < item.node.start_byte]
    text = "\n".join(text_of(node) for node in (*above, item.node))
    return Case(
        id=item.qualified,
        name=item.name,
        path=path,
        line=line_of(item.node),
        digest=fingerprint(item.body),
        assertions=assertions,
        words=frozenset(word for node in (*above, item.node) for word in split_words(_leave_out_comments(node)))
        - {item.name, f"'{item.name}'", f'"{item.name}"'},
        multi=bool(_MULTI.search(text)),
        source=text,
        calls=frozenset(_find_calls(item.body, bare=language.calls_bare_names)),
        table=read_table(item, named),
        steps=tuple(language.list_statements(item.body)),
    )


def _leave_out_comments(node: Node) -> str:
    """The text of a node without comments: what is explained isn't what is tested."""
    source, start = node.text or b"", node.start_byte
    for each in walk(node):
        if is_comment(each):
            first, last = each.start_byte - start, each.end_byte - start
            source = source[:first] + b" " * (last - first) + source[last:]
    return source.decode("utf-8", "replace")


def _find_calls(body: Node, *, bare: bool) -> Iterator[str]:
    for node in walk(body):
        if is_call(node, bare=bare) or is_creation(node):
            name = read_last_name(node)
            if re.fullmatch(r"[\w$]+[?!]?", name) and not _is_said_by_all(node, name):
                yield name
        elif node.type == "token_tree":
            yield from _find_calls_in_macro(node)


def _is_said_by_all(node: Node, name: str) -> bool:
    if _SAID_BY_ALL.fullmatch(name):
        return True
    asserts = _SAID_BY_RUNNERS.fullmatch(name) is not None
    return asserts and (node.type in _CHAINED or node.child_by_field_name("function") is None)


def _find_calls_in_macro(tokens: Node) -> Iterator[str]:
    """Find calls among the arguments of a macro of Rust, which are no syntax but tokens."""
    for token, following in pairwise(tokens.children):
        called = token.type == "identifier" and following.type == "token_tree" and text_of(following).startswith("(")
        if called and not _SAID_BY_ALL.fullmatch(text_of(token)):
            yield text_of(token)


_FUNCTIONS = frozenset(
    {"function_definition", "function_declaration", "method_definition", "function_item", "method_declaration"}
    | {"variable_declarator", "method", "singleton_method", "local_function_statement"}
)


def _find_body(node: Node) -> Node | None:
    body = node.child_by_field_name("body")
    # Kotlin's grammar has no field for it.
    kotlin = next((child for child in node.named_children if child.type == "function_body"), None)
    if body is not None or kotlin is None:
        return body
    return next((child for child in kotlin.named_children if child.type == "block"), kotlin)


def find_helpers(tree: Tree, reader: BodyReader, tests: Collection[int] = ()) -> dict[str, int]:
    """Map functions that aren't tests to their number of assertions that can fail; calls are resolved two levels deep.

    What names no function that asserts is read once: another time would find the same.

    ``with NAME`` is a context manager that drops exceptions.
    """
    bodies: dict[str, Node] = {}
    for node in walk(tree.root):
        if node.type in _FUNCTIONS:
            value = node.child_by_field_name("value")
            body = (value.child_by_field_name("body") if value is not None else None) or _find_body(node)
            name = text_of(node.child_by_field_name("name"))
            if body is not None and body.id not in tests and name:
                bodies[name] = body
    counts, asked = dict.fromkeys(bodies, 0), bodies
    for _ in range(2):
        found = zip(asked, reader.find_all(asked.values(), counts), strict=True)
        counts = counts | {name: len(made.real) + len(made.delegated) for name, made in found}
        asserting = {word for name, count in counts.items() if count for word in NAME.findall(name)}
        asked = {name: body for name, body in bodies.items() if not asserting.isdisjoint(reader.find_words(body))}
    return counts | dict.fromkeys(reader.language.find_dropping_managers(tree.root), 1)
