"""The options of tests, linters and other checks to compare, and how each may not change.

floor    a number may not fall or vanish           ceiling  a number may not grow or vanish
keep     entries of a list may not vanish          grow     entries may not be added
on       true may not become anything else         off      may not become true
level    a rule's severity may not fall            present  may not appear
addopts  pytest's command line may not judge less  pattern  may not come to match ordinary names
local    may not name a file of the repository         mapped   may not lead from the source to another file
brought  may not name a file that the change brings    again    a number may not appear or grow

Sources: the configuration references of the tools named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Watch = Literal[
    "floor",
    "ceiling",
    "keep",
    "grow",
    "on",
    "off",
    "level",
    "addopts",
    "present",
    "pattern",
    "local",
    "mapped",
    "brought",
    "again",
]


@dataclass(frozen=True, slots=True)
class Guard:
    """How to compare the option paths of one tool that ``option`` matches."""

    tool: str
    option: str
    watch: Watch
    kind: str


THRESHOLD = "threshold_lowered"
NARROWED = "coverage_narrowed"
LINT = "lint_config_weakened"
COLLECTED = "test_collection_narrowed"
REPLACED = "test_tampered"
REPEATED = "assertion_swallowed"

GUARDS: tuple[Guard, ...] = (
    Guard("pytest", r"addopts", "addopts", COLLECTED),
    Guard("pytest", r"testpaths|python_(?:files|classes|functions)", "keep", COLLECTED),
    Guard("pytest", r"norecursedirs|collect_ignore\w*", "grow", COLLECTED),
    Guard("pytest", r"xfail_strict|strict\w*", "on", COLLECTED),
    Guard("coverage", r"report\.fail_under", "floor", THRESHOLD),
    Guard("coverage", r"(?:run|report)\.omit", "grow", NARROWED),
    Guard("coverage", r"report\.exclude_(?:lines|also)|report\.partial_(?:branches|also)", "grow", NARROWED),
    Guard("coverage", r"(?:run|report)\.(?:source|source_pkgs|include)", "keep", NARROWED),
    Guard("coverage", r"run\.branch", "on", NARROWED),
    Guard("coverage", r"report\.ignore_errors", "off", NARROWED),
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
    Guard("vitest", r"(?:test\.)?runner", "local", REPLACED),
    Guard("vitest", r"(?:test\.)?environment", "brought", REPLACED),
    Guard("vitest", r"(?:.*\.)?retry(?:\.count)?", "again", REPEATED),
    Guard("vitest", r"(?:test\.|resolve\.)?alias\..*", "mapped", REPLACED),
    Guard("vitest", r"(?:test\.)?(?:testNamePattern|dir)", "present", COLLECTED),
    Guard("tsconfig", r"compilerOptions\.paths\..*", "mapped", REPLACED),
    Guard("cargo", r"(?:package\.)?autotests|(?:lib|test\.\[\])\.(?:test|harness)", "on", COLLECTED),
    Guard("cargo", r"test\.\[\]\.required-features", "present", COLLECTED),
    Guard("vitest", r"(?:.*\.)?coverage\.thresholds?\.(?!autoUpdate).*", "floor", THRESHOLD),
    Guard("vitest", r"(?:.*\.)?test\.exclude|exclude", "grow", COLLECTED),
    Guard("vitest", r"(?:.*\.)?test\.include", "keep", COLLECTED),
    Guard("vitest", r"(?:.*\.)?(?:passWithNoTests|dangerouslyIgnoreUnhandledErrors)", "off", COLLECTED),
    Guard("vitest", r"(?:.*\.)?coverage\.exclude", "grow", NARROWED),
    Guard("nyc", r"lines|branches|functions|statements|watermarks\..*", "floor", THRESHOLD),
    Guard("nyc", r"check-coverage|checkCoverage|all|per-file", "on", THRESHOLD),
    Guard("nyc", r"exclude", "grow", NARROWED),
    Guard("nyc", r"include", "keep", NARROWED),
    Guard("codecov", r"coverage\.status\..*target", "floor", THRESHOLD),
    Guard("codecov", r"coverage\.status\..*threshold", "ceiling", THRESHOLD),
    Guard("codecov", r"coverage\.status\..*informational", "off", THRESHOLD),
    Guard("codecov", r"ignore", "grow", NARROWED),
    Guard("ruff", r"(?:lint\.)?(?:select|extend-select)", "keep", LINT),
    Guard("ruff", r"(?:lint\.)?(?:ignore|extend-ignore|(?:extend-)?per-file-ignores\..*)", "grow", LINT),
    Guard("ruff", r"exclude|extend-exclude|lint\.exclude|format\.exclude", "grow", LINT),
    Guard("ruff", r"(?:lint\.)?(?:mccabe\.max-complexity|pylint\.max-.*|pycodestyle\.max-.*)", "ceiling", THRESHOLD),
    Guard("ruff", r"include", "keep", LINT),
    Guard("ruff", r"builtins|lint\.pyflakes\.allowed-unused-imports", "grow", LINT),
    Guard("ruff", r"(?:lint\.)?dummy-variable-rgx", "pattern", LINT),
    Guard("ruff", r"extension\..*", "present", LINT),
    Guard("flake8", r"(?:extend[-_])?ignore|per[-_]file[-_]ignores|(?:extend[-_])?exclude", "grow", LINT),
    Guard("flake8", r"select|extend-select", "keep", LINT),
    Guard("flake8", r"max-complexity|max_complexity", "ceiling", THRESHOLD),
    Guard("pylint", r"(?:.*\.)?disable|(?:.*\.)?ignore(?:-paths|-patterns)?", "grow", LINT),
    Guard("pylint", r"(?:.*\.)?fail-under", "floor", THRESHOLD),
    Guard("pylint", r"(?:.*\.)?max-(?!line-length).*", "ceiling", THRESHOLD),
    Guard("mypy", r"strict|disallow_\w+|check_untyped_defs|warn_\w+|no_implicit_\w+|strict_\w+", "on", LINT),
    Guard("mypy", r"(?:overrides\..*)?ignore_errors|(?:overrides\..*)?follow_imports_for_stubs", "off", LINT),
    Guard("mypy", r"exclude|disable_error_code|overrides\..*disable_error_code", "grow", LINT),
    Guard("mypy", r"files|packages|modules", "keep", LINT),
    Guard("pyright", r"exclude|ignore", "grow", LINT),
    Guard("pyright", r"(?:typeCheckingMode|report\w+)", "level", LINT),
    Guard("bandit", r"skips|exclude_dirs", "grow", LINT),
    Guard("eslint", r"(?:.*\.)?rules\.(?:.*)", "level", LINT),
    Guard("eslint", r"(?:.*\.)?(?:ignores|ignorePatterns)", "grow", LINT),
    Guard("eslint", r"(?:.*\.)?extends", "keep", LINT),
    Guard("tsconfig", r"compilerOptions\.(?:strict\w*|noImplicit\w*|noUnused\w*|noUnchecked\w*|noFallthrough\w*|"
          r"exactOptional\w*|useUnknown\w*|alwaysStrict|checkJs)", "on", LINT),
    Guard("tsconfig", r"compilerOptions\.(?:skipLibCheck|noCheck|allowUnreachableCode|suppress\w+)", "off", LINT),
    Guard("tsconfig", r"exclude", "grow", LINT),
    Guard("tsconfig", r"include|files", "keep", LINT),
    Guard("clippy", r".*", "level", LINT),
    Guard("clippy-limits", r".*threshold|max-.*", "ceiling", THRESHOLD),
)  # fmt: skip
