"""Tests that must fail for declared commands: in files of bats, and where the configuration says how one is written."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template

from code_adapter.tree_checkout import add_to_index
from verigate.sdk import AdapterError, AdapterUsageError, Request, path_text

NAME = "{name}"
"""What the configuration has in place of the name of the test."""

_BATS = Template('\n@test "$name" {\n  $word=$$(($first + $second))\n  [ "$$$word" -eq $wrong ]\n}\n')
_WORDS = ("amount", "border", "column", "entry", "folder", "letter", "margin", "number", "record", "total")
_MOST = 10


@contextmanager
def plant_texts(request: Request, paths: Sequence[str], must_fail: tuple[str, str] | None) -> Iterator[list[str]]:
    """Plant tests that fail; yields their names. Files are as they were afterwards.

    ``must_fail`` is the path and the text of a file with one, both with NAME in them. Without it one is added to the
    end of each file of bats among ``paths``, at most ten. Raises AdapterError if the file is there, or outside.
    """
    root = request.repo_root
    before: dict[Path, bytes | None] = {}
    names: list[str] = []
    try:
        if must_fail is not None:
            name = _make_name()
            place = root / must_fail[0].replace(NAME, name)
            if place.exists() or place.is_symlink():
                raise AdapterUsageError(f"{must_fail[0]!r} is there already", where="configuration of code, /tests")
            if not place.parent.resolve().is_relative_to(root.resolve()):
                raise AdapterError("its folder leads out of the repository", where=path_text(must_fail[0]))
            place.parent.mkdir(parents=True, exist_ok=True)
            before[place] = None
            place.write_text(must_fail[1].replace(NAME, name))
            names.append(name)
        else:
            own = [each for each in paths if Path(each).suffix == ".bats" and not (root / each).is_symlink()]
            for path in own[:_MOST]:
                name = _make_name()
                before[root / path] = (root / path).read_bytes()
                with (root / path).open("ab") as out:
                    out.write(_write_bats(name).encode())
                names.append(name)
        if before:
            add_to_index(request, [place.relative_to(root).as_posix() for place in before])
        yield names
    finally:
        for place, content in before.items():
            if content is None:
                place.unlink(missing_ok=True)
            else:
                place.write_bytes(content)


def _make_name() -> str:
    return f"{secrets.choice(_WORDS)}_{secrets.token_hex(3)}"


def _write_bats(name: str) -> str:
    first, second = 1 + secrets.randbelow(50), 1 + secrets.randbelow(50)
    word = name.partition("_")[0]
    return _BATS.substitute(name=name, word=word, first=first, second=second, wrong=first + second + 1)
