"""The languages whose tests are read: one ``TestLanguage`` each. A file of any other is ``unexamined``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.languages.test_language import TestLanguage

_MODULES: Mapping[str, str] = {
    "python": "python",
    "javascript": "javascript",
    "typescript": "javascript",
    "go": "go",
    "rust": "rust",
    "java": "java",
    "ruby": "ruby",
    "php": "php",
    "csharp": "csharp",
    "kotlin": "kotlin",
}


class _Languages(Mapping[str, "TestLanguage"]):
    """Loads a language when it is asked for: a change is mostly of one, and all take longer to load than it to read."""

    def __getitem__(self, name: str) -> TestLanguage:
        language: TestLanguage = import_module(f"{__name__}.{_MODULES[name]}").LANGUAGE
        return language

    def __contains__(self, name: object) -> bool:
        return name in _MODULES

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


LANGUAGES: Mapping[str, TestLanguage] = _Languages()
"""By the name that ``language_of`` gives a file."""


def find_language(path: str) -> TestLanguage | None:
    """Find the language of a file; None for one whose tests can't be read."""
    return LANGUAGES.get(language_of(path) or "")
