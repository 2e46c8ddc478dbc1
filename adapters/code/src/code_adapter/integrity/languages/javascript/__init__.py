"""JavaScript and TypeScript, with Jest, Vitest, Mocha, node:test and their like."""

from __future__ import annotations

from code_adapter.integrity.languages.asserted import read_call
from code_adapter.integrity.languages.javascript.claims import keeps_claims
from code_adapter.integrity.languages.javascript.flow import (
    is_never_called,
    is_not_awaited,
    list_expected_failures,
    list_steps,
)
from code_adapter.integrity.languages.javascript.found_tests import SKIPPED, find_tests, is_collected
from code_adapter.integrity.languages.javascript.markers import find_markers, find_scope
from code_adapter.integrity.languages.named_conditions import names_platform
from code_adapter.integrity.languages.test_language import TestLanguage

LANGUAGE = TestLanguage(
    "javascript",
    is_collected=is_collected,
    find_tests=find_tests,
    find_markers=find_markers,
    find_scope=find_scope,
    read_assertion=read_call,
    list_steps=list_steps,
    has_own_assertions=True,
    skipped_folders=SKIPPED,
    is_never_called=is_never_called,
    is_not_awaited=is_not_awaited,
    list_expected_failures=list_expected_failures,
    keeps_claims=keeps_claims,
    names_platform=names_platform,
)
