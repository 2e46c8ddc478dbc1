"""A test that must fail: it is run together with the tests that decide, and a report without its failure is false."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WORDS = ("amount", "border", "column", "entry", "folder", "letter", "margin", "number", "record", "total")
_PYTEST = """def test_{name}():
    {word} = [{first}, {second}]
    assert sum({word}) == {wrong}
"""
_UNITTEST = """import unittest


class {title}Test(unittest.TestCase):
    def test_{name}(self):
        {word} = [{first}, {second}]
        self.assertEqual(sum({word}), {wrong})
"""


@contextmanager
def write_canary(folder: Path, runner: str) -> Iterator[Path]:
    """Write a Python test that fails to ``folder``, like any other and under a name that nobody can know."""
    word, tail = secrets.choice(_WORDS), secrets.token_hex(3)
    name = f"{word}_{tail}"
    first, second = 1 + secrets.randbelow(50), 1 + secrets.randbelow(50)
    text = (_UNITTEST if runner == "unittest" else _PYTEST).format(
        name=name, word=word, title=word.title(), first=first, second=second, wrong=first + second + 1
    )
    path = folder / f"test_{name}.py"
    path.write_text(text)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
