"""Find the one file that a tool takes its settings from, where several could configure it.

Source: pytest, "Configuration file formats"; mypy, "The mypy configuration file"; coverage.py, "Configuration
reference"; Pyright, "Configuration".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from code_adapter.integrity.tools import pytest
from code_adapter.integrity.tools.documents import load_ini, load_toml
from code_adapter.integrity.tools.options import Options
from code_adapter.integrity.tools.setting_files import read_at
from code_adapter.integrity.tools.settings import read_settings

ORDERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "pytest": pytest.FILES,
        "mypy": ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"),
        "coverage": (".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml"),
        "pyright": ("pyrightconfig.json", "pyproject.toml"),
    }
)
"""Tools that read one file alone, and the names of these files in their order."""

_SHARED = frozenset({"pyproject.toml", "setup.cfg", "tox.ini"})
"""Files of many tools, which count for one if they have a section for it; others count even if they are empty."""

_SECTIONS = {"pytest": ("pytest", "tool:pytest"), "mypy": ("mypy",)}
"""Sections of INI files that count without an option."""

ReadFile = Callable[[str], bytes | None]
"""A file of one side by its path; None where there is none."""


def list_places(path: str) -> Iterator[tuple[str, str]]:
    """List tool and folder of whatever this file may configure."""
    place = PurePosixPath(path)
    for tool, names in ORDERS.items():
        if place.name in names:
            yield tool, str(place.parent)


def find_in_force(tool: str, folder: str, read_file: ReadFile) -> tuple[str, Options] | None:
    """Find the file of a folder from which the tool takes its settings, and these; None without one.

    Raises Unreadable where the file that counts, or one that is asked before it, can't be read.
    """
    for name in ORDERS[tool]:
        path = name if folder == "." else f"{folder}/{name}"
        content = read_file(path)
        if content is None:
            continue
        source = content.decode("utf-8-sig", "replace")
        options = read_settings(path, source).get(tool, {})
        if name not in _SHARED or options or _has_section(tool, name, source):
            return path, options
    return None


def _has_section(tool: str, name: str, source: str) -> bool:
    if name == "pyproject.toml":
        found = read_at(load_toml(source), "tool", tool)
        return tool in {"pytest", "mypy", "pyright"} and found is not None
    return any(section in load_ini(source) for section in _SECTIONS.get(tool, ()))
