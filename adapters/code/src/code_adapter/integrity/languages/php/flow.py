"""The control flow of PHP's tests."""

from __future__ import annotations

import re

from code_adapter.integrity.languages.shaped_flow import Shape

SHAPE = Shape(
    blocks=frozenset({"program", "compound_statement", "colon_block"}),
    branches=frozenset({"if_statement", "else_if_clause", "conditional_expression"}),
    loops=frozenset({"while_statement"}),
    cases=frozenset({"case_statement", "default_statement", "match_conditional_expression"}),
    tries=frozenset({"try_statement"}),
    catches=frozenset({"catch_clause"}),
    finals=frozenset({"finally_clause"}),
    ends=frozenset({"return_statement", "throw_expression", "break_statement", "continue_statement", "exit_statement"}),
    leaves=frozenset({"return_statement", "break_statement", "continue_statement"}),
    functions=frozenset({"function_definition", "method_declaration", "anonymous_function", "class_declaration"}),
    drops=re.compile(r"\b(?:Exception|Throwable|AssertionFailedError|ExpectationFailedException)\b(?!\\)"),
    platform=re.compile(
        r"PHP_(?:VERSION\w*|OS\w*|MAJOR_VERSION|MINOR_VERSION|INT_SIZE|SAPI)|DIRECTORY_SEPARATOR|version_compare|"
        r"extension_loaded|(?:function|class|method|interface|enum)_exists|defined\(|HHVM|[wW]indows|::VERSION|ini_get"
    ),
)
