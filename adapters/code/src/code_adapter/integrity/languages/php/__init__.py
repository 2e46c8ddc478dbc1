"""PHP, with PHPUnit and Pest."""

from __future__ import annotations

from code_adapter.integrity.languages.php.asserted import read_assertion
from code_adapter.integrity.languages.php.flow import SHAPE
from code_adapter.integrity.languages.php.found_tests import find_scope, find_tests
from code_adapter.integrity.languages.php.markers import read_marker
from code_adapter.integrity.languages.php.silencing import DETECTION, read_silencer
from code_adapter.integrity.languages.test_language import TestLanguage, find_each

LANGUAGE = TestLanguage(
    "php",
    find_tests=find_tests,
    find_markers=find_each(read_marker),
    find_scope=find_scope,
    read_assertion=read_assertion,
    list_steps=SHAPE.list_steps,
    has_own_assertions=True,
    skipped_folders=(".*", "vendor", "node_modules"),
    read_silencer=read_silencer,
    detection=DETECTION,
)
