"""Type checkers of Python that a project configures so that they know what to check when they are called by name alone.

Names and settings decide; nothing is run. mypy needs ``files``, ``packages`` or ``modules`` in its settings, pyright
checks the folder of its settings. Sources: mypy, "The mypy configuration file"; pyright, "Configuration".
"""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MYPY = "mypy"
PYRIGHTS = ("basedpyright", "pyright")
"""Programs that read pyright's settings and write its report; basedpyright also reads settings under its own name."""

_MYPY_FILES = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
"""In mypy's order: the first that has its section counts."""

_TARGETS = ("files", "packages", "modules")
_PROJECT = "pyproject.toml"
_PYRIGHT_FILE = "pyrightconfig.json"


@dataclass(frozen=True, slots=True)
class ConfiguredChecker:
    """A type checker, the folder in which to call it ("" is the root), and the file that configures it."""

    name: str
    folder: str
    path: str


def find_type_checkers(paths: Iterable[str], read: Callable[[str], str]) -> Iterator[ConfiguredChecker]:
    """Yield the checkers that settings among ``paths`` configure, by folder and name. A broken file configures none."""
    by_folder: dict[str, set[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name in _MYPY_FILES or name == _PYRIGHT_FILE:
            by_folder.setdefault(folder, set()).add(name)
    for folder, names in sorted(by_folder.items()):
        place = f"{folder}/" if folder else ""
        tables = {name: _read_table(name, read(place + name)) for name in names if name != _PYRIGHT_FILE}
        own = next((name for name in _MYPY_FILES if MYPY in tables.get(name, {})), None)
        if own is not None and any(tables[own][MYPY].get(key) for key in _TARGETS):
            yield ConfiguredChecker(MYPY, folder, place + own)
        project = tables.get(_PROJECT, {})
        for name in PYRIGHTS:
            shown = _PROJECT if name in project else _PYRIGHT_FILE if _PYRIGHT_FILE in names else None
            if shown is not None:
                yield ConfiguredChecker(name, folder, place + shown)


def _read_table(name: str, text: str) -> Mapping[str, Mapping[str, Any]]:
    """Read the tables of tools in a settings file; {} if it can't be parsed: then no tool can read it either."""
    if name == _PROJECT:
        try:
            tools = tomllib.loads(text).get("tool")
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}
        tools = tools if isinstance(tools, dict) else {}
        return {key: value for key, value in tools.items() if isinstance(value, dict)}
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return {section: dict(parser[section]) for section in parser.sections()}
