"""The languages whose tests are read: one ``TestLanguage`` each. A file of any other is ``unexamined``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from code_adapter.integrity.languages import csharp, go, java, javascript, kotlin, php, python, ruby, rust
from code_adapter.integrity.languages.test_language import TestLanguage
from verigate.sdk.languages import language_of

LANGUAGES: Mapping[str, TestLanguage] = MappingProxyType(
    {
        "python": python.LANGUAGE,
        "javascript": javascript.LANGUAGE,
        "typescript": javascript.LANGUAGE,
        "go": go.LANGUAGE,
        "rust": rust.LANGUAGE,
        "java": java.LANGUAGE,
        "ruby": ruby.LANGUAGE,
        "php": php.LANGUAGE,
        "csharp": csharp.LANGUAGE,
        "kotlin": kotlin.LANGUAGE,
    }
)
"""By the name that ``language_of`` gives a file."""


def find_language(path: str) -> TestLanguage | None:
    """Find the language of a file; None for one whose tests can't be read."""
    return LANGUAGES.get(language_of(path) or "")
