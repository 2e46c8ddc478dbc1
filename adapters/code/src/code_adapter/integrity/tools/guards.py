"""What a guard is: an option of a test runner, linter or other tool to compare, and how it may not change.

floor    a number may not fall or vanish           ceiling  a number may not grow or vanish
keep     entries of a list may not vanish          grow     entries may not be added
on       true may not become anything else         off      may not become true
level    a rule's severity may not fall            present  may not appear
addopts  pytest's command line may not judge less  pattern  may not come to match ordinary names
local    may not name a file of the repository         mapped   may not lead from the source to another file
brought  may not name a file that the change brings    again    a number may not appear or grow

Each tool has its own table of guards.
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
COMMAND = "check_command_weakened"
