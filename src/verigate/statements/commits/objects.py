"""What a commit is about: names in code marks, or written as names are in code, and lists of them."""

from __future__ import annotations

import re

_PLAIN = (
    r"--[A-Za-z][\w-]+|[A-Za-z_$][\w$]*\(\)|@?(?:[\w.-]+/)+[\w.*-]+|[\w-]+\.(?:py|js|ts|tsx|go|rs|java|md|rst|toml|ya?ml|"
    r"json|txt|cfg|ini|sh|html|css|mjs|cjs|lock)|[A-Za-z_$]\w+(?:(?:::|\.|#)[A-Za-z_$]\w*(?:\(\))?)+|"
    r"[A-Za-z]*[a-z0-9][A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w*_\w+|_\w+|[A-Z]{2,}_[A-Z_]+"
)
NAME = rf"(?-i:`[^`\n]+`|(?<![\w`])(?:{_PLAIN})(?![\w`]))"
"""One name: code between backticks, or a word that no prose has. The case counts even where that of verbs doesn't:
without it every word would be a name, and what is said of it would be lost.
"""

NAMES = rf"{NAME}(?:(?:, (?:and )?| and | & | / ){NAME})*"
"""One name or more."""

_ONE = re.compile(NAME)


def list_names(text: str) -> list[str]:
    """List the names in a text, without backticks and the parentheses of a call."""
    return [clean for found in _ONE.findall(text) if (clean := found.strip("`").strip().removesuffix("()"))]


def has_name(text: str) -> bool:
    """Whether a text has a name."""
    return _ONE.search(text) is not None


def is_one_word(name: str) -> bool:
    """Whether a name can be looked up: a name of more words is code, which may be written otherwise."""
    return re.fullmatch(r"[^\s\[\]{}<>*|,]{1,120}", name) is not None
