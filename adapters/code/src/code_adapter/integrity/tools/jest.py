"""Jest's settings.

Source: Jest's documentation, "Configuring Jest".
"""

from __future__ import annotations

from code_adapter.integrity.tools.documents import load_javascript, load_json
from code_adapter.integrity.tools.guards import COLLECTED, NARROWED, REPLACED, THRESHOLD, Guard
from code_adapter.integrity.tools.setting_files import Reader, load_typescript, read_as

GUARDS: tuple[Guard, ...] = (
    Guard("jest", r"(?:.*\.)?coverageThreshold\..*", "floor", THRESHOLD),
    Guard("jest", r"(?:.*\.)?(?:testPathIgnorePatterns|modulePathIgnorePatterns)", "grow", COLLECTED),
    Guard("jest", r"(?:.*\.)?(?:testMatch|testRegex|roots|projects)", "keep", COLLECTED),
    Guard("jest", r"(?:.*\.)?passWithNoTests", "off", COLLECTED),
    Guard("jest", r"(?:.*\.)?coveragePathIgnorePatterns", "grow", NARROWED),
    Guard("jest", r"(?:.*\.)?collectCoverageFrom", "keep", NARROWED),
    Guard("jest", r"(?:.*\.)?testNamePattern|(?:.*\.)?globalSetup\.skip", "present", COLLECTED),
    Guard("jest", r"(?:.*\.)?(?:runner|testRunner|testResultsProcessor|transform\..*)", "local", REPLACED),
    Guard("jest", r"(?:.*\.)?moduleNameMapper\..*", "mapped", REPLACED),
    Guard("jest", r"(?:.*\.)?(?:resolver|testEnvironment)", "brought", REPLACED),
    Guard("jest", r"(?:.*\.)?automock", "off", REPLACED),
    Guard("jest", r"rootDir", "present", COLLECTED),
)

READERS: tuple[tuple[str, Reader], ...] = (
    ("jest.config.json", read_as("jest", load_json)),
    ("jest.config.[cm]js", read_as("jest", load_javascript)),
    ("jest.config.js", read_as("jest", load_javascript)),
    ("jest.config.*ts", read_as("jest", load_typescript)),
)
