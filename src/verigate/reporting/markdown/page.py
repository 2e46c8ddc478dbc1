"""Collect the lines that are seen at once and the sections that are folded, up to the size of a comment."""

from __future__ import annotations

from collections.abc import Sequence

LIMIT = 65_000
"""Bytes of UTF-8; a comment on GitHub holds 65,536 characters."""

MOST_LINES = 40
"""Lines outside of what is folded, blank ones and the heads of folded sections included."""

_END = "\n</details>"
_LONGEST_COUNT = 40
"""Bytes of the line that counts what a section has no room for."""


class Page:
    """Collects blocks of text up to LIMIT bytes."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._room = LIMIT
        self._cut = False

    def add(self, block: str) -> None:
        """Add a block, unless it has no room; then nothing more is added."""
        size = _measure(block)
        self._cut = self._cut or size > self._room
        if not self._cut:
            self._room -= size
            self._blocks.append(block)

    def fold(self, sections: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Add folded sections, each a title and its entries. What the short ones leave is shared by the long ones."""
        sizes = [_measure("\n".join([_begin(title), *entries, _END])) + _LONGEST_COUNT for title, entries in sections]
        for (title, entries), room in zip(sections, _share(sizes, self._room), strict=True):
            self._fold(title, entries, room)

    def _fold(self, title: str, entries: Sequence[str], room: int) -> None:
        """Add a section of at most ``room`` bytes; after the last entry that fits, the number of the others."""
        shown = [_begin(title)]
        room -= _measure(shown[0]) + _measure(_END) + _LONGEST_COUNT
        if room < 0:
            self._cut = True
            return
        for number, entry in enumerate(entries):
            room -= _measure(entry)
            if room < 0:
                self._cut = True
                shown.append(f"- … and {len(entries) - number} more")
                break
            shown.append(entry)
        self._blocks.append("\n".join([*shown, _END]))

    def text(self, where_it_was_cut: str) -> str:
        """The page; if it was cut, the last line says where to find the rest."""
        foot = [f"\n{where_it_was_cut}"] if self._cut else []
        return "\n".join([*self._blocks, *foot]) + "\n"


def _begin(title: str) -> str:
    # A blank line on either side, so that what is between is Markdown (CommonMark 4.6).
    return f"<details><summary>{title}</summary>\n"


def _share(sizes: Sequence[int], room: int) -> list[int]:
    """Share ``room`` so that none gets more than its size, and those that get less get the same."""
    shares = [0] * len(sizes)
    for left, index in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[index] = min(sizes[index], room // (len(sizes) - left))
        room -= shares[index]
    return shares


def _measure(block: str) -> int:
    return len(block.encode("utf-8", "replace")) + 1
