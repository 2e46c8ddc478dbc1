"""Read a settings file as one table for each tool that it configures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from code_adapter.integrity.tools.documents import load_ini, load_javascript, load_json, load_yaml

Sections = Mapping[str, Any]
"""Tool -> its table."""

Reader = Callable[[str], Sections]
"""What a file of one name says, from its text. Raises Unreadable."""


def read_as(tool: str, load: Callable[[str], Any]) -> Reader:
    """Read the whole file as the table of one tool."""
    return lambda source: {tool: load(source)}


def read_at(document: Any, *keys: str) -> Any:
    """Read a value by its keys; None where there is none."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def read_ini_sections(source: str) -> Sections:
    """Read an INI file that tools of Python share: ``setup.cfg``, ``tox.ini``."""
    sections = load_ini(source)
    found: dict[str, dict[str, Any]] = {}
    for name, options in sections.items():
        plain = name.removeprefix("tool:")
        if plain in {"pytest", "flake8", "mypy", "bandit"}:
            found.setdefault(plain, {}).update(options)
        elif plain.startswith("coverage:"):
            found.setdefault("coverage", {})[plain.removeprefix("coverage:")] = options
        elif plain.startswith("mypy-"):
            found.setdefault("mypy", {})[f"overrides.{plain.removeprefix('mypy-')}"] = options
        elif plain.lower().startswith(("pylint", "main", "master", "messages control", "messages_control", "design")):
            found.setdefault("pylint", {}).update(options)
    return found


def load_typescript(source: str) -> Any:
    """Parse the literal settings of a file of TypeScript."""
    return load_javascript(source, "typescript")


def load_json_or_yaml(source: str) -> Any:
    """Parse a file that may be either."""
    return load_json(source) if source.lstrip()[:1] in {"{", "/"} else load_yaml(source)
