"""Ruby, with RSpec, Minitest, Test::Unit and Rails' test cases."""

from __future__ import annotations

from code_adapter.integrity.languages.ruby.asserted import read_assertion
from code_adapter.integrity.languages.ruby.detection import DETECTION
from code_adapter.integrity.languages.ruby.flow import SHAPE
from code_adapter.integrity.languages.ruby.found_tests import find_scope, find_tests
from code_adapter.integrity.languages.ruby.markers import read_marker
from code_adapter.integrity.languages.test_language import TestLanguage, find_each

LANGUAGE = TestLanguage(
    "ruby",
    find_tests=find_tests,
    find_markers=find_each(read_marker),
    find_scope=find_scope,
    read_assertion=read_assertion,
    list_steps=SHAPE.list_steps,
    has_own_assertions=True,
    calls_bare_names=True,
    skipped_folders=(".*", "vendor", "node_modules"),
    detection=DETECTION,
)
