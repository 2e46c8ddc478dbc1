"""Find calls and options of Ruby's runners that skip tests, expect them to fail, or run some alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.ruby.flow import SHAPE
from code_adapter.integrity.languages.ruby.titles import (
    FOCUSED,
    SKIPPED,
    SUITES,
    TESTS,
    list_arguments,
    read_callee,
    read_title,
)
from code_adapter.integrity.languages.test_language import MadeMarker, MarkerKind
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS: dict[str, MarkerKind] = {"skip": "skip", "pending": "xfail", "focus": "focus", "omit": "skip", "pend": "xfail"}
_NOT = frozenset({"false", "nil"})
_CONSTANT = frozenset({"true", "false", "nil"})


def read_marker(node: Node) -> MadeMarker | None:
    """Read a node as a marker."""
    if node.type == "call":
        return _read_definition(node) or _read_call(node)
    if node.type == "identifier":
        return _read_word(node)
    return _read_option(node) if node.type in {"pair", "simple_symbol"} else None


def _read_definition(call: Node) -> MadeMarker | None:
    """``xit "adds" do``, ``fdescribe Price do``, and ``it "adds"`` without a block."""
    callee = read_callee(call)
    block = call.child_by_field_name("block")
    if not callee or (block is None and not list_arguments(call)):
        return None
    if callee in SKIPPED:
        return MadeMarker("skip", _shown(call))
    if callee in FOCUSED:
        return MadeMarker("focus", _shown(call))
    above = call.parent
    alone = above is not None and above.type in {"body_statement", "block_body"}
    first = list_arguments(call)[0] if list_arguments(call) else None
    pending = block is None and alone and first is not None and first.type == "string"
    if pending and callee in {"it", "specify", "example", "scenario"}:
        return MadeMarker("skip", f"{_shown(call)} without a block")
    return None


def _shown(call: Node) -> str:
    return f"{text_of(call.child_by_field_name('method'))} {read_title(call)}"


def _read_call(call: Node) -> MadeMarker | None:
    """``skip "reason"`` and ``pending "reason"``, in a test, a hook or a suite."""
    name = text_of(call.child_by_field_name("method"))
    kind = _KINDS.get(name)
    if name in {"omit_if", "omit_unless", "skip_if", "skip_unless", "skip_until"}:
        return MadeMarker("skip", text_of(call), bool(SHAPE.platform.search(text_of(call))))
    if kind is None or call.child_by_field_name("receiver") is not None:
        return None
    if kind == "focus" and call.child_by_field_name("block") is None:
        return None
    first = list_arguments(call)[0] if list_arguments(call) else None
    if first is not None and first.type not in {"string", "identifier", "call", "constant", "heredoc_beginning"}:
        return None
    return MadeMarker(kind, text_of(call).partition("\n")[0], SHAPE.is_for_platform(call))


def _read_word(word: Node) -> MadeMarker | None:
    """``skip`` alone as a statement, and ``focus`` before a test of Minitest."""
    kind = _KINDS.get(text_of(word))
    above = word.parent
    if kind is None or above is None:
        return None
    body = above.child_by_field_name("body")
    modified = above.type in {"if_modifier", "unless_modifier"} and body is not None and body.id == word.id
    if not modified and above.type not in {"body_statement", "block_body", "then", "else"}:
        return None
    return MadeMarker(kind, text_of(above if modified else word), SHAPE.is_for_platform(word))


def _read_option(option: Node) -> MadeMarker | None:
    """``it "adds", :skip do``, ``describe Price, skip: "reason" do``, ``it "adds", if: false do``."""
    call = option.parent.parent if option.parent is not None else None
    if call is None or read_callee(call) not in TESTS | SUITES or call.child_by_field_name("block") is None:
        return None
    key = text_of(option.child_by_field_name("key") or option).strip(":\"'")
    value = text_of(option.child_by_field_name("value")) if option.type == "pair" else "true"
    shown = f"{_shown(call)} {text_of(option)}"
    if key in {"if", "unless"} and option.type == "pair":
        runs = (value in _NOT) != (key == "if")
        skipped = value not in _CONSTANT or not runs
        return MadeMarker("skip", shown, bool(SHAPE.platform.search(value))) if skipped else None
    kind = _KINDS.get(re.sub(r"^x(?=skip)", "", key))
    return MadeMarker(kind, shown) if kind is not None and value not in _NOT else None
