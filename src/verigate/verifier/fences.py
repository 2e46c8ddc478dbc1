"""Put untrusted text between fences. Their mark can't be guessed and doesn't occur in the fenced text.

The mark is a digest of all fenced text: the same evidence gives the same prompt, and an author of a part of it would
have to know the digest of a text that contains that digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from msgspec import Struct

from verigate.formats.visible import escape_at_signs, escape_invisible


class FencedText(Struct, frozen=True):
    """A label by the gate, and untrusted lines."""

    label: str
    lines: tuple[str, ...]


def split_visible_lines(text: str, limit: int) -> tuple[str, ...]:
    """Split an untrusted text into visible lines, at most ``limit`` characters of it."""
    lines = escape_invisible(text[:limit]).split("\n")
    return (*lines, "… (cut)") if len(text) > limit else tuple(lines)


def compute_mark(contents: Iterable[Sequence[str]]) -> str:
    """Compute the mark for these contents: 32 hexadecimal digits that occur in none of them."""
    whole = "\0".join("\n".join(lines) for lines in contents)
    attempt = 0
    while True:
        digest = hashlib.sha256(f"{attempt}\0{whole}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
        if digest not in whole:
            return digest
        attempt += 1


def render_fenced(fenced: FencedText, mark: str) -> str:
    """Render the label and the lines between fences, each after a bar. Raises ValueError for a line with a line feed.

    Programs attach the file whose path follows an ``@``, unless a backslash precedes it: at signs are escaped.
    """
    if any("\n" in line for line in fenced.lines):
        raise ValueError("a fenced line holds a line feed")
    inner = "".join(f"| {escape_at_signs(line)}\n" for line in fenced.lines)
    return f"{fenced.label}\n<<<UNTRUSTED {mark}\n{inner}>>>UNTRUSTED {mark}\n"
