"""Where a value stands in a JSON document, told only when somebody asks."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from verigate.formats import pointer


class Way(Struct, eq=False, gc=False):
    """The last step to a value and the way to its container; None leads to the document.

    The text of a pointer is made only where it is told: names of a hostile text are long, and lead to many values.
    ``mark`` is for whoever goes along.
    """

    before: Way | None
    segment: str | int
    mark: Any = None

    @property
    def pointer(self) -> str:
        """The JSON pointer."""
        segments: list[str | int] = []
        way: Way | None = self
        while way is not None:
            segments.append(way.segment)
            way = way.before
        return pointer.join(*reversed(segments))
