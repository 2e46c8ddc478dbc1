"""Which changed files are only read: documentation, text, pictures. Every other one is code.

The list names what is known to be harmless, not the languages there are: a file that nobody thought of is code.
"""

from __future__ import annotations

from verigate.domain.subject import Change

_TEXT = (".md", ".markdown", ".rst", ".txt", ".adoc")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".pdf")
_NAMES = frozenset({"authors", "changelog", "contributing", "copying", "licence", "license", "notice", "readme"})
_INSTALLED_FROM = ("requirements", "constraints", "cmakelists")
"""What the paths of text files have in them that pip and CMake act upon."""


def is_code(change: Change) -> bool:
    """Whether the code rules are about this change. Links, submodules and executables are code whatever their name."""
    return not (change.plain and only_read(change.path))


def only_read(path: str) -> bool:
    """Whether a file of this name is documentation, text or a picture."""
    if not path.isprintable() or "\\" in path:
        return False
    lowered = path.lower()
    name = lowered.rpartition("/")[2]
    if name in _NAMES:
        return True
    if name.endswith(".txt") and any(word in lowered for word in _INSTALLED_FROM):
        return False
    return name.endswith((*_TEXT, *_PICTURES)) and not name.startswith(".")
