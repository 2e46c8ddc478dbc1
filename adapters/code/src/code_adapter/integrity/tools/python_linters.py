"""Settings of Flake8, Pylint and Bandit.

Source: their references on configuration.
"""

from __future__ import annotations

from code_adapter.integrity.tools.guards import LINT, THRESHOLD, Guard
from code_adapter.integrity.tools.setting_files import Reader, read_ini_sections

GUARDS: tuple[Guard, ...] = (
    Guard("flake8", r"(?:extend[-_])?ignore|per[-_]file[-_]ignores|(?:extend[-_])?exclude", "grow", LINT),
    Guard("flake8", r"select|extend-select|filename", "keep", LINT),
    Guard("flake8", r"max-complexity|max_complexity", "ceiling", THRESHOLD),
    Guard("pylint", r"(?:.*\.)?disable|(?:.*\.)?ignore(?:-paths|-patterns)?", "grow", LINT),
    Guard("pylint", r"(?:.*\.)?fail-under", "floor", THRESHOLD),
    Guard("pylint", r"(?:.*\.)?max-(?!line-length).*", "ceiling", THRESHOLD),
    Guard("bandit", r"skips|exclude_dirs", "grow", LINT),
)

READERS: tuple[tuple[str, Reader], ...] = (
    (".flake8", read_ini_sections),
    (".pylintrc", read_ini_sections),
    ("pylintrc", read_ini_sections),
)
