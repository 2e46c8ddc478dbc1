"""Check that each line of an allowed signers file names its namespaces. Format: ssh-keygen(1), ALLOWED SIGNERS."""

from __future__ import annotations

from collections.abc import Iterator

_NAMESPACES = "namespaces="


def find_unrestricted_lines(text: str) -> Iterator[int]:
    """Find the lines, counted from 1, of keys that may sign anything: their options have no ``namespaces=``."""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        fields = _split_quoted(stripped)
        options = _split_quoted(fields[1], ",") if len(fields) > 1 else []
        if not any(option.lower().startswith(_NAMESPACES) for option in options):
            yield number


def _split_quoted(text: str, separators: str = " \t") -> list[str]:
    """Split at separators outside of double quotes; empty parts are left out."""
    parts, current, quoted = [], "", False
    for character in text:
        quoted ^= character == '"'
        if character in separators and not quoted:
            parts.append(current)
            current = ""
        else:
            current += character
    return [part for part in (*parts, current) if part]
