"""Names and prose keep to the field's words: codespell with a dictionary of our own, and functions named by verbs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DICTIONARY = ROOT / "tests/support/dialect.txt"
PROSE = (
    "src",
    "adapters",
    "hooks",
    "templates",
    "bin",
    ":(glob)*.md",
    ":(glob)docs/*.md",
)
WORDS_AS_DATA = re.compile(
    r"""
    ^adapters/[a-z]+/(tests|fixtures)/      # material of tests
    | ^adapters/tools/fixtures/
    | ^src/verigate/(statements|requests)/  # the words that people use, as they use them
    """,
    re.VERBOSE,
)
PARTICIPLE = re.compile(
    r"_?(?:[a-z]+ed|told|said|meant|spoken|found|made|kept|shown|seen|known|built|begun|written|lost)"
)
EVENTS_AND_OUTCOMES = {"started", "finished", "refuted", "embed", "exceed", "feed", "need", "seed"}
"""What a listener is notified of, what a check comes to, and verbs that only look alike."""
UNNAMED_YET = re.compile(r"adapters/code/src/code_adapter/integrity/")
"""Checks of which the tests of sensitivity will decide which stay."""


def tracked(*patterns: str) -> list[str]:
    """Files that git tracks, relative to the root."""
    listed = subprocess.run(["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, check=True)
    names = listed.stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).is_file() and not (ROOT / name).is_symlink()]


def codespell(*paths: str | Path) -> str:
    argv = [sys.executable, "-m", "codespell_lib", "--dictionary", str(DICTIONARY), *map(str, paths)]
    return subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def functions(path: str) -> Iterator[tuple[int, str]]:
    """Functions and methods of a module, without properties: those are values."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
            if not decorators & {"property", "cached_property"}:
                yield node.lineno, node.name


def test_prose_has_no_word_of_the_old_dialect() -> None:
    files = [name for name in tracked(*PROSE) if not WORDS_AS_DATA.search(name)]
    assert len(files) > 500
    assert codespell(*files) == ""


def test_a_word_of_the_old_dialect_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("The state is told anew.\n")
    assert "told ==> reported" in codespell(page)
    assert "anew ==> again" in codespell(page)


def test_functions_are_not_named_by_a_participle_alone() -> None:
    sources = [name for name in tracked("src/*.py", "adapters/*/src/*.py") if not UNNAMED_YET.match(name)]
    assert len(sources) > 500
    named = [
        f"{path}:{line} {name}"
        for path in sources
        for line, name in functions(path)
        if PARTICIPLE.fullmatch(name) and name not in EVENTS_AND_OUTCOMES
    ]
    assert named == []
