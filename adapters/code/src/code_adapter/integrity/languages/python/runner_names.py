"""Resolve the names under which a Python file imports parts of its test runner."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WHOLE = re.compile(
    r"^[ \t]*import[ \t]+(?P<module>pytest|unittest|_pytest\.outcomes)[ \t]+as[ \t]+(?P<name>\w+)", re.MULTILINE
)
_PARTS = re.compile(
    r"^[ \t]*from[ \t]+(?P<module>pytest|unittest(?:\.case)?|_pytest\.outcomes)[ \t]+import[ \t]*"
    r"(?:\((?P<several>[^)]{0,2000})\)|(?P<some>[^\n(]{0,2000}))",
    re.MULTILINE,
)
_LEADING = re.compile(r"(?P<before>@|raise\s+)?(?P<name>\w+)")


def find_runner_names(source: bytes) -> dict[str, str]:
    """Map each imported name to its origin: ``p`` -> ``pytest``, ``later`` -> ``pytest.skip``."""
    text = source.decode("utf-8", "replace")
    names = {match["name"]: match["module"] for match in _WHOLE.finditer(text)}
    for match in _PARTS.finditer(text):
        for item in re.sub(r"#[^\n]*", "", match["several"] or match["some"] or "").split(","):
            words = item.replace("\\", " ").split()
            if words:
                names[words[-1]] = f"{match['module']}.{words[0]}"
    return names


def resolve_name(text: str, names: Mapping[str, str]) -> str:
    """Return the text of a call, decorator or raise with its first name resolved."""
    match = _LEADING.match(text)
    if match is None or match["name"] not in names:
        return text
    return f"{match['before'] or ''}{names[match['name']]}{text[match.end() :]}"
