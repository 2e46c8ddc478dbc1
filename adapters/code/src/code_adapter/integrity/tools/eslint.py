"""ESLint's settings, and the patterns of its flat configuration.

Source: ESLint's documentation, "Configuration Files".
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator

from code_adapter.integrity.tools.documents import load_javascript, load_json, load_yaml
from code_adapter.integrity.tools.guards import LINT, Guard
from code_adapter.integrity.tools.setting_files import Reader, Sections, load_json_or_yaml, load_typescript, read_as

FLAT_NAME = re.compile(r"eslint\.config\.[cm]?[jt]s")
FORMATTING = re.compile(
    r"(?:@stylistic/(?:[\w-]+/)?)?(?:array-(?:bracket|element)-(?:newline|spacing)|arrow-(?:parens|spacing)|block-spacing|brace-style|"
    r"comma-(?:dangle|spacing|style)|computed-property-spacing|dot-location|eol-last|func(?:tion)?-call-(?:spacing|"
    r"argument-newline)|function-paren-newline|(?:generator|yield)-star-spacing|implicit-arrow-linebreak|indent|jsx-quotes|"
    r"(?:key|keyword|rest-spread|semi|switch-colon|template-curly|template-tag)-spacing|line-comment-position|linebreak-style|"
    r"lines-around-comment|multiline-comment-style|lines-between-class-members|max-len|max-statements-per-line|multiline-ternary|new-parens|"
    r"newline-per-chained-call|no-extra-parens|no-mixed-spaces-and-tabs|no-multi-spaces|no-multiple-empty-lines|no-tabs|"
    r"no-trailing-spaces|no-whitespace-before-property|nonblock-statement-body-position|object-curly-(?:newline|spacing)|"
    r"object-property-newline|operator-linebreak|padded-blocks|padding-line-between-statements|quote-props|quotes|semi|"
    r"semi-style|space-before-(?:blocks|function-paren)|space-(?:in-parens|infix-ops|unary-ops)|unicode-bom|wrap-(?:iife|regex))"
)
"""The rules about layout: https://eslint.org/blog/2023/10/deprecating-formatting-rules/ lists them."""

GUARDS: tuple[Guard, ...] = (
    Guard("eslint", r"(?:.*\.)?rules\.(?:.*)", "level", LINT),
    Guard("eslint", r"(?:.*\.)?(?:ignores|ignorePatterns)", "grow", LINT),
    Guard("eslint", r"(?:.*\.)?extends", "keep", LINT),
)


def _read_ignored(source: str) -> Sections:
    lines = [line.strip() for line in source.splitlines()]
    return {"eslint": {"ignores": [line for line in lines if line and not line.startswith("#")]}}


READERS: tuple[tuple[str, Reader], ...] = (
    (".eslintrc", read_as("eslint", load_json_or_yaml)),
    (".eslintrc.json", read_as("eslint", load_json)),
    (".eslintrc.y*ml", read_as("eslint", load_yaml)),
    (".eslintrc.*js", read_as("eslint", load_javascript)),
    ("eslint.config.*js", read_as("eslint", load_javascript)),
    ("eslint.config.*ts", read_as("eslint", load_typescript)),
    (".eslintignore", _read_ignored),
)


def name_grammar(path: str) -> str:
    """Name the grammar of a configuration file."""
    return "typescript" if path.endswith("ts") else "javascript"


def list_alternatives(pattern: str) -> Iterator[str]:
    """List the plain patterns of one with braces: ``*.{js,ts}`` -> ``*.js``, ``*.ts``.

    Of several groups the first one is taken apart, the others match all.
    """
    head, brace, rest = pattern.partition("{")
    inner, closing, tail = rest.partition("}")
    tail = re.sub(r"\{[^}]*\}", "*", tail)
    yield from (f"{head}{part}{tail}" for part in inner.split(",")) if brace and closing else (pattern,)


def takes(patterns: list[str], path: str) -> bool:
    """Whether one of the patterns takes a path."""
    return any(fnmatch.fnmatchcase(path, p.replace("**/", "*")) or fnmatch.fnmatchcase(path, p) for p in patterns)
