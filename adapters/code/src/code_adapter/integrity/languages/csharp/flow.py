"""The control flow of C#'s tests."""

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


def is_left_out(node: Node) -> bool:
    """Whether the compiler leaves a node out wherever it runs: ``#if false``."""
    if node.type != "preproc_if":
        return False
    return text_of(node.child_by_field_name("condition")).strip("() ") in {"false", "!true", "NEVER"}


@dataclass(frozen=True, slots=True)
class _CSharpShape(Shape):
    """C# with its preprocessor."""

    def list_steps(self, node: Node, names: Collection[str] = ()) -> Iterator[FlowStep]:
        if not is_left_out(node):
            yield from Shape.list_steps(self, node, names)


SHAPE = _CSharpShape(
    blocks=frozenset({"block", "compilation_unit"}),
    branches=frozenset({"if_statement", "conditional_expression"}),
    loops=frozenset({"while_statement"}),
    cases=frozenset({"switch_section", "switch_expression_arm"}),
    tries=frozenset({"try_statement"}),
    catches=frozenset({"catch_clause"}),
    finals=frozenset({"finally_clause"}),
    ends=frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"}),
    leaves=frozenset({"return_statement", "break_statement", "continue_statement"}),
    functions=frozenset(
        {"method_declaration", "local_function_statement", "lambda_expression", "anonymous_method_expression"}
        | {"class_declaration", "constructor_declaration"}
    ),
    # A clause without a type catches everything.
    drops=re.compile(r"^catch\s*$|\b(?:Exception|XunitException|AssertionException|AssertFailedException)\b"),
    platform=re.compile(
        r"RuntimeInformation|OperatingSystem|Environment\.(?:OSVersion|Version|Is64Bit\w*)|OSPlatform|PlatformDetection|"
        r"IsWindows|IsLinux|IsMacOS|IsMono|IsOSPlatform|IntPtr\.Size|Debugger\.IsAttached|IsSupported"
    ),
)
