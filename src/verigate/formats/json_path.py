"""The path of a value in a JSON document, made into a pointer on request."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from verigate.formats import pointer


class JsonPath(Struct, eq=False, gc=False):
    """The last segment of a path, and the path of the container; None is the document itself.

    The pointer's text is built on request only: a hostile document may have long names and many values.
    ``mark`` is free for the code that walks the document.
    """

    parent: JsonPath | None
    segment: str | int
    mark: Any = None

    @property
    def pointer(self) -> str:
        """The JSON pointer."""
        segments: list[str | int] = []
        step: JsonPath | None = self
        while step is not None:
            segments.append(step.segment)
            step = step.parent
        return pointer.join(*reversed(segments))
