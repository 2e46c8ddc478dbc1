"""Select the language of a file by its suffix. A language's module is imported when its first file is read."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verigate.sdk.languages.definition import Language

_SUFFIXES = {
    ".cjs": ("javascript", "javascript"),
    ".cs": ("csharp", "csharp"),
    ".cts": ("javascript", "typescript"),
    ".go": ("go", "go"),
    ".java": ("java", "java"),
    ".js": ("javascript", "javascript"),
    ".jsx": ("javascript", "javascript"),
    ".kt": ("kotlin", "kotlin"),
    ".kts": ("kotlin", "kotlin"),
    ".mjs": ("javascript", "javascript"),
    ".mts": ("javascript", "typescript"),
    ".php": ("php", "php"),
    ".py": ("python", "python"),
    ".pyi": ("python", "python"),
    ".rake": ("ruby", "ruby"),
    ".rb": ("ruby", "ruby"),
    ".rs": ("rust", "rust"),
    ".ts": ("javascript", "typescript"),
    ".tsx": ("javascript", "tsx"),
}


SUFFIXES = tuple(_SUFFIXES)
"""The suffixes of all languages, in lower case."""


def language_of(path: str) -> str | None:
    """Return ``python``, ``typescript``, ``csharp`` and so on by the suffix, None for one that no language has."""
    entry = _SUFFIXES.get(PurePosixPath(path).suffix.lower())
    if entry is None:
        return None
    return "typescript" if entry[1] == "tsx" else entry[1]


def grammar_of(path: str) -> str | None:
    """Return the name of the file's grammar for ``tree.parse``, None if there is none."""
    entry = _SUFFIXES.get(PurePosixPath(path).suffix.lower())
    return entry[1] if entry else None


@cache
def _load(module: str) -> Language:
    language: Language = importlib.import_module(f"verigate.sdk.languages.{module}").LANGUAGE
    return language


def load(path: str) -> Language:
    """Load the language of ``path``. Raises KeyError if ``language_of`` is None."""
    return _load(_SUFFIXES[PurePosixPath(path).suffix.lower()][0])
