"""Resolve the name of a condition: ``skipif(WIN)`` where ``WIN = platform.system() == "Windows"``.

The name is looked up in the test file, and in the module of the repository that it is imported from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.platforms import PLATFORM

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_NAMED = re.compile(r"[\w.]*skip(?:if|If|Unless)\(\s*(?:condition\s*=\s*)?(?:not\s+)?(?P<name>[A-Za-z_][\w.]*)\s*[,)]")
_ALWAYS = re.compile(r"\bor\s+(?:True|1|not\s+False)\b")
_IMPORTS = re.compile(
    r"^[ \t]*from[ \t]+(?P<module>[\w.]+)[ \t]+import[ \t]*(?:\((?P<several>[^)]{0,2000})\)|(?P<some>[^\n(]{0,2000}))",
    re.MULTILINE,
)


def names_platform(changes: ChangeSet, path: str, marker: str) -> bool:
    """Whether a marker skips under one name alone, and every value of that name asks for the platform."""
    found = _NAMED.match(marker.removeprefix("@"))
    if found is None:
        return False
    module, _, name = found["name"].rpartition(".")
    values = [value for source in _sources(changes, path, module, name) for value in _values(source, name)]
    return bool(values) and all(PLATFORM.search(value) and not _ALWAYS.search(value) for value in values)


def _sources(changes: ChangeSet, path: str, module: str, name: str) -> Iterator[str]:
    """The test file, unless the name is one of a module, and the modules of the repository that it comes from."""
    source = _text(changes, path)
    if not module:
        yield source
    for match in _IMPORTS.finditer(source):
        listed = re.findall(r"\w+", match["several"] or match["some"] or "")
        where = match["module"].lstrip(".").replace(".", "/")
        if module and module in listed:
            where = f"{where}/{module}".lstrip("/")
        elif module or name not in listed:
            continue
        wanted = (f"{where}.py", f"{where}/__init__.py")
        for other in changes.subject_paths:
            if other != path and any(other == end or other.endswith(f"/{end}") for end in wanted):
                yield _text(changes, other)


def _values(source: str, name: str) -> Iterator[str]:
    pattern = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*(?::[^=\n]*)?=(?!=)[ \t]*(?P<value>[^\n]+)", re.MULTILINE)
    yield from (match["value"] for match in pattern.finditer(source))


def _text(changes: ChangeSet, path: str) -> str:
    return (changes.at_subject(path) or b"").decode("utf-8", "replace")
