"""Find attributes and calls of C#'s runners that skip tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.csharp.flow import SHAPE, is_left_out
from code_adapter.integrity.languages.csharp.found_tests import TESTS
from code_adapter.integrity.languages.test_language import MadeMarker
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_SKIPS = frozenset({"Ignore", "Explicit", "Skip"})
_FOR_PLATFORM = re.compile(
    r"Platform(?:Specific)?|SkipOn\w+|ActiveIssue|OSCondition|Conditional\w+|\w*(?:Windows|Unix|Linux)Only\w*|RunOn|"
    r"ExcludeOn|IncludeOn|NetPlatform"
)
_TARGETS = re.compile(r"\b(?:NET\w*|WINDOWS|LINUX|OSX|MACOS|ANDROID|IOS|DEBUG|RELEASE)\b")
"""Symbols that compilers define for frameworks, systems and configurations: another build has them."""

_OPTION = re.compile(r"\b(?:Skip|Ignore|IgnoreReason|ExplicitReason)\s*=(?!=|\s*null\b)|\bExplicit\s*=\s*true")
_UNDER_CONDITION = re.compile(r"\bSkip(?:When|Unless)\s*=")
_CALLS = re.compile(
    r"(?:\w+\.)*Assert\.(?:Ignore|Inconclusive|Skip|SkipWhen|SkipUnless|Pass)|Skip\.(?:If|IfNot|Test|When|Unless)"
)
_ASSUMES = re.compile(r"Assume\.That\(\s*(?:false\b|true\s*,\s*Is\.False|1\s*==\s*0)")


def read_marker(node: Node) -> MadeMarker | None:
    """Read a node as a marker."""
    if node.type == "attribute":
        return _read_attribute(node)
    if node.type == "preproc_if":
        return _read_condition(node)
    if node.type != "invocation_expression":
        return None
    text = text_of(node)
    if _CALLS.fullmatch(text_of(node.child_by_field_name("function"))):
        return MadeMarker("skip", text, SHAPE.is_for_platform(node) or bool(SHAPE.platform.search(text)))
    return MadeMarker("skip", text) if _ASSUMES.match(text) else None


def _read_condition(condition: Node) -> MadeMarker | None:
    """``#if SYMBOL`` around tests: where nobody defines it, they are compiled into nothing."""
    symbol = text_of(condition.child_by_field_name("condition")).strip()
    around = any(node.type == "attribute" and TESTS.fullmatch(_read_name(node)) for node in walk(condition))
    if not around or is_left_out(condition):  # the latter's tests are none
        return None
    return MadeMarker("skip", f"#if {symbol}", bool(_TARGETS.search(symbol)))


def _read_name(attribute: Node) -> str:
    return text_of(attribute.child_by_field_name("name")).rpartition(".")[2].removesuffix("Attribute")


def _read_attribute(attribute: Node) -> MadeMarker | None:
    name = _read_name(attribute)
    text = text_of(attribute)
    if name in _SKIPS:
        return MadeMarker("skip", f"[{text}]")
    if TESTS.fullmatch(name) and _OPTION.search(text):
        return MadeMarker("skip", f"[{text}]", bool(_UNDER_CONDITION.search(text)))
    return MadeMarker("skip", f"[{text}]", True) if _FOR_PLATFORM.fullmatch(name) else None
