"""Files of a task and of the configuration: every reader of ``tests/support/document_parsers.py``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from document_parsers import EXPECTED, JSON, PARSERS, Refused, valid_text

from targets.target import Target


def list_targets() -> Iterator[Target]:
    """List one target for each reader."""
    for name in PARSERS:
        yield Target(name, _read_as(name), (valid_text(name),), (Refused, *EXPECTED), is_json=name in JSON)


def _read_as(name: str) -> Callable[[Path, bytes], object]:
    def read(folder: Path, content: bytes) -> object:
        return PARSERS[name].read(folder, content)

    return read
