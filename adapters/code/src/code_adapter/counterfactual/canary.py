"""A test that must fail: it is run together with the tests that decide, and a report without its failure is false."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from string import Template

from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.java_canary import find_framework, name_java_class, write_java, write_kotlin
from code_adapter.counterfactual.script_canary import (
    name_csharp_class,
    name_php_class,
    name_ruby_file,
    write_csharp,
    write_php,
    write_ruby,
)
from code_adapter.tree_checkout import add_to_index
from verigate.sdk import Request

_WORDS = ("amount", "border", "column", "entry", "folder", "letter", "margin", "number", "record", "total")
_SOURCES = {
    "pytest": Template("def test_$name():\n    $word = [$first, $second]\n    assert sum($word) == $wrong\n"),
    "unittest": Template(
        "import unittest\n\n\nclass ${title}Test(unittest.TestCase):\n    def test_$name(self):\n"
        "        $word = [$first, $second]\n        self.assertEqual(sum($word), $wrong)\n"
    ),
    "tape": Template(
        "${imported}const $word = [$first, $second];\n"
        "test('$word $name', (t) => { t.equal($word[0] + $word[1], $wrong); t.end(); });\n"
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


_TEST_NAME = re.compile(r"[._-](?:test|spec|tests)\.\w+$")
MOST_FOLDERS = 10
"""In no more folders a test that must fail is planted: each is a file that the runner loads."""


@contextmanager
def write_canaries(
    request: Request, paths: Sequence[str], runner: str, most: int = MOST_FOLDERS, *, tags: Sequence[str] = ()
) -> Iterator[list[str]]:
    """Write a test that fails into each folder of the test files ``paths``; yields the paths of these tests.

    ``runner`` is that of a file next to it which doesn't say by itself what runs it. ``tags`` are what its settings
    choose by, in the words of the language.
    """
    # Of support in the same folder runners don't take the name for that of a test.
    ordered = sorted(paths, key=lambda path: bool(_TEST_NAME.search(path)))
    neighbours = {path.rpartition("/")[0]: path for path in ordered}
    root = request.repo_root
    with ExitStack() as stack:
        chosen = sorted(neighbours.values())[:most]
        written = [stack.enter_context(_write_canary(root / path, runner, list(tags))) for path in chosen]
        planted = [path.relative_to(root).as_posix() for path in written]
        add_to_index(request, planted)
        yield planted


def judge_canaries(planted: Sequence[str], found: Mapping[str, Outcome], reported: Sequence[str]) -> Outcome | None:
    """Say what the planted tests did: one that isn't where tests of its folder are reported speaks for all of them.

    Settings may leave out whole folders, which has nothing to do with what is reported of the others.
    """
    if Outcome.PASSED in found.values():
        return Outcome.PASSED
    folders = {path.rpartition("/")[0] for path in reported}
    wanted = [path for path in planted if path.rpartition("/")[0] in folders] or planted
    return next((found.get(path) for path in wanted if found.get(path) is not Outcome.FAILED), Outcome.FAILED)


@contextmanager
def _write_canary(neighbour: Path, runner: str, tags: list[str]) -> Iterator[Path]:
    """Write a test that fails next to ``neighbour``, like any other and under a name that nobody can know."""
    word, tail = secrets.choice(_WORDS), secrets.token_hex(3)
    name = f"{word}_{tail}"
    first, second = 1 + secrets.randbelow(50), 1 + secrets.randbelow(50)
    numbers: dict[str, int | str] = {"word": word, "first": first, "second": second, "wrong": first + second + 1}
    if neighbour.suffix in {".rb", ".php"}:
        like = neighbour.read_text(encoding="utf-8", errors="replace") if neighbour.is_file() else ""
        numbers |= {"tail": tail, "name": name}
        of_ruby = neighbour.suffix == ".rb"
        file = name_ruby_file(neighbour.name, name) if of_ruby else f"{name_php_class(word, tail)}.php"
        text = write_ruby(runner, like, tags, numbers) if of_ruby else write_php(like, tags, numbers)
        with _write(neighbour.with_name(file), text):
            yield neighbour.with_name(file)
        return
    if neighbour.suffix == ".cs":
        like = neighbour.read_text(encoding="utf-8", errors="replace") if neighbour.is_file() else ""
        path = neighbour.with_name(f"{name_csharp_class(word, tail)}.cs")
        with _write(path, write_csharp(like, numbers | {"tail": tail})):
            yield path
        return
    if neighbour.suffix in {".java", ".kt"}:
        title = name_java_class(neighbour.name, word, tail)
        like = neighbour.read_text(encoding="utf-8", errors="replace") if neighbour.is_file() else ""
        path = neighbour.with_name(f"{title}{neighbour.suffix}")
        write = write_java if neighbour.suffix == ".java" else write_kotlin
        with _write(path, write(like, find_framework(like) or runner, title, numbers)):
            yield path
        return
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
    with _write(path, text):
        yield path


@contextmanager
def _write(path: Path, text: str) -> Iterator[None]:
    path.write_text(text)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def read_title(canary: Path) -> str:
    """Read the title of a canary of JavaScript."""
    found = re.search(r"\('([^']+)', \(t?\) =>", canary.read_text())
    return found[1] if found else ""


@contextmanager
def plant_canary(request: Request, path: str) -> Iterator[str]:
    """Add a test that fails to a source of Rust, and take it away again; yields its name as libtest reports it."""
    source = request.repo_root / path
    word, tail = secrets.choice(_WORDS), secrets.token_hex(3)
    first, second = 1 + secrets.randbelow(50), 1 + secrets.randbelow(50)
    before = source.read_bytes()
    text = _RUST.substitute(name=word, word=word, tail=tail, first=first, second=second, wrong=first + second + 1)
    source.write_bytes(before + text.encode())
    add_to_index(request, [path])
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
