"""Comments that steer a compiler, an interpreter, a bundler or a test runner: they count as code.

What only checkers and editors read doesn't: ``# type:``, ``// @ts-ignore``, ``//nolint``, ``sourceMappingURL``. Files
that no grammar reads (SQL, shell, Dockerfile) need no table: nothing takes their comments out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import is_comment, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

Directive = tuple[int, str]
"""How many tokens of code come before it, and what it says."""

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    # https://pkg.go.dev/cmd/compile#hdr-Compiler_Directives, https://pkg.go.dev/cmd/cgo
    "go": re.compile(r"\A(?://go:|//export |//line |/\*line ).*"),
    "javascript": re.compile(
        r"(?:webpack|turbopack)[A-Z]\w*\s*:(?s:.*)|@vite-ignore|[#@]__[A-Z_]+__|@jsx\w*\s+\S+|@ngInject\b|"
        r"\A///\s*<(?:reference|amd-\w+)\b.*|@(?:jest|vitest)-environment.*"
    ),
    # A comment is read after unicode escapes are (JLS 3.3): these end it.
    "java": re.compile(r"\\u+00(?:0[aAdD]|2[aAfF])(?s:.*)"),
    # Annotations of Doctrine and Symfony, and those of PHPUnit.
    "php": re.compile(
        r"@(?!SuppressWarnings)(?:[A-Z][a-z]\w*|\w+\\)[\w\\]*(?s:(?!\n[ \t]*\*[ \t]*@[a-z]).)*|"
        r"@(?:after|before|data|do|run|test|use)[A-Z]\w*.*|@(?:after|before|depends|expectedException|group|preserveGlobalState|"
        r"requires|test|ticket|backup\w+|covers\w*)\b.*"
    ),
    "python": re.compile(r"\A#[ \t]*(?:cython|distutils)[ \t]*:.*"),
    "ruby": re.compile(r"\A#.*\b(?:frozen[_-]string[_-]literal|shareable[_-]constant[_-]value)[ \t]*:[ \t]*\w+"),
}
_ALIASES = {"typescript": "javascript"}

_COOKIE = re.compile(r"\A#.*?coding[:=][ \t]*([-\w.]+)")
_DEFAULT = frozenset({"utf-8", "utf8", "utf_8"})
_METADATA = re.compile(r"\A# ///(?: [\w-]+)?\s*\Z")
_CONSTRAINT = re.compile(r"\A//[ \t]*\+build\b")
_OUTPUT = re.compile(r"\A(?://|/\*)\s*(?:unordered )?output:", re.IGNORECASE)
_SEPARATORS = frozenset({",", ";"})


def list_directives(tree: Tree, language: str) -> tuple[Directive, ...]:
    """List the directives of a source in their order, each with its place among the tokens of the code."""
    found: dict[int, str] = {}
    for node, text in _find(tree, _ALIASES.get(language, language)):
        found.setdefault(node.id, " ".join(text.split()))
    if not found:
        return ()
    if language == "python":
        return tuple((0, text) for text in found.values())
    return tuple(_place(tree, found))


def _place(tree: Tree, found: Mapping[int, str]) -> Iterator[Directive]:
    before = 0
    for node in walk(tree.root, enter=lambda node: node.parent is None or not is_comment(node.parent)):
        if node.id in found:
            yield before, found[node.id]
        elif not node.child_count and not is_comment(node) and node.type not in _SEPARATORS:
            before += 1


def _find(tree: Tree, language: str) -> Iterator[tuple[Node, str]]:
    comments = [node for node in walk(tree.root) if is_comment(node)]
    pattern = _PATTERNS.get(language)
    for node in comments:
        text = text_of(node)
        if text.startswith("#!") and node.start_point[0] == 0:
            yield node, text
        elif pattern is not None and (said := [each.group() for each in pattern.finditer(text)]):
            yield node, " ".join(said)
    more = _MORE.get(language)
    if more is not None:
        yield from more(tree, comments)


def _find_encoding(_: Tree, comments: list[Node]) -> Iterator[tuple[Node, str]]:
    """Find what the first two lines say of the encoding of a source; UTF-8 is the default (PEP 263)."""
    for node in comments:
        if node.start_point[0] <= 1 and (cookie := _COOKIE.match(text_of(node))) is not None:
            if cookie[1].lower() not in _DEFAULT:
                yield node, f"coding: {cookie[1].lower()}"
            return


def _find_in_python(tree: Tree, comments: list[Node]) -> Iterator[tuple[Node, str]]:
    """Find the encoding and the dependencies of a script (PEP 723)."""
    yield from _find_encoding(tree, comments)
    inside = False
    for node in comments:
        text = text_of(node)
        edge = _METADATA.match(text) is not None
        if inside or (edge and len(text.split()) > 2):
            yield node, text
            inside = not edge or not inside


def _find_in_go(tree: Tree, comments: list[Node]) -> Iterator[tuple[Node, str]]:
    """Find old build constraints, the C code above ``import "C"``, and the output that an example must have."""
    for node in comments:
        if _CONSTRAINT.match(text_of(node)):
            following = node.next_sibling
            apart = following is None or is_comment(following) or following.start_point[0] > node.end_point[0] + 1
            yield node, f"{text_of(node)} {'' if apart else 'of the package'}"
    for node in tree.root.named_children:
        if node.type == "import_declaration":
            specs = [each for each in walk(node) if each.type == "import_spec" and '"C"' in text_of(each)]
            yield from (pair for each in specs for pair in _find_above(node if each.parent == node else each))
        elif node.type == "function_declaration" and text_of(node.child_by_field_name("name")).startswith("Example"):
            inside = [each for each in walk(node) if is_comment(each)]
            first = next((at for at, each in enumerate(inside) if _OUTPUT.match(text_of(each))), len(inside))
            yield from ((each, text_of(each)) for each in inside[first:])


def _find_above(node: Node) -> Iterator[tuple[Node, str]]:
    """Find the comments directly above a node, without an empty line between."""
    above = node.prev_sibling
    while above is not None and is_comment(above) and above.end_point[0] + 1 >= node.start_point[0]:
        yield above, text_of(above)
        node, above = above, above.prev_sibling


_MORE: Mapping[str, Callable[[Tree, list[Node]], Iterator[tuple[Node, str]]]] = {
    "python": _find_in_python,
    "ruby": _find_encoding,
    "go": _find_in_go,
}
