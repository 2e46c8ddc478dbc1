"""Docstrings and comments that a program reads, as help, as a grammar or as a prompt: their text is data of the code.

A program reads a docstring by ``__doc__``, or through a library: docopt, click, FastAPI, PLY and others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import is_comment, parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.syntax.changes import ChangedFile
    from verigate.sdk.languages.tree import Tree
    from verigate.sdk.subject import Repository

_MOST_LISTED = 8 << 20

_BODIES = frozenset({"module", "block"})
_TEXTS = frozenset({"string", "concatenated_string"})

_BY_NAME = re.compile(rb"__doc__|\bgetdoc\b|\btyper\.run\b")
_EVERY_DOCSTRING = frozenset(
    {"clize", "cmd", "cmd2", "defopt", "docopt", "doctest", "fire", "jsonargparse", "plac", "ply", "simple_parsing"}
)
"""Libraries that read the docstrings of what they are given."""

_OF_CLASSES = frozenset({"dspy", "graphene", "pydantic", "rest_framework", "strawberry", "tap"})
"""Libraries that read the docstrings of classes derived from theirs."""

_DECORATORS = frozenset(
    {"agent", "api_route", "callback", "command", "delete", "function_tool", "get", "group", "hybrid_command", "patch"}
    | {"post", "prompt", "put", "resource", "slash_command", "task", "tool", "websocket"}
)
"""Names of decorators that read the docstring of a function, as those of click, FastAPI and MCP."""

_RUST_HELP = re.compile(
    rb"derive\([^)]*\b(?:Args|Display|FromArgs|InputObject|JsonSchema|Parser|SimpleObject|StructOpt|Subcommand|ToSchema|"
    rb"ValueEnum)\b"
)
_BLOCK = re.compile(r"(?ms)^\s*\*?\s*```.*?^\s*\*?\s*```")
_COMMENTS: Mapping[str, re.Pattern[str]] = {
    # swag, controller-gen
    "go": re.compile(
        r"\A//\s*(?:@(?:Accept|BasePath|Description|Failure|Host|ID|Param|Produce|Router|Security|Success|Summary|Tags|title|"
        r"version)\b|\+(?:genclient|groupName|k8s|kubebuilder|nullable|optional|required)\b)"
    ),
    "javascript": re.compile(r"@(?:openapi|swagger)\b"),
    "typescript": re.compile(r"@(?:openapi|swagger)\b"),
}


@dataclass(frozen=True)
class Docstring:
    """A docstring of Python: its statement, and what it documents, None for the module."""

    node: Node
    owner: Node | None

    @property
    def name(self) -> str:
        """The name of the function or class; empty for the module."""
        return text_of(self.owner.child_by_field_name("name")) if self.owner is not None else ""


def find_docstrings(root: Node) -> list[Docstring]:
    """Find Python's docstrings: a string alone, first in a module, class or function."""
    found = []
    for node in walk(root):
        if node.type not in _BODIES:
            continue
        first = next((child for child in node.named_children if child.type != "comment"), None)
        if first is not None and first.type == "expression_statement" and first.named_child_count == 1:
            inner = first.named_children[0]
            if inner.type in _TEXTS:
                found.append(Docstring(first, node.parent if node.type == "block" else None))
    return found


def list_read_texts(tree: Tree, language: str, module: str, asked: Collection[str] = ()) -> tuple[str, ...]:
    """List the documentation of a source that programs read.

    ``module`` is the name of the module, ``asked`` are names whose ``__doc__`` other files read.
    """
    if language == "python":
        found = find_docstrings(tree.root)
        if _BY_NAME.search(tree.source) or _list_imports(tree.root) & _EVERY_DOCSTRING:
            return tuple(text_of(each.node) for each in found)
        classes = bool(_list_imports(tree.root) & _OF_CLASSES)
        return tuple(
            text_of(each.node)
            for each in found
            if (each.name or module) in asked or _is_read(each.owner, classes=classes)
        )
    if language == "rust" and _RUST_HELP.search(tree.source):
        return tuple(text_of(node) for node in walk(tree.root) if node.type == "doc_comment")
    pattern = _COMMENTS.get(language)
    if pattern is None:
        return ()
    return tuple(text for node in walk(tree.root) if is_comment(node) and pattern.search(text := text_of(node)))


def list_rust_examples(source: bytes) -> list[str]:
    """List the blocks of code in documentation of Rust, which ``cargo test`` runs."""
    tree = parse(source, "rust")
    return _BLOCK.findall("".join(text_of(node) for node in walk(tree.root) if node.type == "doc_comment"))


def find_asked(files: Sequence[ChangedFile], repository: Repository) -> frozenset[str]:
    """Find the names before ``.__doc__`` in the subject's sources of Python, if the change has such a source."""
    if not any(language_of(file.path) == "python" for file in files):
        return frozenset()
    search = ("grep", "--cached", "-h", "-o", "-I", "-E", "-e", r"[A-Za-z_][A-Za-z0-9_]*\.__doc__", "--", "*.py")
    run = repository.git(*search, check=False, max_bytes=_MOST_LISTED)
    lines = run.stdout.decode("utf-8", "replace").splitlines()
    return frozenset(line.partition(".")[0] for line in lines)


def _is_read(owner: Node | None, *, classes: bool) -> bool:
    if owner is None:
        return False
    bases = owner.child_by_field_name("superclasses")
    if classes and bases is not None and bases.named_child_count:
        return True
    above = owner.parent
    decorators = above.named_children if above is not None and above.type == "decorated_definition" else ()
    return any(each.type == "decorator" and _name_decorator(each) in _DECORATORS for each in decorators)


def _name_decorator(node: Node) -> str:
    """Return the last name of a decorator, without its arguments."""
    return text_of(node).removeprefix("@").partition("(")[0].strip().rpartition(".")[2]


def _list_imports(root: Node) -> frozenset[str]:
    return frozenset(name.partition(".")[0] for node in walk(root) for name in _list_names(node))


def _list_names(node: Node) -> Iterator[str]:
    if node.type == "import_from_statement":
        yield text_of(node.child_by_field_name("module_name"))
    elif node.type == "import_statement":
        yield from (text_of(each.child_by_field_name("name") or each) for each in node.named_children)
