"""Read the settings of test runners, linters and similar tools from any file: tool -> options by dotted path.

Moving a setting from setup.cfg to pyproject.toml is no change, so all changed files of a folder are merged.
"""

from __future__ import annotations

import fnmatch
from pathlib import PurePosixPath
from types import ModuleType

from code_adapter.integrity.tools import (
    cargo,
    coverage_reports,
    eslint,
    gradle,
    jest,
    maven,
    pytest,
    python_linters,
    ruff,
    type_checkers,
    vitest,
)
from code_adapter.integrity.tools.documents import Unreadable, load_json, load_toml
from code_adapter.integrity.tools.guards import Guard
from code_adapter.integrity.tools.options import Options, flatten
from code_adapter.integrity.tools.setting_files import Reader, Sections, read_at, read_ini_sections

_TOOLS: tuple[ModuleType, ...] = (
    pytest,
    coverage_reports,
    jest,
    vitest,
    ruff,
    python_linters,
    type_checkers,
    eslint,
    cargo,
    maven,
    gradle,
)


def _pyproject(source: str) -> Sections:
    tool = read_at(load_toml(source), "tool") or {}
    return {
        "pytest": read_at(tool, "pytest", "ini_options") or read_at(tool, "pytest"),
        "coverage": read_at(tool, "coverage"),
        "ruff": read_at(tool, "ruff"),
        "mypy": read_at(tool, "mypy"),
        "pylint": read_at(tool, "pylint"),
        "flake8": read_at(tool, "flake8"),
        "pyright": read_at(tool, "basedpyright") or read_at(tool, "pyright"),
        "bandit": read_at(tool, "bandit"),
    }


def _package(source: str) -> Sections:
    document = load_json(source)
    return {
        "jest": read_at(document, "jest"),
        "nyc": {**(read_at(document, "nyc") or {}), **(read_at(document, "c8") or {})},
        "eslint": read_at(document, "eslintConfig"),
        "vitest": read_at(document, "vitest"),
    }


_READERS: tuple[tuple[str, Reader], ...] = (
    ("pyproject.toml", _pyproject),
    ("tox.ini", read_ini_sections),
    ("setup.cfg", read_ini_sections),
    ("package.json", _package),
    *(reader for tool in _TOOLS for reader in tool.READERS),
)
GUARDS: tuple[Guard, ...] = tuple(guard for tool in _TOOLS for guard in tool.GUARDS)
"""The options that are compared, grouped by tool."""


def is_settings_file(path: str) -> bool:
    """Whether the file may configure a test runner, linter or similar tool."""
    return _reader(path) is not None


def _reader(path: str) -> Reader | None:
    name = PurePosixPath(path).name
    return next((reader for pattern, reader in _READERS if fnmatch.fnmatchcase(name, pattern)), None)


def read_settings(path: str, source: str) -> dict[str, Options]:
    """Read the options of a file by tool; empty for a file that configures none. Raises Unreadable."""
    reader = _reader(path)
    if reader is None or not source.strip():
        return {}
    found: dict[str, Options] = {}
    try:
        sections = reader(source)
    except (AttributeError, TypeError) as error:
        raise Unreadable(f"not the document it should be: {error}") from error
    for tool, value in sections.items():
        if isinstance(value, dict) and value:
            found[tool] = flatten(value)
    return found
