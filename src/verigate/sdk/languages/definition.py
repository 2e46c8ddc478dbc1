"""What a language module extracts from a syntax tree: definitions and HTTP routes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

Kind = Literal["function", "class", "namespace"]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
"""HTTP methods (RFC 9110, RFC 5789) as routers spell them."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, method, class, or a namespace that only qualifies the names inside it.

    ``node`` is the whole definition with its decorators; ``leading`` are decorators and attributes that the grammar
    keeps outside the node. ``declaration`` marks a signature that needs no body. ``stub`` marks a body that does
    nothing although one is needed, or an empty class. ``owner`` is the type, if the language writes it at the function
    (Go's receivers, ``A.prototype.m =``).
    """

    name: str
    kind: Kind
    node: Node
    leading: tuple[Node, ...] = ()
    owner: str | None = None
    declaration: bool = False
    stub: bool = False
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """An HTTP endpoint. ``method`` is None where the code accepts any; ``node`` registers it.

    ``handler`` is the name of the handler function if the code names one; ``body`` is the function's node if it is
    written inline.
    """

    method: str | None
    route: str
    node: Node
    handler: str | None = None
    body: Node | None = None
    stub: bool = False


Defines = Callable[["Node"], "Iterable[Definition]"]
Routes = Callable[["Tree", str], "Iterable[Route]"]


@dataclass(frozen=True, slots=True)
class Language:
    """One language: how to find its definitions and routes.

    ``define`` is called for each node and yields the definitions that begin there; ``routes`` is called once per
    tree, with the file's path.
    """

    name: str
    define: Defines
    routes: Routes


def join_routes(prefix: str, route: str) -> str:
    """Join ``/api`` and ``items/`` into one route with a leading slash; a trailing slash of ``route`` is kept."""
    parts = [prefix.strip("/"), route.lstrip("/")]
    joined = "/".join(part for part in parts if part)
    return f"/{joined}"


def is_placeholder(statements: Iterable[Node], undone: re.Pattern[str]) -> bool:
    """Whether a body isn't implemented: only comments, or one statement that matches ``undone``."""
    found = [statement for statement in statements if not is_comment(statement)]
    return not found or (len(found) == 1 and bool(undone.match(text_of(found[0]))))
