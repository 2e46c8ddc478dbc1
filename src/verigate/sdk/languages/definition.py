"""What a language module says about a node of its trees."""

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
    """A function, method, class, or a namespace, which only lends its name to what is inside.

    ``node`` is the whole extent with decorators; ``leading`` are decorators and attributes that the grammar keeps
    beside the node instead of in it. ``declaration`` marks a signature without a body that isn't expected to have
    one. ``stub`` tells that a body is due and does nothing; for a class, that the class has nothing in it.
    ``owner`` names the type where the language writes it at the function (Go's receivers, ``A.prototype.m =``).
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

    ``handler`` is the name of the function that answers, where the code names one; ``body`` is the function's node
    where it is written in place.
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
    """One language: the two questions its module answers.

    ``define`` is asked for each node and answers with the definitions that begin there; ``routes`` is asked once per
    tree, with the file's path.
    """

    name: str
    define: Defines
    routes: Routes


def join_routes(prefix: str, route: str) -> str:
    """``/api`` and ``items/`` as one route with a leading slash; a trailing slash of ``route`` is kept."""
    parts = [prefix.strip("/"), route.lstrip("/")]
    joined = "/".join(part for part in parts if part)
    return f"/{joined}"


def only_says(statements: Iterable[Node], undone: re.Pattern[str]) -> bool:
    """Whether there is nothing but comments, or one statement that matches ``undone``: it isn't implemented."""
    found = [statement for statement in statements if not is_comment(statement)]
    return not found or (len(found) == 1 and bool(undone.match(text_of(found[0]))))
