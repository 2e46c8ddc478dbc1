"""The control flow of Kotlin's tests."""

from __future__ import annotations

import re

from code_adapter.integrity.languages.shaped_flow import Shape

SHAPE = Shape(
    blocks=frozenset({"source_file", "block", "lambda_literal"}),
    branches=frozenset({"if_expression"}),
    loops=frozenset({"while_statement"}),
    cases=frozenset({"when_entry"}),
    tries=frozenset({"try_expression"}),
    catches=frozenset({"catch_block"}),
    finals=frozenset({"finally_block"}),
    ends=frozenset({"return_expression", "throw_expression", "break_expression", "continue_expression"}),
    leaves=frozenset({"return_expression", "break_expression", "continue_expression"}),
    functions=frozenset({"function_declaration", "class_declaration", "object_declaration", "anonymous_function"}),
    drops=re.compile(r"\b(?:Exception|Throwable|Error|AssertionError|AssertionFailedError|RuntimeException)\b"),
    platform=re.compile(
        r"getProperty\(\s*\"(?:os|java)\.|\bOS\.|\bJRE\.|[pP]latform|[iI]s\w*(?:Windows|Mac|Linux|Android|Jvm|Native|Js|Wasm|Apple)\b|"
        r"JavaVersion|KotlinVersion|KonanTarget|Build\.VERSION"
    ),
)
