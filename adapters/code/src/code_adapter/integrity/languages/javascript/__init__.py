"""JavaScript and TypeScript, with Jest, Vitest, Mocha, node:test and their like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import read_call
from code_adapter.integrity.languages.javascript.claims import keeps_claims
from code_adapter.integrity.languages.javascript.detection import DETECTION
from code_adapter.integrity.languages.javascript.flow import (
    is_never_called,
    is_not_awaited,
    list_expected_failures,
    list_steps,
)
from code_adapter.integrity.languages.javascript.found_tests import SKIPPED, find_tests
from code_adapter.integrity.languages.javascript.handed_on import hands_failures_on
from code_adapter.integrity.languages.javascript.imports import IMPORTS
from code_adapter.integrity.languages.javascript.markers import find_scope, is_repeating, read_marker
from code_adapter.integrity.languages.javascript.runner_parts import find_replaced_parts, find_support_parts
from code_adapter.integrity.languages.named_conditions import names_platform
from code_adapter.integrity.languages.silencers import Silencer
from code_adapter.integrity.languages.test_language import TestLanguage, find_each
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARES_ALL = re.compile(r"module\s+['\"](?:\*|(?:[.@~]{1,2}/)?\*\*?(?:/\*)?(?:\.[cm]?[jt]sx?)?|[.@~]{1,2}/\*)['\"]")
"""TypeScript: each import of it is ``any``, whatever is asked of it. Patterns of styles and images are no such ones."""


def _read_silencer(node: Node) -> Silencer | None:
    text = text_of(node) if node.type == "module" else ""
    return (
        Silencer("declared-any", (), "", f"declare {' '.join(text.split())[:160]}")
        if _DECLARES_ALL.match(text)
        else None
    )


LANGUAGE = TestLanguage(
    "javascript",
    find_tests=find_tests,
    find_markers=find_each(read_marker),
    find_scope=find_scope,
    read_assertion=read_call,
    list_steps=list_steps,
    has_own_assertions=True,
    skipped_folders=SKIPPED,
    is_never_called=is_never_called,
    is_not_awaited=is_not_awaited,
    list_expected_failures=list_expected_failures,
    hands_failures_on=hands_failures_on,
    keeps_claims=keeps_claims,
    names_platform=names_platform,
    is_repeating=is_repeating,
    read_silencer=_read_silencer,
    find_replaced_parts=find_replaced_parts,
    find_support_parts=find_support_parts,
    imports=IMPORTS,
    detection=DETECTION,
)
