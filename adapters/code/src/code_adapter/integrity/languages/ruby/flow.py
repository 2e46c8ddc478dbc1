"""The control flow of Ruby's tests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.flow import FlowStep
from code_adapter.integrity.languages.shaped_flow import Shape
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_EMPTY = re.compile(r"(?:\[\]|\{\}|0)\.(?:each\w*|times)\b|(?:proc|lambda)\b|->|Proc\.new\b")


@dataclass(frozen=True, slots=True)
class _RubyShape(Shape):
    """Blocks of Ruby: those of ``[].each`` and of a ``proc`` that nobody calls run no time."""

    def list_steps(self, node: Node, names: Collection[str] = ()) -> Iterator[FlowStep]:
        if node.type in {"call", "lambda"} and _EMPTY.match(text_of(node)) and not self._is_used(node):
            return
        yield from Shape.list_steps(self, node, names)

    def _is_used(self, node: Node) -> bool:
        return node.parent is None or node.parent.type not in self.blocks


SHAPE = _RubyShape(
    blocks=frozenset({"program", "body_statement", "block_body", "then", "else", "begin", "do", "ensure"}),
    branches=frozenset({"if", "unless", "elsif", "if_modifier", "unless_modifier", "conditional"}),
    loops=frozenset({"while", "until", "while_modifier", "until_modifier"}),
    cases=frozenset({"when", "in_clause"}),
    tries=frozenset({"begin", "body_statement", "block_body"}),
    catches=frozenset({"rescue"}),
    finals=frozenset({"ensure"}),
    ends=frozenset({"return", "break", "next"}),
    leaves=frozenset({"return", "break", "next"}),
    functions=frozenset({"method", "singleton_method", "class", "module", "program"}),
    # A plain ``rescue`` catches StandardError, and assertions of RSpec and Minitest are none.
    drops=re.compile(r"\b(?:Exception|Assertion|ExpectationNotMetError|AssertionFailedError)\b"),
    platform=re.compile(
        r"RUBY_(?:VERSION|PLATFORM|ENGINE\w*|PATCHLEVEL)|RbConfig|Gem\.|Gem::|defined\?|respond_to\?|windows|jruby|"
        r"mri\?|truffleruby|mac_?os|linux|method_defined\?|const_defined\?|_available|_installed|(?<![\w])version",
        re.IGNORECASE,
    ),
    inverted=frozenset({"unless", "unless_modifier", "until", "until_modifier"}),
    ending_calls=re.compile(r"(?:raise|fail|throw|flunk|skip|exit|abort)\b(?![.?])"),
)
