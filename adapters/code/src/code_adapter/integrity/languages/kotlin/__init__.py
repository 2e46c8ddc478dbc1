"""Kotlin, with kotlin.test, JUnit, TestNG and Kotest."""

from __future__ import annotations

from code_adapter.integrity.languages.kotlin.asserted import read_assertion
from code_adapter.integrity.languages.kotlin.flow import SHAPE
from code_adapter.integrity.languages.kotlin.found_tests import find_scope, find_tests
from code_adapter.integrity.languages.kotlin.markers import read_marker
from code_adapter.integrity.languages.kotlin.silencing import DETECTION, read_silencer
from code_adapter.integrity.languages.test_language import TestLanguage, find_each

LANGUAGE = TestLanguage(
    "kotlin",
    find_tests=find_tests,
    find_markers=find_each(read_marker),
    find_scope=find_scope,
    read_assertion=read_assertion,
    list_steps=SHAPE.list_steps,
    has_own_assertions=True,
    skipped_folders=(".*",),
    read_silencer=read_silencer,
    detection=DETECTION,
)
