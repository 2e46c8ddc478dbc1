"""A test that must fail: it is run together with the tests that decide, and a report without its failure is false."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template

_WORDS = ("amount", "border", "column", "entry", "folder", "letter", "margin", "number", "record", "total")
_SOURCES = {
    "pytest": Template("def test_$name():\n    $word = [$first, $second]\n    assert sum($word) == $wrong\n"),
    "unittest": Template(
        "import unittest\n\n\nclass ${title}Test(unittest.TestCase):\n    def test_$name(self):\n"
        "        $word = [$first, $second]\n        self.assertEqual(sum($word), $wrong)\n"
    ),
    "go": Template(
        'package $package\n\nimport "testing"\n\nfunc Test${title}$tail(t *testing.T) {\n'
        "\tif $word := []int{$first, $second}; $word[0]+$word[1] != $wrong {\n"
        '\t\tt.Fatalf("got %d, want $wrong", $word[0]+$word[1])\n\t}\n}\n'
    ),
}
_RUST = Template(
    "\n#[cfg(test)]\nmod ${word}_$tail {\n    #[test]\n    fn $name() {\n        let $word = [$first, $second];\n"
    "        assert_eq!($word[0] + $word[1], $wrong);\n    }\n}\n"
)
_JAVASCRIPT = Template(
    "${imported}const $word = [$first, $second];\n"
    "$test('$word $name', () => { throw new Error(`expected $${$word[0] + $word[1]} to be $wrong`); });\n"
)
_PACKAGES = {"node": "node:test", "ava": "ava", "tape": "tape", "vitest": "vitest"}
_NAME = re.compile(r"^(?P<stem>.*?)(?P<tail>(?:[._-](?:test|spec|tests))?\.[cm]?[jt]sx?)$")


@contextmanager
def write_canary(neighbour: Path, runner: str) -> Iterator[Path]:
    """Write a test that fails next to ``neighbour``, like any other and under a name that nobody can know."""
    word, tail = secrets.choice(_WORDS), secrets.token_hex(3)
    name = f"{word}_{tail}"
    first, second = 1 + secrets.randbelow(50), 1 + secrets.randbelow(50)
    text = _SOURCES.get(runner, _JAVASCRIPT).substitute(
        name=name,
        word=word,
        title=word.title(),
        tail=tail,
        package=_read_package(neighbour) if runner == "go" else "",
        first=first,
        second=second,
        wrong=first + second + 1,
        imported=_write_import(neighbour, runner),
        test="(globalThis.it || globalThis.test)" if runner == "mocha" else "test",
    )
    path = neighbour.parent / _name_file(neighbour.name, name)
    path.write_text(text)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def read_title(canary: Path) -> str:
    """Read the title of a canary of JavaScript."""
    found = re.search(r"\('([^']+)', \(\) =>", canary.read_text())
    return found[1] if found else ""


@contextmanager
def plant_canary(source: Path) -> Iterator[str]:
    """Add a test that fails to a source of Rust, and take it away again; yields its name as libtest reports it."""
    word, tail = secrets.choice(_WORDS), secrets.token_hex(3)
    first, second = 1 + secrets.randbelow(50), 1 + secrets.randbelow(50)
    before = source.read_bytes()
    text = _RUST.substitute(name=word, word=word, tail=tail, first=first, second=second, wrong=first + second + 1)
    source.write_bytes(before + text.encode())
    try:
        yield f"{word}_{tail}::{word}"
    finally:
        source.write_bytes(before)


def _name_file(like: str, name: str) -> str:
    if like.endswith("_test.go"):
        return f"{name}_test.go"
    found = _NAME.match(like)
    return f"{name.replace('_', '-')}{found['tail']}" if found else f"test_{name}.py"


def _write_import(neighbour: Path, runner: str) -> str:
    """Import the runner's function like the file next to it: with ``require`` where that has no ``import``."""
    if runner not in _PACKAGES:
        return ""
    text = neighbour.read_text(encoding="utf-8", errors="replace") if neighbour.is_file() else ""
    is_module = neighbour.suffix in {".mjs", ".mts"} or bool(re.search(r"^\s*import\s", text, re.MULTILINE))
    name = "{ test }" if runner == "vitest" else "test"
    package = _PACKAGES[runner]
    if is_module or runner == "vitest":
        return f"import {name} from '{package}';\n"
    return f"const {name} = require('{package}');\n"


def _read_package(neighbour: Path) -> str:
    found = re.search(r"^package\s+(\w+)", neighbour.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    return found[1] if found else "main"
