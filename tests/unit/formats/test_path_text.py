"""A path in a message is text, whatever bytes its name has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from verigate.formats.visible import format_path


@pytest.mark.parametrize(
    ("name", "text"), [(b"a/b.py", "a/b.py"), ("dé.txt".encode(), "dé.txt"), (b"caf\xe9 \xff", "caf\\xe9 \\xff")]
)
def test_bytes_that_are_not_utf_8_are_escaped(name: bytes, text: str) -> None:
    assert format_path(name) == format_path(os.fsdecode(name)) == format_path(Path(os.fsdecode(name))) == text
